"""`paracosm run`: rollouts of a task, each kept as a bundle of evidence."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE
from harness.cli.words import DONE, FAILED, Failed, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from harness.parallel import Lost
    from harness.rollouts import Once
    from harness.task import Task

EXAMPLE = """Examples:

paracosm run claims_desk/record-the-determination --play reference --out run.zip

paracosm run claims_desk/record-the-determination --agent my_agent.py:agent --timeout 300

paracosm run claims_console --agent my_agent.py:agent --instances 1000 --split train --keep failures
"""
PLAYS = "reference, null, done, cheat:NAME or variant:NAME"
UNCONFINED = "unconfined: it ran as you, on this machine"


def run(
    target: Annotated[
        str, typer.Argument(metavar="ENV/TASK", help="The task; with --instances, ENV alone is all of its.")
    ],
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
            metavar="PATH",
            help=f"Where the bundle goes, or with --instances a folder of them; {DATA}/runs/ENV-TASK.zip or "
            f"{DATA}/runs/ENV-TASK-SPLIT, if nothing is said.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="After how long the attempt is ended; more than 0.")
    ] = 60.0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The instance: the seed its world is made of; else 1.")
    ] = None,
    instances: Annotated[
        int | None, typer.Option(metavar="N", help="Attempts on so many distinct instances.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Which instances: train or test; train, if none is said.")
    ] = None,
    keep: Annotated[
        str | None, typer.Option(help="Of instances, which bundles stay: all, failures or none; else all.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", metavar="N", help="Of instances, in how many processes; one a core."),
    ] = None,
    data: Annotated[
        Path, typer.Option(envvar=DATA_VARIABLE, help="The folder whose runs/ keeps bundles.")
    ] = DATA,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print a play's traceback too; an agent's always is.")
    ] = False,
) -> None:
    """Run a task, with an agent or one of its own plays; grade it and keep the evidence as a bundle.

    The rail says what actors drive: a client (api) or a browser. A run is unconfined: an agent is code of
    yours that runs as you, on this machine; what it does by its actors is recorded, and nothing else is held
    back.

    An instance is what the environment's seed makes of a world seed. No two have the same facts, and the
    splits have none in common. An attempt that broke or timed out counts as one that did not pass.
    """
    from harness.cli import show

    if rail not in (None, "api", "browser"):
        raise WrongUse(f"There is no rail {rail!r}; there are api and browser.")
    if not (math.isfinite(timeout) and timeout > 0):
        raise WrongUse(f"--timeout takes seconds, more than 0, not {timeout:g}.")
    if (agent is None) == (play is None):
        raise WrongUse("Say who acts: either --agent FILE.py:FUNCTION or --play reference.")
    for option, number in (("--seed", seed), ("--instances", instances), ("--jobs", jobs)):
        if number is not None and number < 1:
            raise WrongUse(f"{option} takes a number, 1 or more, not {number}.")
    console = show.console()
    if instances is not None:
        from harness.cli.attempts import Many, attempt

        if seed is not None:
            raise WrongUse("--instances finds seeds itself; say --seed or --instances.")
        many = Many(instances, split or "train", keep or "all", jobs)
        raise typer.Exit(attempt(console, target, many, agent, play, rail, timeout, out, data))
    for option, said in (("--split", split), ("--keep", keep), ("--jobs", jobs)):
        if said is not None:
            raise WrongUse(f"{option} is about instances; say how many with --instances.")
    _once(console, target, agent, play, rail, timeout, seed or 1, out, data, verbose=verbose)


def _once(
    console: Console, target: str, agent: str | None, play: str | None, rail: str | None, timeout: float,
    seed: int, out: Path | None, data: Path, *, verbose: bool,
) -> None:  # fmt: skip
    """One attempt."""
    from harness.app import BrokenScenario
    from harness.cli import show
    from harness.discovery import UnknownTarget, find_task
    from harness.guards import TaskError
    from harness.parallel import Lost, NoProcesses
    from harness.rollout import UnknownPlay

    try:
        task = find_task(target)
        attempt = _attempt(task, agent, play, rail, timeout, seed)
        out = out or runs_folder(data) / f"{task.env.slug}-{task.slug}.zip"
        if not out.parent.is_dir():
            raise WrongUse(f"{out} can't be written: there is no folder {out.parent}.")
        with console.status("running") if console.is_terminal else nullcontext():
            done = attempt()
    except (UnknownTarget, UnknownPlay, BrokenScenario, TaskError) as error:
        raise WrongUse(error.args[0]) from None
    except NoProcesses as error:
        raise Failed(error.args[0]) from None
    if isinstance(done, Lost):
        raise Failed(f"{'time-out' if done.overdue else 'error'}: the agent's process {done.how}.")
    try:
        out.write_bytes(done.bundle)
    except OSError as error:
        raise WrongUse(f"{out} can't be written: {error.strerror}.") from None
    if done.trace and (verbose or agent is not None):
        print(done.trace, file=sys.stderr, end="")
    console.print(show.verdict_table(task, done.grade.verdicts))
    how = f"rail {done.rail or 'none'}, {'confined' if done.confined else UNCONFINED}"
    how += f", seed {seed}" if seed != 1 else ""
    show.line(console, f"{show.outcome(done.grade, done.error)} ({how})")
    show.line(console, str(out))
    raise typer.Exit(DONE if done.grade.passed else FAILED)


def _attempt(
    task: Task, agent: str | None, play: str | None, rail: str | None, timeout: float, seed: int
) -> Callable[[], Once | Lost]:
    """What attempts the task: an agent in a process of its own, a play of ours here. Raises UnknownPlay."""
    from harness.rollout import by_play, rollout
    from harness.rollouts import once, try_once

    if agent is not None:
        return lambda: try_once(task, agent, rail, timeout, seed)
    assert play is not None
    drive = by_play(task, play, timeout)
    return lambda: once(asyncio.run(rollout(task, drive, rail=rail, seed=seed)))


def runs_folder(data: Path) -> Path:
    """Where bundles go if nobody says: a folder for its owner alone, since a world's secrets are in them."""
    folder = data / "runs"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"{folder} can't keep bundles: {error.strerror}; say --out.") from None
    return folder
