"""Building a world's pristine state: what a scenario's seed works with, and the base that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeVar

from fakes.core.ids import rng
from fakes.core.journal import Tx
from fakes.core.people import Person, add_person
from fakes.core.service import Service
from fakes.core.store import R
from fakes.core.world import Genesis, World, open_world

T = TypeVar("T")


class Seed:
    """The hand that fills a world: dates are days from the run clock's today, everything goes in one
    transaction.

    `rng` is the world's own generator, so parametrised seeds give another instance for another world seed
    (`drawn`: for this one, whatever the world's).
    """

    def __init__(self, world: World, tx: Tx, drawn: int | None = None) -> None:
        self.world = world
        self.tx = tx
        self.rng = rng(f"seed {world.seed if drawn is None else drawn}")

    def day(self, offset: int = 0) -> date:
        """The date `offset` days from today in the world's zone."""
        return self.world.today() + timedelta(days=offset)

    def at(self, day: date | int, time: str = "09:00") -> int:
        """UTC milliseconds of a civil time on a day, given as a date or as days from today."""
        return self.world.instant(self.day(day) if isinstance(day, int) else day, time)

    @contextmanager
    def on(self, day: date | int, time: str = "09:00") -> Iterator[None]:
        """Inside, the run clock stands at that moment: verbs called there write history."""
        with self.world.at_time(self.at(day, time)):
            yield

    def person(self, email: str, name: str, title: str | None = None, zone: str | None = None) -> Person:
        """Someone who lives in this world, with a log-in."""
        return add_person(self.tx, self.world, email=email, name=name, title=title, zone=zone)

    def insert(self, row: R) -> R:
        """Adds a row as it is."""
        return self.tx.insert(row)

    def seq(self, kind: str) -> int:
        """The next number of a counter."""
        return self.tx.seq(kind)

    def new_id(self, kind: str, **shape: Any) -> str:
        """A new id: `prefix`, `length`, `alphabet` as in `Ids.text`."""
        return self.tx.new_id(kind, **shape)


class Names(dict[str, Any]):
    """What a YAML seed has called by a name so far: people, and entries with an `as`."""

    def find(self, name: str, kind: type[T]) -> T:
        """The thing of this name. Raises ValueError when there is none, or it is of another kind."""
        found = self.get(name)
        if isinstance(found, kind):
            return found
        known = ", ".join(sorted(each for each, value in self.items() if isinstance(value, kind)))
        raise ValueError(f"no {kind.__name__.lower()} is called {name!r} here; there are: {known or 'none'}")


@dataclass(frozen=True)
class Section:
    """A part of a YAML seed that a service reads: a list of entries, each checked by `model` (pydantic).

    `write` gets the seed, the names given so far and an entry; it returns the row that the entry's `as`, if
    it has one, shall stand for. Raises ValueError.
    """

    model: type[Any]
    write: Callable[[Seed, Names, Any], Any]


@dataclass(frozen=True)
class Base:
    """A pristine state that worlds are made from, what its seed returned, and its state hash."""

    image: bytes
    facts: Any
    pristine_hash: str


def build_base(services: Mapping[str, Service], genesis: Genesis, seed: Callable[[Seed], Any]) -> Base:
    """Seeds a world and seals it."""
    world = open_world("base", services, genesis=genesis)
    with world.journal.silent(), world.tx() as tx:
        facts = seed(Seed(world, tx))
    pristine_hash = world.seal()
    image = world.pristine
    world.close()
    return Base(image, facts, pristine_hash)
