"""Does a job again whenever files are saved: the loop behind `prove --watch`.

The parent looks at files, and has the libraries in memory but neither a scenario nor a product; it opens no
world and runs no event loop. Each round is a child forked from it, so that imports are fresh, start-up is
quick, and nothing of one round is left for the next.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

POLL = 0.1
PATIENCE = 3.0
"""Seconds that a child has to close its browser, once it is told to stop."""

JUDGED, UNKNOWN, UNJUDGED = 0, 2, 3
"""What a job returns: all that changed was judged; what was asked for is not there; something is broken."""

Changed = frozenset[Path] | None
Tell = Callable[[Collection[Path]], None]
Job = Callable[[Changed, Tell], int]
"""Does one round for the files that changed (None: the first round). It may tell which folders matter."""

_IGNORED = frozenset({"__pycache__", "node_modules", "proved.json", "README.md"})
_WRITTEN_ASIDE = (".pyc", ".swp", ".swx", ".tmp", "~")


class Files:
    """The files below some folders, `without` some, by what tells a saved file from the one before."""

    def __init__(self, folders: Sequence[Path], *, without: Sequence[Path] = ()) -> None:
        self.folders = list(folders)
        self._without = frozenset(map(str, without))
        self._seen = self._look()

    def changed(self) -> set[Path]:
        """The files that are new, gone or different since the last call."""
        found = self._look()
        differ = {
            path for path in found.keys() | self._seen.keys() if found.get(path) != self._seen.get(path)
        }
        self._seen = found
        return {Path(path) for path in differ}

    def _look(self) -> dict[str, tuple[int, int, int]]:
        found = (entry for folder in self.folders for entry in _walk(str(folder), self._without))
        return {entry.path: _marks(entry) for entry in found}


def _walk(folder: str, without: frozenset[str]) -> Iterator[os.DirEntry[str]]:
    """Every file below a folder that somebody may have saved."""
    try:
        entries = list(os.scandir(folder))
    except OSError:  # it was there a moment ago
        return
    for entry in entries:
        if entry.name in _IGNORED or entry.name.startswith(".") or entry.name.endswith(_WRITTEN_ASIDE):
            continue
        if not entry.is_dir():
            yield entry
        elif entry.path not in without:
            yield from _walk(entry.path, without)


def _marks(entry: os.DirEntry[str]) -> tuple[int, int, int]:
    try:
        found = entry.stat()
    except OSError:
        return (0, 0, 0)
    return found.st_mtime_ns, found.st_size, found.st_ino


@dataclass
class Child:
    """A round in a process of its own."""

    pid: int
    told: int
    folders: frozenset[Path] = frozenset()
    code: int | None = None

    @classmethod
    def start(cls, job: Job, changed: Changed) -> Child:
        """Forks, and does the job there."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid:
            os.close(writing)
            return cls(pid, reading)
        code = UNJUDGED
        try:
            os.setpgid(0, 0)  # the terminal's Ctrl-C is for the parent, which tells us
            os.close(reading)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _forget_compiled(changed or ())
            code = job(changed, lambda folders: _tell(writing, folders))
        except KeyboardInterrupt:
            pass
        except BaseException as error:  # no job may bring the parent's code to run twice
            print(f"✗ {type(error).__name__}: {error}", flush=True)
        finally:
            os._exit(code)

    def is_over(self) -> bool:
        """Whether it came to its end; `code` and `folders` then say how."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
                self._read()
        return self.code is not None

    def stop(self) -> None:
        """Ends it: politely first, so that it can close its browser."""
        until = time.monotonic() + PATIENCE
        if not self.is_over():
            os.kill(self.pid, signal.SIGINT)
        while not self.is_over():
            if time.monotonic() > until:
                os.killpg(self.pid, signal.SIGKILL)
            time.sleep(0.01)

    def _read(self) -> None:
        with os.fdopen(self.told, "rb") as pipe:
            said = pipe.read()
        self.folders = frozenset(map(Path, json.loads(said))) if said else frozenset()


def _tell(pipe: int, folders: Collection[Path]) -> None:
    os.write(pipe, json.dumps(sorted(map(str, folders))).encode())
    os.close(pipe)


def _forget_compiled(changed: Collection[Path]) -> None:
    """Compiled files tell sources apart by second and size, which two quick saves can share."""
    for file in changed:
        if file.suffix == ".py":
            Path(cache_from_source(str(file))).unlink(missing_ok=True)


@dataclass
class Watch:
    """The loop.

    `files` are looked at; of those, once a child has told which folders matter, the ones in there. `warm` is
    called while the first child works. A change of the files in `own`, which the parent has in memory, is
    only said.
    """

    job: Job
    files: Files
    say: Callable[[str], None]
    own: Files | None = None
    warm: Callable[[], None] = lambda: None

    def run(self) -> int:
        """Goes on until it is interrupted; returns JUDGED then, or UNKNOWN if there is nothing to do."""
        ending = (signal.SIGINT, signal.SIGTERM)  # a shell starts background jobs deaf to the first
        before = {sign: signal.signal(sign, signal.default_int_handler) for sign in ending}
        self._child: Child | None = None
        try:
            return self._go_on()
        except KeyboardInterrupt:
            return JUDGED
        finally:
            if self._child is not None:
                self._child.stop()
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def _go_on(self) -> int:
        pending: Changed = None  # what no child has judged yet
        folders: frozenset[Path] = frozenset()
        self._child, rounds = Child.start(self.job, None), 0
        self.warm()
        while True:
            time.sleep(POLL)
            if self._child is not None and self._child.is_over():
                folders = self._child.folders or folders
                if self._child.code == UNKNOWN and not rounds:
                    return UNKNOWN
                pending = frozenset() if self._child.code == JUDGED else pending
                self._child, rounds = None, rounds + 1
            self._look_at_own()
            changed = self._saved(folders)
            if changed:
                if self._child is not None:
                    self._child.stop()
                    if self._child.code == JUDGED:  # it was done when the next file was saved
                        pending = frozenset()
                pending = None if pending is None else pending | changed
                self._child = Child.start(self.job, pending)

    def _saved(self, folders: frozenset[Path]) -> frozenset[Path]:
        """The files that were saved and matter; an editor that is still writing is waited for."""
        saved = self.files.changed()
        if saved:
            time.sleep(POLL / 2)
            saved |= self.files.changed()
        return frozenset(p for p in saved if not folders or any(p.is_relative_to(f) for f in folders))

    def _look_at_own(self) -> None:
        for file in sorted(self.own.changed()) if self.own is not None else ():
            self.say(f"{file.name} is a part of Paracosm that this watch has in memory: start it again.")
