"""What an invariant tries a solution on: lives in real processes, a sink to break, crashes by count."""

from __future__ import annotations

import linecache
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from fakes.core.ids import rng
from harness.code.declaring import CodeEnvironment
from harness.code.life import Died, Life, Raised
from harness.code.nursery import Nursery
from harness.code.overlay import copy_tree, files_of
from harness.code.sink import Received, Sink
from harness.folders import fresh_folder
from harness.leftovers import kill_left

SECONDS = 240.0  # that an invariant may take as a whole
ROOM = 1 << 30  # bytes that are to be free in memory for a bench to be there
KINDS = ("commit", "write")
ANSWERING = Path(__file__).with_name("answering.py")
MARK = "PARACOSM_BENCH"
Play = Callable[[str], bool]

__all__ = ["Bench", "Died", "Life", "Raised", "Received", "Sink", "open_bench", "said"]


class Bench:
    """One solution under trial, in a folder of its own: what it does to its files, no other trial meets.

    `solution` is its workspace, `crash_points` how many crashes it was put through. `rng` is chance that is
    the same each time for this environment and invariant.
    """

    def __init__(self, env: CodeEnvironment, name: str, root: Path, seconds: float = SECONDS) -> None:
        self.env, self.name, self.root = env, name, root
        self.solution, self._programs = root / "solution", root / "programs"
        self.rng = rng(f"{env.slug}/{name}")
        self.crash_points = 0
        self._seconds, self._until = seconds, time.monotonic() + seconds
        self._numbers = count(1)
        self._open: list[Life | Sink] = []
        self._nursery: Nursery | None = None

    def scratch(self) -> Path:
        """A fresh folder for one case."""
        folder = self.root / f"case-{next(self._numbers)}"
        folder.mkdir()
        return folder

    def sink(self) -> Sink:
        """A server that takes notifications; see harness/code/sink.py."""
        sink = Sink()
        self._open.append(sink)
        return sink

    def life(
        self, *arguments: str, program: str = "driver.py", fault: str | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Life:  # fmt: skip
        """Runs a program of grader/ in a process of its own, with the solution on its path.

        `fault` tells the solution's fault hook where to die.
        """
        given = {**(environ or {}), **({self.env.fault: fault} if fault else {})}
        return self.run(self._programs / program, arguments, given, struck=fault is not None)

    def run(
        self, program: Path, arguments: Sequence[str] = (), environ: Mapping[str, str] | None = None, *,
        struck: bool = False, cwd: Path | None = None,
    ) -> Life:  # fmt: skip
        """As `life`, of any program."""
        home = self.scratch()
        errors = self.root / f"{home.name}.err"
        process = self._nursery_now().start(
            program, [str(each) for each in arguments], {**self._environ(home), **(environ or {})},
            cwd or home, errors,
        )  # fmt: skip
        life = Life(process, errors, self._until, self.env.fault_exit if struck else None)
        self._open.append(life)
        return life

    def _nursery_now(self) -> Nursery:
        if self._nursery is None or not self._nursery.is_there:
            self._close_nursery()
            errors = self.root / "nursery.err"
            self._nursery = Nursery(self.solution, self._programs, self._environ(self.root), errors)
        return self._nursery

    def _close_nursery(self) -> None:
        if self._nursery is not None:
            self._nursery.close()

    def every_crash(self, play: Play, kinds: Sequence[str] = KINDS, limit: int = 400) -> int:
        """Plays with a crash after the k-th commit, then after the k-th write, for every k that there is.

        `play` is given `commit:1`, `commit:2` … and returns whether that crash struck. How many did.
        """
        struck = sum(self._crashes(play, kind, limit) for kind in kinds)
        self.crash_points += struck
        return struck

    def _crashes(self, play: Play, kind: str, limit: int) -> int:
        for k in range(1, limit + 1):
            try:
                struck = play(f"{kind}:{k}")
            except AssertionError as error:
                raise AssertionError(f"with a crash at {kind}:{k}, {said(error)}") from error
            if not struck:
                assert k > 1, f"no {kind} goes through the fault hook, so none can be made to crash"
                return k - 1
        raise AssertionError(f"there is no end to crashes at a {kind}: {limit} and more")

    def _environ(self, home: Path) -> dict[str, str]:
        return {
            "PATH": os.defpath, "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "TZ": "UTC",
            "PYTHONHASHSEED": "0", MARK: self.root.name,
        }  # fmt: skip

    @property
    def tampered(self) -> str:
        """A sentence if the solution changed the programs that try it, or took them away; else nothing."""
        grader = self.env.folder / "grader"
        theirs = {path: grader / path for path in files_of(grader)} | {Path(ANSWERING.name): ANSWERING}
        for path, original in theirs.items():
            mine = self._programs / path
            if not mine.is_file() or mine.read_bytes() != original.read_bytes():
                return f"the solution changed what tries it: {path} is not as it was"
        return ""

    def close(self) -> None:
        """Ends all that it began, and what that left behind."""
        for each in self._open:
            each.kill() if isinstance(each, Life) else each.close()
        self._close_nursery()
        kill_left(MARK, self.root.name, self.root)


def said(refusal: AssertionError) -> str:
    """What an assertion says; of one that says nothing, the line that did not hold."""
    trace = refusal.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno).strip() if trace else ""
    return str(refusal) or f"{line!r} does not hold"


@contextmanager
def open_bench(env: CodeEnvironment, workspace: Path, name: str, seconds: float = SECONDS) -> Iterator[Bench]:
    """A bench with copies of a solution's workspace and of the grader's programs."""
    with fresh_folder("paracosm-bench-", _place()) as root:
        bench = Bench(env, name, root, seconds)
        try:
            copy_tree(workspace, root / "solution")
            copy_tree(env.folder / "grader", root / "programs")
            shutil.copy(ANSWERING, root / "programs" / "answering.py")
            yield bench
        finally:
            bench.close()


def _place() -> str | None:
    """Memory, where there is some to spare: a process that dies loses nothing that it wrote, whichever disk
    that is on, and a commit there takes no time. None is the usual place.
    """
    memory = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK) or not hasattr(os, "statvfs"):
        return None
    found = os.statvfs(memory)
    return str(memory) if found.f_bavail * found.f_frsize > ROOM else None
