"""`paracosm run`: rollouts of tasks, each kept in the archive with its bundle of evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE
from harness.cli.words import WrongUse

if TYPE_CHECKING:
    from harness.cli.attempts import Wanted

EXAMPLE = """Examples:

paracosm run claims_desk/record-the-determination --play reference --out run.zip

paracosm run claims_desk relay --recipe codex --rollouts 5 --parallel 2

paracosm run claims_console --agent my_agent.py:agent --instances 1000 --split train --keep failures

paracosm run --resume 7-codex
"""
PLAYS = "reference, null, done, cheat:NAME, variant:NAME; of a code task also witness:NAME"
MOST = 2**63 - 1  # what the archive can keep
KEEP, SPLITS = ("all", "failures", "none"), ("train", "test")


def run(
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="[ENV[/TASK] …]", help="Tasks; ENV is all of its tasks.")
    ] = None,
    rail: Annotated[
        str | None,
        typer.Option(help="api, browser, mcp, command, model or manual; else the surface, or what fits."),
    ] = None,
    play: Annotated[str | None, typer.Option(metavar="PLAY", help=f"A play of the task: {PLAYS}.")] = None,
    agent: Annotated[
        str | None,
        typer.Option(metavar="FILE.py:FUNCTION", help="`async def agent(task_text, desk)`, actors by name."),
    ] = None,
    command: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="A program that acts: a line in quotes.")
    ] = None,
    recipe: Annotated[str | None, typer.Option(metavar="NAME", help="A known agent, such as codex.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model, of --rail model or for a program.")
    ] = None,
    rollouts: Annotated[int, typer.Option(metavar="N", help="How often each task is attempted.")] = 1,
    instances: Annotated[
        int | None, typer.Option(metavar="N", help="Attempts on so many distinct instances.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Which instances: train or test; train, if none is said.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The instance: the seed its world is made of; else 1.")
    ] = None,
    parallel: Annotated[
        int | None, typer.Option("--parallel", "-j", metavar="P", help="How many at once; else one a core.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="After how long an attempt is ended; else 60, for programs and models 600, for people 3600.",
        ),
    ] = None,
    max_turns: Annotated[
        int | None, typer.Option(metavar="N", help="After how many turns a model or a program is ended.")
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Keep a Playwright trace of each browser.")] = False,
    video: Annotated[bool, typer.Option("--video", help="Keep a video of each browser.")] = False,
    keep: Annotated[
        str | None, typer.Option(help="Which bundles stay: all, failures or none; else all.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of a single rollout: a copy of its bundle.")
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="NAME", help="What the run is called; else by who acts.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Make what is not over of a run that was stopped.")
    ] = None,
    data: Annotated[
        Path, typer.Option(envvar=DATA_VARIABLE, help="The folder with the archive; runs/ keeps bundles.")
    ] = DATA,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print a play's traceback too; an agent's always is.")
    ] = False,
) -> None:
    """Run tasks, with an agent, a program, a model, a person, or a play of the task's own; grade what they
    leave, and keep it in the archive, each rollout with its bundle.

    A run that was stopped, or whose process was killed, goes on with --resume: nothing is done twice. An
    attempt that broke or timed out counts as one that did not pass; one that the grader itself could not
    judge is no score.

    The rail says what acts, and so what its actors drive: a client (api) or a browser. A run is unconfined:
    an agent is code of yours that runs as you, on this machine; what it does by its actors is recorded, and
    nothing else is held back.

    An instance is what the environment's seed makes of a world seed. No two have the same facts, and the
    splits have none in common.
    """
    from harness.cli import acting, attempts, results, show

    said = acting.Said(rail, play, agent, command, recipe, model, timeout, max_turns, trace, video)
    wanted = attempts.Wanted(
        tuple(each.rstrip("/") for each in targets or ()),
        rollouts,
        instances,
        split,
        seed,
        keep,
        parallel,
        label,
        single=out is not None,
    )
    _check_numbers(wanted)
    console = show.console()
    if resume is not None:
        if not said.nothing or wanted != attempts.Wanted((), jobs=parallel):
            raise WrongUse("--resume goes by what the run was begun with: say nothing else but -j or --data.")
        raise typer.Exit(results.tell(console, attempts.resume(console, resume, parallel, data)))
    driver = said.driver()
    _check(wanted, alone=driver.rail == "manual")
    _check_out(out, keep)
    ended = attempts.begin(console, wanted, driver, data)
    if len(ended.rollouts) > 1 or instances is not None:
        raise typer.Exit(results.tell(console, ended))
    raise typer.Exit(results.tell_one(console, ended, data, out, traceback=verbose or agent is not None))


def _check_numbers(wanted: Wanted) -> None:
    numbers = {
        "--rollouts": wanted.rollouts, "--seed": wanted.seed, "--instances": wanted.instances,
        "--parallel": wanted.jobs,
    }  # fmt: skip
    for option, number in numbers.items():
        if number is not None and number < 1:
            raise WrongUse(f"{option} takes a number, 1 or more, not {number}.")
        if number is not None and number > MOST:
            raise WrongUse(f"{option} takes a number up to {MOST}, not {number}.")


def _check(wanted: Wanted, *, alone: bool) -> None:
    """What else does not go together; `alone`: somebody acts who does one thing at a time."""
    if not wanted.targets:
        raise WrongUse("Say what to run: ENV/TASK, or ENV for all of its tasks.")
    if wanted.instances is not None and wanted.seed is not None:
        raise WrongUse("--instances finds seeds itself; say --seed or --instances.")
    if wanted.split is not None and wanted.instances is None:
        raise WrongUse("--split is about instances; say how many with --instances.")
    if wanted.split not in (None, *SPLITS):
        raise WrongUse(f"There is no split {wanted.split!r}; there are {' and '.join(SPLITS)}.")
    if wanted.keep not in (None, *KEEP):
        raise WrongUse(f"--keep takes all, failures or none, not {wanted.keep!r}.")
    if alone and wanted.jobs not in (None, 1):
        raise WrongUse("A person does one task at a time: leave out --parallel.")


def _check_out(out: Path | None, keep: str | None) -> None:
    if out is None:
        return
    if keep not in (None, "all"):
        raise WrongUse("--out is a copy of the bundle, so that has to stay: leave out --keep.")
    if out.is_dir():
        raise WrongUse(f"{out} is a folder; --out takes a file's name.")
    if not out.parent.is_dir():
        raise WrongUse(f"{out} can't be written: there is no folder {out.parent}.")
