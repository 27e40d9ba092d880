"""The archive for whoever has no event loop, and a run as a crew of processes goes through it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar

from fakes.core.files import write_whole
from harness.archive.places import archive_in, bundle_name
from harness.archive.records import Rollout
from harness.archive.store import Archive
from harness.driver import Driver
from harness.parallel import Crew, Lost
from harness.rollouts import Asked, Made, lost

Keep = Literal["all", "failures", "none"]
T = TypeVar("T")


class Keeping:
    """An archive that is open for a while: `with Keeping(data) as kept: kept.do(Archive.records)`.

    Raises ArchiveError.
    """

    def __init__(self, data: Path) -> None:
        self.data = data
        self._runner, self._stack = asyncio.Runner(), AsyncExitStack()

    def __enter__(self) -> Keeping:
        opening = self._stack.enter_async_context(Archive.open(archive_in(self.data)))
        try:
            self._archive = self._runner.run(_awaited(opening))
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        try:
            self._runner.run(self._stack.aclose())
        finally:
            self._runner.close()

    def do(self, what: Callable[[Archive], Awaitable[T]]) -> T:
        """What an archive does, done."""
        return self._runner.run(_awaited(what(self._archive)))


async def _awaited(what: Awaitable[T]) -> T:
    return await what


def make(
    kept: Keeping, rollouts: Sequence[Rollout], driver: Driver, crew: Crew, *, keep: Keep,
    code: frozenset[str],
) -> list[Made]:  # fmt: skip
    """Makes planned rollouts of one run, which this process holds, and writes each down as it ends: first its
    bundle, then its row. Tasks of `code` are code tasks. What is given back has no bundles any more.

    Raises NoProcesses, ArchiveError, and OSError where a bundle can't be written.
    """
    asked = [Asked(each.task, each.seed, each.number, driver, each.task in code) for each in rollouts]
    found: dict[int, Made] = {}

    def begun(place: int) -> None:
        kept.do(lambda archive: archive.begin(rollouts[place].id))

    def done(place: int, came: Made | Lost) -> None:
        made = lost(asked[place], came) if isinstance(came, Lost) else came
        put_away(kept, rollouts[place], made, keep)
        found[place] = made

    crew.run([each.job for each in asked], done, begun)
    return [found[place] for place in range(len(asked))]


def put_away(kept: Keeping, rollout: Rollout, made: Made, keep: Keep) -> None:
    """Writes down what came of a rollout, and takes its bundle out of memory."""
    name = bundle_name(rollout.run, rollout.task, rollout.seed, rollout.number)
    wanted = keep == "all" or keep == "failures" and made.outcome.state != "passed"
    if made.bundle and wanted:
        write_whole(kept.data / name, made.bundle)
        made.outcome = replace(made.outcome, bundle=name)
    made.bundle = b""
    kept.do(lambda archive: archive.finish(rollout.id, made.outcome))
