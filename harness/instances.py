"""Instances of an environment: the worlds that its seed makes for one world seed or another.

World seeds count from 1. A seed number falls into `train` or `test` by a bit of its keyed hash, so it stays
there whatever becomes of the environment. Two numbers whose seeds return equal facts are one instance, which
belongs to the lower number: so instances are distinct, and none of `test` is met in `train`. Facts are
compared in worlds that differ in what `w.rng` draws and in nothing else, row ids included.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from fakes.core.seeding import Seed
from fakes.core.service import Service
from fakes.core.world import Genesis, open_world
from harness import app, facts
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, BrokenScenario, blaming, morning_of
from harness.discovery import load_environment
from harness.environment import Environment
from harness.parallel import Crew, Job, JobFailed, Lost, Shop

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
FIRST = 1
"""The world seed of every world for which nobody named another."""
DRY = 200
"""After so many seed numbers in a row that bring no new instance, there are taken to be no more."""

_KEY = b"paracosm split"
_CHUNK = 25  # seed numbers that one job looks at, at most
_AHEAD = 1000  # seed numbers that are looked at before it is asked again whether they are enough


def seeds(
    env: Environment, split: Split | None, n: int, *, services: Mapping[str, Service] | None = None
) -> list[int]:
    """World seeds of `n` distinct instances of a split (None: of both), the lowest there are.

    Fewer where there are not so many; [1] alone where the environment's seed draws nothing, whatever the
    split. Raises BrokenScenario for a seed that raises, and ValueError for an `n` below 1.
    """
    found = Instances(split, n)
    while not found.complete:
        found.take([mark(env, found.next, services)])
    return found.seeds


def find(
    env: Environment, split: Split | None, n: int, crew: Crew, *, beside: frozenset[int] = frozenset()
) -> Instances:
    """As `seeds`, by a crew of processes; the answer says too why there are fewer. Raises JobFailed."""
    found = Instances(split, n, beside)
    found.take([mark(env, FIRST)])
    while not found.complete:
        missing = (n - len(found.seeds)) * (2 if split else 1)
        ahead = max(_CHUNK, min(missing, _AHEAD), found.dry)
        end, size = found.next + ahead, min(_CHUNK, -(-ahead // crew.processes))
        given = [(env.slug, at, min(size, end - at)) for at in range(found.next, end, size)]
        for marks in crew.run([Job(f"looks for instances of {env.slug}", _marks, each) for each in given]):
            if isinstance(marks, Lost):
                raise JobFailed(f"The process that looked for instances of {env.slug} {marks.how}.")
            found.take(marks)
    return found


async def _marks(shop: Shop, env: str, first: int, n: int) -> list[Mark]:
    marks = []
    for seed in range(first, first + n):
        shop.say(env, f"instance {seed}")
        marks.append(mark(load_environment(env), seed))
        await asyncio.sleep(0)
    return marks


def split_of(seed: int) -> Split:
    """The split that a world seed falls into."""
    return SPLITS[hashlib.blake2b(str(seed).encode(), key=_KEY, digest_size=1).digest()[0] & 1]


@dataclass(frozen=True)
class Mark:
    """What tells an instance from others: a digest of its facts; and whether its seed draws at all."""

    digest: str
    draws: bool


def mark(env: Environment, seed: int, services: Mapping[str, Service] | None = None) -> Mark:
    """The mark of a world seed. One whose world can't be made is an instance too; if that is the first, it
    raises BrokenScenario.
    """
    genesis = Genesis(0, FIXED_SECRET, morning_of(BASE_DATE, ZONE), ZONE, env.slug)
    world = open_world("facts", app.discover_services() if services is None else services, genesis=genesis)
    try:
        with blaming(env.file.parent), world.tx() as tx:
            w = Seed(world, tx, drawn=seed)
            untouched = w.rng.getstate()
            made = facts.dump(env.seed(w))
            return Mark(hashlib.sha256(made.encode()).hexdigest(), w.rng.getstate() != untouched)
    except BrokenScenario:
        if seed == FIRST:
            raise
        return Mark(f"can't be made: {seed}", draws=True)
    finally:
        world.close()


@dataclass
class Instances:
    """The instances that were found so far, as marks of seed numbers come in, from the first one on.

    `beside` are seeds to leave out of the answer, though they are instances; `dry` is how many numbers in a
    row brought none.
    """

    split: Split | None
    wanted: int
    beside: frozenset[int] = frozenset()
    seeds: list[int] = field(default_factory=list)
    draws: bool = True
    seen: int = 0
    _owners: dict[str, int] = field(default_factory=dict)
    dry: int = 0

    def __post_init__(self) -> None:
        if self.wanted < 1:
            raise ValueError(f"There is no such number of instances as {self.wanted}.")

    def take(self, marks: Iterable[Mark]) -> None:
        """Takes in the marks of the next seed numbers; what is too much is left."""
        for each in marks:
            if self.complete:
                return
            self.seen += 1
            if self.seen == FIRST and not each.draws:
                self.draws, self.seeds = False, sorted({FIRST} - self.beside)
            elif each.digest in self._owners:
                self.dry += 1
            else:
                self._owners[each.digest], self.dry = self.seen, 0
                if self.split in (None, split_of(self.seen)) and self.seen not in self.beside:
                    self.seeds.append(self.seen)

    @property
    def complete(self) -> bool:
        """Whether there are enough, or no more to be expected."""
        return not self.draws or len(self.seeds) >= self.wanted or self.dry >= DRY

    @property
    def next(self) -> int:
        """The seed number to look at next."""
        return FIRST + self.seen

    def shortfall(self, env: Environment) -> str:
        """A sentence on why there are fewer than wanted; empty if there are as many."""
        if not self.draws:
            return f"The seed of {env.slug} draws nothing from w.rng, so there is one instance of it."
        if len(self.seeds) >= self.wanted:
            return ""
        which = f" of {self.split}" if self.split else ""
        which += f" beside seed {', '.join(map(str, self.beside))}" if self.beside else ""
        some = f"{len(self.seeds)} distinct instance{'s' * (len(self.seeds) != 1)}{which}"
        return (
            f"{env.slug} has {some}, not {self.wanted}: after seed {self.seen - self.dry} come {DRY} in a "
            "row with facts that were there before."
        )
