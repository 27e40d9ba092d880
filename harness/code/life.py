"""A life: one real process in which a grader's program drives a solution, asked over a pipe.

Whatever runs there is somebody else's code. It has a process group, a scratch folder and an environment of
its own, it is waited for only so long, and it is killed when its life is over.
"""

from __future__ import annotations

import json
import os
import select
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.code.nursery import Child

PATIENCE = 20.0  # seconds that an answer may take
LONGEST = 8 << 20  # bytes of an answer
TOLD = 400  # characters of what it said that are told


class Raised(AssertionError):
    """The program's handler raised: class name, text, and the error's `code` if it has one."""

    def __init__(self, kind: str, said: str, code: Any) -> None:
        super().__init__(f"{kind} was raised: {said}" if said else f"{kind} was raised")
        self.kind, self.said, self.code = kind, said, code


class Died(AssertionError):
    """The process ended, with an exit code, or minus a signal's number. `by_fault`: where it was told to."""

    def __init__(self, code: int, by_fault: bool, said: str) -> None:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        super().__init__(f"the process {how} before it answered" + (f"; it said: {said}" if said else ""))
        self.code, self.by_fault = code, by_fault


class Life:
    """A process that answers. `with bench.life() as life: life.ask({"kind": "start"})`."""

    def __init__(self, process: Child, errors: Path, until: float, fault_exit: int | None = None) -> None:
        self._process, self._errors = process, errors
        self._until, self._fault_exit = until, fault_exit
        self._heard = b""

    def __enter__(self) -> Life:
        return self

    def __exit__(self, *raised: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The process, which leads a group of its own."""
        return self._process.pid

    @property
    def said(self) -> str:
        """The end of what it printed, or of its traceback."""
        with suppress(OSError), self._errors.open("rb") as file:  # it may be gone
            file.seek(max(0, file.seek(0, os.SEEK_END) - TOLD))
            return file.read().decode(errors="replace").strip()
        return ""

    def ask(self, value: Any) -> Any:
        """What the handler returns for a JSON value.

        Raises Raised if it raised, Died if the process ended, AssertionError if it is silent for too long.
        """
        with suppress(BrokenPipeError):  # as reading will tell
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
        line = self._line()
        try:
            answer: dict[str, Any] = json.loads(line)
            if "ok" in answer:
                return answer["ok"]
            raised = Raised(answer["raised"], answer["said"], answer["code"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise AssertionError(f"this is no answer: {line[:TOLD]!r}") from None
        raise raised

    def end(self) -> int:
        """Lets it come to its end: closes its input and waits. The exit code; minus a signal's number."""
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        patience = self._patience()
        code = self._process.wait(patience)
        assert code is not None, f"the process did not end within {patience:.0f} seconds"
        self.kill()
        return code

    def kill(self) -> None:
        """Ends it at once, with all processes of its group."""
        self._process.kill()

    def _patience(self) -> float:
        left = self._until - time.monotonic()
        assert left > 0, "it takes too long as a whole"
        return min(PATIENCE, left)

    def _line(self) -> bytes:
        patience = self._patience()
        until = time.monotonic() + patience
        while b"\n" not in self._heard:
            assert time.monotonic() < until, f"no answer within {patience:.0f} seconds"
            assert len(self._heard) < LONGEST, "the answer has no end"
            if not self._hear():
                raise self._died()
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _hear(self) -> bool:
        """Takes in what was said; False once it has ended. A child that it left may hold the pipe open."""
        ended = self._process.wait(0) is not None
        ready, _, _ = select.select([self._process.stdout], [], [], 0.1)
        heard = os.read(self._process.stdout.fileno(), 1 << 16) if ready else b""
        self._heard += heard
        return bool(heard) or not (ready or ended)

    def _died(self) -> Died:
        code = self._process.wait(2)
        if code is None:  # it only closed its output
            self.kill()
        code = self._process.wait(2) or 0
        return Died(code, self._fault_exit is not None and code == self._fault_exit, self.said)
