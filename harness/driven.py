"""An attempt as whatever acts in it meets it: it runs for a while, answers or breaks, and leaves things."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.bundle import kept
from harness.evidence import Ended, Usage
from harness.facts import FactsError
from harness.frames import told

PLAY_TIMEOUT = 60.0
_EXTRA = re.compile(r"[a-z0-9][\w.-]*(/[\w][\w.-]*){0,3}", re.ASCII)


@dataclass(kw_only=True)
class Driven:
    """How an attempt went: how it ended, what it answered and cost, and what is kept beside its evidence.

    `extras` are files by name, such as `transcript.jsonl`: for people to read, no grade rests on them.
    """

    ended: Ended = "finished"
    error: str = ""
    trace: str = ""
    answer: Any = None
    usage: Usage = field(default_factory=Usage)
    extras: dict[str, bytes] = field(default_factory=dict)

    def keep(self, name: str, content: bytes) -> None:
        """Keeps a file beside the evidence; of a name that was used, the newest. Raises ValueError."""
        if not _EXTRA.fullmatch(name):
            raise ValueError(f"{name!r} is no name for a kept file; write one such as shots/3.png.")
        self.extras[name] = content

    async def drive(
        self, call: Callable[[], Awaitable[Any]], timeout: float = PLAY_TIMEOUT, own: Sequence[Path] = ()
    ) -> None:
        """Runs whatever acts here, for so many seconds at most; keeps its answer, or how it ended.

        What went wrong is told with the last place in the files that are its `own`.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + timeout
        try:
            async with asyncio.timeout(timeout) as deadline:
                answer = await call()
            if clock() > until:  # it held the loop up, or would not be cancelled
                raise TimeoutError
            self.answer = kept(answer)
        except FactsError as error:
            self.fail(error, "error", str(error))
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # a failure is a result
            if isinstance(error, asyncio.CancelledError) and _is_being_cancelled():
                raise
            overdue = deadline.expired() or clock() > until
            late = f"not done after {timeout:g} seconds" if overdue else None
            said = told(error, own, late or f"{type(error).__name__}: {_said(error)}".rstrip(": "))
            self.fail(error, "time-out" if late else "error", said)
        await self.settle()

    def fail(self, error: BaseException, ended: Ended, said: str) -> None:
        """Notes that it did not come to its end, and why."""
        self.ended, self.error = ended, said
        self.trace = "".join(traceback.format_exception(error))

    async def settle(self) -> None:
        """Waits until nothing of what was done is under way any more."""


def _is_being_cancelled() -> bool:
    """Whether somebody wants this task to end: an agent may also cancel what is its own."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _said(error: BaseException) -> str:
    """What an exception says, in a line; of Playwright's log of a call, what it was waiting for."""
    first, *rest = str(error).strip().splitlines() or [""]
    waiting = next((line.strip(" -") for line in rest if "waiting for" in line), "")
    return f"{first.rstrip('. ')}, {waiting}" if waiting else first.rstrip(". ")
