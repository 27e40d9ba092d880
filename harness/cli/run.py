"""`paracosm run`: one rollout of a task, kept as a bundle of evidence."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.words import DONE, FAILED, WrongUse

if TYPE_CHECKING:
    from harness.rollout import Drive
    from harness.task import Task

EXAMPLE = "Example: paracosm run claims_desk/record-the-determination --play reference --out run.zip"
PLAYS = "reference, null, done, cheat:NAME or variant:NAME"


def run(
    target: Annotated[str, typer.Argument(metavar="ENV/TASK", help="The task.")],
    agent: Annotated[
        str | None,
        typer.Option(metavar="FILE.py:FUNCTION", help="`async def agent(task_text, desk)`, actors by name."),
    ] = None,
    play: Annotated[str | None, typer.Option(metavar="PLAY", help=f"A play of the task: {PLAYS}.")] = None,
    rail: Annotated[
        str | None, typer.Option(help="api or browser; the task's surface, if none is said.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the bundle goes.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds until the attempt is ended.")] = 60.0,
) -> None:
    """Run a task once, with an agent or one of its own plays; grade it and keep the evidence as a bundle."""
    from harness.cli import show
    from harness.discovery import UnknownTarget, find_task
    from harness.guards import TaskError
    from harness.rollout import UnknownPlay, rollout

    console = show.console()
    if rail not in (None, "api", "browser"):
        raise WrongUse(f"There is no rail {rail!r}; there are api and browser.")
    try:
        task = find_task(target)
        drive = _drive(task, agent, play, timeout)
        with console.status("running") if console.is_terminal else nullcontext():
            done = asyncio.run(rollout(task, drive, rail=rail))
    except (UnknownTarget, UnknownPlay, TaskError) as error:
        raise WrongUse(error.args[0]) from None
    out = out or Path(f"{task.env.slug}-{task.slug}.zip")
    try:
        out.write_bytes(done.bundle)
    except OSError as error:
        raise WrongUse(f"{out} can't be written: {error.strerror}.") from None
    console.print(show.verdict_table(task, done.grade.verdicts))
    how = f"rail {done.evidence.rail or 'none'}, {'confined' if done.evidence.confined else 'unconfined'}"
    show.line(console, f"{show.outcome(done.grade, done.evidence.error)} ({how})")
    show.line(console, str(out))
    raise typer.Exit(DONE if done.grade.passed else FAILED)


def _drive(task: Task, agent: str | None, play: str | None, timeout: float) -> Drive:
    from harness.rollout import by_agent, by_play, load_agent

    if agent is not None and play is None:
        return by_agent(load_agent(agent, task), timeout)
    if play is not None and agent is None:
        return by_play(task, play, timeout)
    raise WrongUse("Say who acts: either --agent FILE.py:FUNCTION or --play reference.")
