"""A command in a process group of its own: what it says as it says it, how it ended, and that nothing of it
is left.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from fakes.core.ids import draw_token
from harness.leftovers import kill_left

Channel = Literal["stdout", "stderr"]
Hear = Callable[[Channel, str], bool | None]
"""Hears a line; returns True when it has heard enough, so that the command is to end."""

MARK = "PARACOSM_ATTEMPT"
"""The variable by which a process is known to belong to an attempt, whichever group it is in."""

GRACE = 2.0  # seconds from the first signal to the second
LINE = 64 * 1024  # bytes after which a line is broken, since some agents print whole files in one
_CHANNELS: Mapping[int, Channel] = {1: "stdout", 2: "stderr"}


@dataclass(frozen=True)
class Exit:
    """How a command ended. Code None: it never began, and `problem` says why; below 0: a signal ended it.

    `overdue`: it was still running when its time was over.
    """

    code: int | None
    overdue: bool = False
    problem: str = ""

    @property
    def told(self) -> str:
        """`exited with code 1`, `died by SIGSEGV`, `could not be started: …`."""
        if self.code is None:
            return f"could not be started: {self.problem}"
        if self.overdue:
            return "was ended when its time was over"
        if self.code >= 0:
            return f"exited with code {self.code}"
        with suppress(ValueError):
            return f"died by {signal.Signals(-self.code).name}"
        return f"died by signal {-self.code}"


async def run_process(
    words: Sequence[str], *, cwd: Path, env: Mapping[str, str], said: str, timeout: float, hear: Hear
) -> Exit:
    """Runs a command line until it ends, for so many seconds at most, and lets it hear what is `said`.

    Then, or if the caller is cancelled, all that is left of it is killed: its group, and whatever took leave
    of that but still has the attempt's mark.
    """
    program = shutil.which(words[0], path=env.get("PATH", os.defpath))
    if program is None:
        return Exit(None, problem=f"there is no program {words[0]!r} on the PATH.")
    mark = draw_token(12)
    listening = _Listening(hear)
    try:
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: listening, program, *words[1:], cwd=str(cwd), env={**env, MARK: mark},
            stdin=asyncio.subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        try:
            return await _lived(transport, listening, said, timeout)
        finally:
            listening.unwatch()
            _signal_group(transport.get_pid(), signal.SIGKILL)
            kill_left(MARK, mark)
            await _drained(listening)
            transport.close()
    except OSError as error:
        return Exit(None, problem=f"{words[0]}: {error.strerror or error}.")
    finally:
        listening.unwatch()  # also when the caller was cancelled while it began
        kill_left(MARK, mark)


async def _lived(
    transport: asyncio.SubprocessTransport, listening: _Listening, said: str, timeout: float
) -> Exit:
    _feed(transport, said)
    overdue = not await _within(timeout, listening.over.wait())
    if not listening.exited.is_set():
        _signal_group(transport.get_pid(), signal.SIGTERM)
        if not await _within(GRACE, listening.exited.wait()):
            _signal_group(transport.get_pid(), signal.SIGKILL)
            await listening.exited.wait()
    return Exit(transport.get_returncode(), overdue)


def _feed(transport: asyncio.SubprocessTransport, said: str) -> None:
    pipe = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
    if said and not pipe.is_closing():  # it may have ended before it was told
        pipe.write(said.encode())
    pipe.close()  # after what was written


async def _within(seconds: float, wanted: Awaitable[object]) -> bool:
    """Whether it came in time."""
    try:
        async with asyncio.timeout(seconds):
            await wanted
    except TimeoutError:
        return False
    return True


async def _drained(listening: _Listening) -> None:
    """Hears the last words, unless somebody unknown keeps the pipe open."""
    await _within(GRACE, listening.silent.wait())
    listening.flush()


def _watch(group: int) -> subprocess.Popen[bytes]:
    """Has the group killed if this process dies meanwhile: then nobody would end it, nor pay attention.

    A shell waits for the end of a pipe that only we hold.
    """
    wait = ["/bin/sh", "-c", 'read -r _; kill -9 "-$1"', "sh", str(group)]
    return subprocess.Popen(
        wait, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip


def _signal_group(pid: int, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, sign)


class _Listening(asyncio.SubprocessProtocol):
    """Cuts what comes into lines."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._left: dict[int, bytes] = {1: b"", 2: b""}
        self._open = {1, 2}
        self.exited, self.silent, self.over = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._watched: subprocess.Popen[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It has begun, and said nothing yet."""
        self._watched = _watch(cast(asyncio.SubprocessTransport, transport).get_pid())

    def unwatch(self) -> None:
        """The watch ends first: its group is about to be, and the number may come again."""
        if self._watched is not None:
            self._watched.kill()
            self._watched.communicate()
            self._watched = None

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """A piece of a stream."""
        *lines, self._left[fd] = (self._left[fd] + data).split(b"\n")
        for line in lines:
            self._say(fd, line)
        while len(self._left[fd]) >= LINE:
            self._say(fd, self._left[fd][:LINE])
            self._left[fd] = self._left[fd][LINE:]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Nothing more comes of this stream."""
        self._open.discard(fd)
        if not self._open:
            self.silent.set()

    def process_exited(self) -> None:
        """It is over, though others may still hold its pipes."""
        self.exited.set()
        self.over.set()

    def flush(self) -> None:
        """Says what has no end of line."""
        for fd, left in self._left.items():
            if left:
                self._say(fd, left)
            self._left[fd] = b""

    def _say(self, fd: int, line: bytes) -> None:
        if self._hear(_CHANNELS[fd], line.decode(errors="replace").rstrip("\r")):
            self.over.set()
