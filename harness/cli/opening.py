"""`prove --open`: plays one play, says who refused it, and serves its world until it is stopped."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from harness.cli.words import DONE, FAILED, WrongUse

if TYPE_CHECKING:
    from harness.guards import Play
    from harness.opening import Opened
    from harness.task import Task


def open_play(target: str, name: str, *, port: int, day: date, zone: str) -> int:
    """Plays NAME of ENV/TASK and serves the world it leaves until it is stopped; returns the exit code.

    Raises WrongUse.
    """
    from harness.app import BrokenScenario
    from harness.discovery import UnknownTarget, find_task
    from harness.guards import TaskError
    from harness.loop import run
    from harness.opening import find_any
    from harness.rails import BrowserMissing
    from harness.rollout import UnknownPlay

    ended: list[int] = []
    try:
        task = find_task(target)
        play = find_any(task, name)
        run(lambda: _serve(task, play, port, day, zone, ended.append))
    except (UnknownTarget, UnknownPlay, BrokenScenario, TaskError, BrowserMissing) as error:
        raise WrongUse(error.args[0]) from None
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise WrongUse(f"Port {port} is taken; choose another --port, or 0 for a free one.") from None
    return ended[0]


async def _serve(task: Task, play: Play, port: int, day: date, zone: str, end: Callable[[int], None]) -> None:
    import asyncio
    import signal

    from fakes.core.ui import close_streams
    from harness.opening import opened

    stop = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    async with opened(task, play, port=port, day=day, zone=zone) as shown:
        print(f"ready {shown.server.url}", flush=True)
        _tell(shown)
        end(FAILED if shown.grade.errors or shown.grade.void else DONE)
        await stop.wait()
        close_streams()


def _tell(shown: Opened) -> None:
    from harness.cli import show

    console = show.console()
    refusing = [verdict for verdict in shown.grade.verdicts if verdict.state != "passed"]
    if refusing:
        console.print(show.verdict_table(shown.task, refusing))
    show.line(console, f"{shown.play.name}: {show.outcome(shown.grade, shown.evidence.error)}", "bold")
    if (said := _unlike_declared(shown)) is not None:
        show.line(console, said, "red")
    if shown.decided is not None:
        show.line(
            console, f"{shown.guard} is about {shown.decided.table} {', '.join(map(str, shown.decided.key))}"
        )
    print(f"portal {shown.link()}")
    print(f"changes {shown.server.url}{shown.changes} (once the portal is open)", flush=True)


def _unlike_declared(shown: Opened) -> str | None:
    """Where it was refused by other guards than its declaration says: which were to refuse it."""
    cheat = next((each for each in shown.task.cheats.values() if each.play is shown.play), None)
    expected = frozenset() if cheat is None else cheat.expected
    if shown.grade.refused == expected:
        return None
    return f"It is declared to be refused by {', '.join(sorted(expected)) or 'no guard'}."
