"""`paracosm record`: what a person does at a task's pages, written down as a first draft of its reference."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.chromium import has_display
from harness.cli.words import DONE, WrongUse

if TYPE_CHECKING:
    import asyncio

    from harness.recording.session import Recorded, Recording
    from harness.task import Task

EXAMPLE = "Example: paracosm record claims_desk/audit-the-quarterly-statement --out draft.py"


def record(
    target: Annotated[str, typer.Argument(metavar="ENV/TASK", help="A browser task.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the draft goes; it is printed, if not said.")
    ] = None,
    headless: Annotated[
        bool,
        typer.Option(
            "--headless", help="Show no window; print the address at which DevTools drive the browser."
        ),
    ] = False,
) -> None:
    """Open a browser as the task's actors, signed in, and write down what you do as a play.

    Do the task by hand; then close the browser, or press Enter here. The draft uses the play API, names facts
    where you typed what they hold, and begins a step for each request that wrote something. It is a first
    draft: read it through, name its steps, and put it in the place of the task's reference.
    """
    import asyncio

    from harness.app import BrokenScenario
    from harness.discovery import UnknownTarget, find_unfinished
    from harness.guards import TaskError
    from harness.rails import BrowserMissing

    try:
        task = find_unfinished(target)
    except (UnknownTarget, BrokenScenario) as error:
        raise WrongUse(error.args[0]) from None
    if task.surface != "browser":
        raise WrongUse(
            f"{task.name} is played by {task.surface}, and what is recorded is a browser's work: write its "
            'reference by hand, or declare the task with surface="browser".'
        )
    if out is not None and out.exists():
        raise WrongUse(f"There is a file {out} already; choose another --out.")
    if out is not None and not out.parent.is_dir():
        raise WrongUse(f"{out} can't be written: there is no folder {out.parent}.")
    if not headless and not has_display():
        raise WrongUse(
            "There is no display to open a browser on: record where there is one, or use --headless and "
            "drive the browser by DevTools."
        )
    try:
        recorded = asyncio.run(_record(task, headless))
    except (BrokenScenario, TaskError, BrowserMissing) as error:
        raise WrongUse(error.args[0]) from None
    _give(task, recorded, out)
    raise typer.Exit(DONE)


async def _record(task: Task, headless: bool) -> Recorded:
    import asyncio
    import signal
    import tempfile

    from harness.inputs import lay_out
    from harness.recording.browser import launched
    from harness.recording.session import recording

    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, done.set)
    with tempfile.TemporaryDirectory(prefix="paracosm-inputs-") as folder:
        async with launched(headless=headless) as (browser, devtools), recording(task, browser) as made:
            inputs = lay_out(made.inputs(), Path(folder))
            _say(made.text)
            if inputs:
                _say(f"inputs: {', '.join(map(str, inputs))}")
            if devtools:
                _say(f"devtools {devtools}")
            _say("recording; close the browser or press Enter here when it is done")
            await _until_done(made, done)
            return await made.result()


async def _until_done(made: Recording, done: asyncio.Event) -> None:
    """Until the last page is closed, a line is read, or a signal comes."""
    import asyncio

    loop = asyncio.get_running_loop()

    def read() -> None:
        if sys.stdin.readline():
            done.set()
        else:  # nobody can press Enter there
            loop.remove_reader(sys.stdin)

    try:
        loop.add_reader(sys.stdin, read)
    except (OSError, ValueError):  # no terminal and no pipe
        pass
    waits = [asyncio.ensure_future(done.wait()), asyncio.ensure_future(made.closed())]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        try:
            loop.remove_reader(sys.stdin)
        except (OSError, ValueError):
            pass


def _give(task: Task, recorded: Recorded, out: Path | None) -> None:
    from harness.frames import shown

    if out is None:
        print(recorded.source, end="", flush=True)
    else:
        out.write_text(recorded.source)
    _say(f"{len(recorded.actions)} actions; the guards say of their end: {recorded.outcome}")
    for name in recorded.missing:
        _say(f"{name} is no input of {task.slug}: name it in inputs=.")
    if out is not None:
        _say(f"{out} is there: put it in the place of the reference in {shown(task.file)}")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
