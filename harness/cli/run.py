"""`paracosm run`: one rollout of a task, kept as a bundle of evidence."""

from __future__ import annotations

import asyncio
import math
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE
from harness.cli.words import DONE, FAILED, WrongUse

if TYPE_CHECKING:
    from harness.rollout import Drive
    from harness.task import Task

EXAMPLE = "Example: paracosm run claims_desk/record-the-determination --play reference --out run.zip"
PLAYS = "reference, null, done, cheat:NAME or variant:NAME"
UNCONFINED = "unconfined: it ran as you, on this machine"


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
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=f"Where the bundle goes; {DATA}/runs/ENV-TASK.zip, if nothing is said."
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="After how long the attempt is ended; more than 0.")
    ] = 60.0,
    data: Annotated[
        Path, typer.Option(envvar=DATA_VARIABLE, help="The folder whose runs/ keeps bundles.")
    ] = DATA,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print a play's traceback too; an agent's always is.")
    ] = False,
) -> None:
    """Run a task once, with an agent or one of its own plays; grade it and keep the evidence as a bundle.

    The rail says what actors drive: a client (api) or a browser. A run is unconfined: an agent is code of
    yours that runs as you, on this machine; what it does by its actors is recorded, and nothing else is held
    back.
    """
    from harness.app import BrokenScenario
    from harness.cli import show
    from harness.discovery import UnknownTarget, find_task
    from harness.guards import TaskError
    from harness.rollout import UnknownPlay, rollout

    console = show.console()
    if rail not in (None, "api", "browser"):
        raise WrongUse(f"There is no rail {rail!r}; there are api and browser.")
    if not (math.isfinite(timeout) and timeout > 0):
        raise WrongUse(f"--timeout takes seconds, more than 0, not {timeout:g}.")
    try:
        task = find_task(target)
        drive = _drive(task, agent, play, timeout)
        out = out or _default_place(data, task)
        if not out.parent.is_dir():
            raise WrongUse(f"{out} can't be written: there is no folder {out.parent}.")
        with console.status("running") if console.is_terminal else nullcontext():
            done = asyncio.run(rollout(task, drive, rail=rail))
    except (UnknownTarget, UnknownPlay, BrokenScenario, TaskError) as error:
        raise WrongUse(error.args[0]) from None
    try:
        out.write_bytes(done.bundle)
    except OSError as error:
        raise WrongUse(f"{out} can't be written: {error.strerror}.") from None
    if done.evidence.trace and (verbose or agent is not None):
        print(done.evidence.trace, file=sys.stderr, end="")
    console.print(show.verdict_table(task, done.grade.verdicts))
    how = f"rail {done.evidence.rail or 'none'}, {'confined' if done.evidence.confined else UNCONFINED}"
    show.line(console, f"{show.outcome(done.grade, done.evidence.error)} ({how})")
    show.line(console, str(out))
    raise typer.Exit(DONE if done.grade.passed else FAILED)


def _default_place(data: Path, task: Task) -> Path:
    """Where a bundle goes if nobody says: a folder for its owner alone, since a world's secrets are in it."""
    folder = data / "runs"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"{folder} can't keep bundles: {error.strerror}; say --out.") from None
    return folder / f"{task.env.slug}-{task.slug}.zip"


def _drive(task: Task, agent: str | None, play: str | None, timeout: float) -> Drive:
    from harness.rollout import by_agent, by_play, load_agent

    if agent is not None and play is None:
        return by_agent(load_agent(agent, task), timeout)
    if play is not None and agent is None:
        return by_play(task, play, timeout)
    raise WrongUse("Say who acts: either --agent FILE.py:FUNCTION or --play reference.")
