"""Jobs spread over processes, with what comes of them told as plain data.

Processes are spawned, never forked, so none inherits an open world or a running loop. Each has an event loop
and a browser of its own, used for one job after another. One process is no process at all: its jobs are done
right here.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.rails import BrowserRail

POLL = 0.5  # seconds after which processes are looked at, though none has said anything
PATIENCE = 3.0  # seconds that a process has to close its browser
Done = Callable[[int, Any], None]
"""Hears the number of a job, and what came of it."""
Begun = Callable[[int], None]
"""Hears the number of a job that is about to be done."""


class NoProcesses(RuntimeError):
    """Processes can't be started here; the sentence says what to do."""


class JobFailed(RuntimeError):
    """A job raised what it does not know how to tell; the argument is its traceback."""


@dataclass(frozen=True)
class Job:
    """`work(shop, *given)`: an async function of a module; what it is given and returns can be pickled.

    `name` says what it is. Where it is done in another process, that is ended after `limit` seconds. One that
    `may_break` runs somebody else's code: if it raises, it is lost, and its process does no other job.
    """

    name: str
    work: Callable[..., Awaitable[Any]]
    given: tuple[Any, ...] = ()
    limit: float | None = None
    may_break: bool = False


@dataclass(frozen=True)
class Lost:
    """What came of a job whose process ended before it did: `died with signal 9`."""

    how: str
    overdue: bool = False


@dataclass
class Shop:
    """What the jobs of one process share: browsers, and whatever they keep for the next one.

    `say` tells what is being done: a task, and what of it.
    """

    kept: dict[Any, Any] = field(default_factory=dict)
    say: Callable[[str, str], None] = lambda task, what: None

    @cached_property
    def browser(self) -> BrowserRail:
        """The browser; it starts with the first actor that needs one."""
        from harness.rails import BrowserRail  # slow to import: only where it is needed

        return BrowserRail()

    @cached_property
    def stage(self) -> BrowserRail:
        """Another one, for plays."""
        from harness.rails import BrowserRail

        return BrowserRail(plays=True)

    async def close(self) -> None:
        """Ends the browsers, if there are any."""
        for name in ("browser", "stage"):
            if name in self.__dict__:
                await getattr(self, name).close()


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Listener:
    """Hears how a crew gets on. This one keeps it to itself."""

    def expect(self, jobs: Sequence[Job]) -> None:
        """These are about to be done."""

    def say(self, job: Job, task: str, what: str) -> None:
        """What a job is doing now: a task, and what of it."""

    def done(self, job: Job, came: Any) -> None:
        """A job is done, and this came of it."""


def _unheard(number: int, came: Any) -> None:
    """Nobody asked to hear of it."""


def _unannounced(number: int) -> None:
    """Nobody asked to hear of it."""


class Crew:
    """Does jobs in so many processes, or in this one. `with Crew(2) as crew: crew.run(jobs)`.

    Processes start when there is more than one job, or with the first if jobs are to be done `apart` from
    this process; they end with the crew, however it is left.
    """

    def __init__(self, processes: int, listener: Listener | None = None, *, apart: bool = False) -> None:
        self.processes, self.listener, self.apart = processes, listener or Listener(), apart
        self._workers: list[_Worker] = []
        self._runner: asyncio.Runner | None = None
        self._shop = Shop()
        self._found: list[Any] = []
        self._done: Done = _unheard
        self._begun: Begun = _unannounced

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        if self._runner is not None:
            self._runner.run(self._shop.close())
            self._runner.close()

    def run(self, jobs: Sequence[Job], done: Done = _unheard, begun: Begun = _unannounced) -> list[Any]:
        """What came of each job, in their order: what it returned, or Lost; `done` hears of each at once,
        and `begun` before each begins.

        Raises JobFailed and NoProcesses.
        """
        self.listener.expect(jobs)
        self._found, self._done, self._begun = [None] * len(jobs), done, begun
        if not self.apart and min(self.processes, len(jobs)) <= 1:
            self._here(jobs)
        else:
            self._spread(jobs)
        return self._found

    def _spread(self, jobs: Sequence[Job]) -> None:
        waiting = deque(enumerate(jobs))
        while waiting or any(worker.busy for worker in self._workers):
            busy = sum(worker.busy for worker in self._workers)
            while len(self._workers) < min(self.processes, busy + len(waiting)):
                self._workers.append(_Worker())
            for worker in self._workers:
                if waiting and not worker.busy:
                    self._begun(waiting[0][0])
                    worker.give(*waiting.popleft())
            wait([worker.pipe for worker in self._workers], POLL)
            for worker in self._workers.copy():
                self._hear(worker)

    def _here(self, jobs: Sequence[Job]) -> None:
        self._runner = self._runner or asyncio.Runner()
        for number, job in enumerate(jobs):
            self._shop.say = partial(self.listener.say, job)
            self._begun(number)
            self._came(number, job, self._runner.run(_awaited(job, self._shop)))

    def _came(self, number: int, job: Job, came: Any) -> None:
        self._found[number] = came
        self._done(number, came)
        self.listener.done(job, came)

    def _hear(self, worker: _Worker) -> None:
        """Takes in what a process has said, and whether it is still there."""
        for kind, *said in worker.heard():
            if kind == "raised" and not (worker.job and worker.job.may_break):
                raise JobFailed(said[1])
            if kind == "raised":
                return self._put_away(worker, Lost(f"broke: {said[0]}"))
            if kind == "say" and worker.job is not None:
                self.listener.say(worker.job, *said)
            if kind == "done" and worker.job is not None:
                job, worker.job = worker.job, None
                self._came(worker.number, job, said[0])
        lost = worker.lost()
        if lost is not None:
            self._put_away(worker, lost)

    def _put_away(self, worker: _Worker, lost: Lost) -> None:
        """Uses a process no more; its job, if it had one, is lost."""
        self._workers.remove(worker)
        worker.kill()
        if worker.job is not None:
            self._came(worker.number, worker.job, lost)


async def _awaited(job: Job, shop: Shop) -> Any:
    return await job.work(shop, *job.given)


class _Worker:
    """A process as its parent sees it."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.number = 0
        self._began = 0.0
        self._ready = self._gone = self._ended = False

    @property
    def busy(self) -> bool:
        """Whether it has a job."""
        return self.job is not None

    def give(self, number: int, job: Job) -> None:
        """Gives it a job."""
        self.number, self.job, self._began = number, job, time.monotonic()
        with suppress(OSError):  # it is gone, as `lost` will tell
            self.pipe.send(job)

    def heard(self) -> list[tuple[Any, ...]]:
        """What it has said since, and all of it once it has ended."""
        said = []
        self._ended = not self.process.is_alive()
        try:
            while not self._gone and self.pipe.poll():
                said.append(self.pipe.recv())
        except (EOFError, OSError):
            self._gone = True
        if ("ready",) in said:
            self._ready, self._began = True, time.monotonic()
        return said

    def lost(self) -> Lost | None:
        """How it ended, if it did or is over its time. Raises NoProcesses where it never began."""
        limit = self.job.limit if self.job else None
        if limit is not None and self._ready and time.monotonic() - self._began > limit:
            self.kill()
            return Lost(f"was ended after {limit:g} seconds", overdue=True)
        if not (self._ended or self._gone):
            return None
        self.end()
        code = self.process.exitcode or 0
        how = f"died with signal {-code}" if code < 0 else f"ended with exit code {code}"
        if not self._ready:
            raise NoProcesses(f"A process for jobs {how} before it began; say -j 1 to do without.")
        return Lost(how)

    def kill(self) -> None:
        """Ends it at once, if it is still there."""
        self.process.kill()
        self.end()

    def dismiss(self) -> None:
        """Tells it to go."""
        self.pipe.close()

    def end(self) -> None:
        """Waits until it is gone, and kills it if that takes too long."""
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


# in the process


def _serve(pipe: Connection) -> None:
    """Does what comes through a pipe until that is closed. Ctrl-C is for the parent to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(asyncio.CancelledError, BrokenPipeError):
        asyncio.run(_work(pipe))


async def _work(pipe: Connection) -> None:
    inbox: asyncio.Queue[Job] = asyncio.Queue()
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def read() -> None:
        try:
            inbox.put_nowait(pipe.recv())
        except (EOFError, OSError):
            loop.remove_reader(pipe.fileno())
            task.cancel()

    loop.add_reader(pipe.fileno(), read)
    shop = Shop(say=lambda name, what: pipe.send(("say", name, what)))
    pipe.send(("ready",))
    try:
        while True:
            job = await inbox.get()
            try:
                pipe.send(("done", await _awaited(job, shop)))
            except BaseException as error:  # told to the parent, whatever it is
                if task.cancelling():
                    raise
                said = f"{type(error).__name__}: {error}".rstrip(": ")
                pipe.send(("raised", said, f"{job.name}: {traceback.format_exc()}"))
    finally:
        await shop.close()
