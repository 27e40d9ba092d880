"""Where lives come from: a process that forks them, as the harness sees it. See forking.py for its inside."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

FORKING = Path(__file__).with_name("forking.py")
SLICE = 0.05  # seconds for which one waits while others may want to
GONE = -signal.SIGKILL  # what is said of children whose nursery was killed, by one of them


class Child:
    """A process that a nursery forked, and that leads a group of its own."""

    def __init__(self, nursery: Nursery, pid: int, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self._nursery = nursery

    def wait(self, seconds: float) -> int | None:
        """Its exit code, minus a signal's number; None if it has not ended in so many seconds."""
        return self._nursery.code_of(self.pid, seconds)

    def kill(self) -> None:
        """Ends it and its group, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait(5)
        self._nursery.end_orphans()
        for pipe in (self.stdin, self.stdout):
            with suppress(OSError):
                pipe.close()


class Nursery:
    """Forks lives of one solution; ends with `close`. `codes` are the exit codes of those that ended."""

    def __init__(self, solution: Path, programs: Path, environ: Mapping[str, str], errors: Path) -> None:
        self.codes: dict[int, int] = {}
        self._children: set[int] = set()
        self._heard = b""
        self._said: list[int] = []
        self._lock = threading.RLock()  # lives of one bench may be asked by several threads
        self._control, theirs = socket.socketpair()
        words = [sys.executable, "-S", "-s", "-P", str(FORKING), str(theirs.fileno())]
        with theirs, errors.open("wb") as said:
            self._process = subprocess.Popen(
                [*words, str(solution), str(programs)], env=dict(environ), cwd=solution,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip

    @property
    def is_there(self) -> bool:
        """Whether it still forks: a solution may have killed it."""
        with self._lock:
            self._hear(0)
            return self._process.poll() is None

    def start(
        self, program: Path, arguments: Sequence[str], environ: Mapping[str, str], cwd: Path, errors: Path
    ) -> Child:
        """Forks a process that runs a program. Raises OSError where that can't be done."""
        asked = {
            "program": str(program), "arguments": list(arguments), "environ": dict(environ), "cwd": str(cwd)
        }  # fmt: skip
        (stdin, ours), (heard, stdout) = os.pipe(), os.pipe()
        with errors.open("wb") as said, self._lock:
            try:
                files = [stdin, stdout, said.fileno()]
                socket.send_fds(self._control, [json.dumps(asked).encode()], files)
            finally:
                os.close(stdin)
                os.close(stdout)
            pid = self._forked()
        return Child(self, pid, open(ours, "wb", buffering=0), open(heard, "rb", buffering=0))

    def _forked(self) -> int:
        until = time.monotonic() + 30
        while not self._said:
            self._hear(0.5)
            if self._process.poll() is not None or time.monotonic() > until:
                raise OSError("no process can be forked for the solution")
        pid = self._said.pop()
        self._children.add(pid)
        return pid

    def code_of(self, pid: int, seconds: float) -> int | None:
        """The exit code of a child; None if it has not ended in so many seconds."""
        until = time.monotonic() + seconds
        while True:
            with self._lock:
                left = until - time.monotonic()
                if pid not in self.codes:
                    self._hear(min(max(left, 0), SLICE))
                if pid in self.codes or left <= 0:
                    return self.codes.get(pid)

    def _hear(self, seconds: float) -> None:
        """Takes in what was said: of a child that began, or of some that ended."""
        if self._control.fileno() < 0 or not select.select([self._control], [], [], seconds)[0]:
            return
        try:
            heard = self._control.recv(1 << 16)
        except OSError:
            heard = b""
        if not heard:  # a life ended it
            self._end()
            return
        *lines, self._heard = (self._heard + heard).split(b"\n")
        for told in map(json.loads, lines):
            if "pid" in told:
                self.codes.pop(told["pid"], None)  # a number that was used before
                self._said.append(told["pid"])
            else:
                self.codes[told["ended"]] = told["code"]

    def end_orphans(self) -> None:
        """Ends what lives left behind, in groups of their own: nothing of a life outlasts it."""
        until = time.monotonic() + 1
        while time.monotonic() < until:
            with self._lock:
                self._hear(0)
                orphans = self._orphans()
                for pid in orphans:
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
            if not orphans:
                return
            time.sleep(0.005)

    def _orphans(self) -> set[int]:
        """Processes that have become the nursery's by the death of whoever began them."""
        pid = self._process.pid
        try:
            found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:  # it is gone, or there is no such list here
            return set()
        return {*map(int, found.split())} - (self._children - self.codes.keys())

    def close(self) -> None:
        """Ends it. Its children are ended by those who have them."""
        self.end_orphans()
        self._end()

    def _end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._control.close()
        self.codes |= dict.fromkeys(self._children - self.codes.keys(), GONE)
