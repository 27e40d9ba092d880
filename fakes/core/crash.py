"""The planned kill: a process that serves disk worlds dies at one exact commit or write, as by `kill -9`.

`PARACOSM_FAULT` names the point, counted from 1 over all disk worlds of the process:

- `commit:K` just before the K-th commit takes effect, `commit:K+` just after it;
- `write:K` just before the K-th write, sync or truncation of a database's files, `write:K+` just after it,
  `write:K~` in the middle: half of the bytes are there.

`serve` reads the variable; nothing else does.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import apsw

VARIABLE = "PARACOSM_FAULT"
_FORM = re.compile(r"(commit|write):([1-9]\d{0,8})([+~]?)")
_CHECKPOINT = 1000  # pages in the log that make SQLite fold it in; a hook of ours takes the place of its own


class BadKill(ValueError):
    """The variable names no point to die at; the sentence says what it takes."""


@dataclass(frozen=True)
class Kill:
    """A point to die at: the n-th commit or write; before it, after it ("+") or in its middle ("~")."""

    what: Literal["commit", "write"]
    n: int
    side: Literal["", "+", "~"] = ""


def parse(text: str) -> Kill:
    """The point that a text names. Raises BadKill."""
    match = _FORM.fullmatch(text)
    if match is None or match[0].startswith("commit") and match[3] == "~":
        raise BadKill(
            f"{VARIABLE} takes commit:K, commit:K+, write:K, write:K+ or write:K~, K from 1 on; not {text!r}."
        )
    return Kill(match[1], int(match[2]), match[3])  # type: ignore[arg-type]


def planned(environ: Mapping[str, str]) -> Kill | None:
    """What the environment plans, if anything. Raises BadKill."""
    text = environ.get(VARIABLE)
    return parse(text) if text else None


def arm(kill: Kill | None) -> None:
    """From now on connections to disk worlds count, and the process dies at this point; None: they don't."""
    global _armed
    _armed = _Armed(kill) if kill is not None else None


def connect(path: Path) -> apsw.Connection:
    """A connection to a disk world's file, which counts if a kill is planned."""
    if _armed is None:
        return apsw.Connection(str(path))
    return _armed.connect(path)


def counted() -> int:
    """How many points were passed since `arm`."""
    return _armed.passed if _armed is not None else 0


class _Armed:
    """Counts the points of the planned kind."""

    def __init__(self, kill: Kill) -> None:
        self.kill = kill
        self.passed = 0
        self._vfs = _CountingVFS(self) if kill.what == "write" else None

    def connect(self, path: Path) -> apsw.Connection:
        if self._vfs is not None:
            return apsw.Connection(str(path), vfs=_CountingVFS.NAME)
        con = apsw.Connection(str(path))
        if self.kill.side == "+":
            con.set_wal_hook(self._committed)
        else:
            con.set_commit_hook(self._committing, id="crash")
        return con

    def point(self) -> bool:
        """Passes a point; whether it is the one to die at."""
        self.passed += 1
        return self.passed == self.kill.n

    def _committing(self) -> bool:
        if self.point():
            die()
        return False

    def _committed(self, con: apsw.Connection, database: str, pages: int) -> int:
        if self.point():
            die()
        if pages >= _CHECKPOINT:
            con.wal_checkpoint(database)
        return int(apsw.SQLITE_OK)


def die() -> None:
    """Ends this process as `kill -9` does: nothing is closed, flushed or told."""
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()


class _CountingVFS(apsw.VFS):
    """The system's own files, with every write to them counted."""

    NAME = "paracosm-crash"

    def __init__(self, armed: _Armed) -> None:
        super().__init__(self.NAME, "")
        self._armed = armed

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return _CountingFile(self._armed, name, flags)


class _CountingFile(apsw.VFSFile):
    def __init__(self, armed: _Armed, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._armed = armed

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._armed.point():
            side = self._armed.kill.side
            written = {"": 0, "~": len(data) // 2, "+": len(data)}[side]
            if written:
                super().xWrite(bytes(data[:written]), offset)
            die()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        if self._armed.point():
            if self._armed.kill.side == "+":
                super().xSync(flags)
            die()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        if self._armed.point():
            if self._armed.kill.side == "+":
                super().xTruncate(size)
            die()
        super().xTruncate(size)


_armed: _Armed | None = None
