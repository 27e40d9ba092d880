"""Attempts: a fresh world, signed-in actors, a play or an agent, and the evidence of what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from typing import Any

import fakes
from fakes.core.browsers import Lease
from fakes.core.people import Person
from fakes.core.seeding import Base, build_base
from fakes.core.world import Genesis, World
from harness.app import blaming
from harness.bundle import plain
from harness.driven import PLAY_TIMEOUT, Driven
from harness.environment import Environment, hash_of
from harness.evidence import STRAYED, Evidence, Seat
from harness.guards import Play, TaskError
from harness.rails import Actor, Place, Rail
from harness.rails.actor import TIMEOUT
from harness.steps import Steps
from harness.tap import HeardServer
from harness.task import Task

COLLECTING = 20.0  # seconds that may be spent on what was recorded
HURRY = 3.0  # seconds a play may wait for what may never come, since a step was left out


@dataclass
class Attempt(Driven):
    """One attempt under way. `before` is the world once everybody had signed in.

    `facts` are what plays go by; grading goes by those of the base. `seats` belong to the declared actors,
    also where somebody else acts in their place.
    """

    task: Task
    world: World
    base: Base
    server: HeardServer
    rail: str
    steps: Steps
    versions: Mapping[str, Any]
    facts: Any
    actors: dict[str, Actor] = field(default_factory=dict)
    leases: dict[str, Lease] = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    before: bytes = b""
    baseline: int = 0
    first_request: int = 0

    def begin(self) -> None:
        """Takes the state of before."""
        self.before = self.world.image()
        self.baseline, self.first_request = self.world.journal.head(), self.world.log.newest

    def hurry(self, seconds: float = HURRY) -> None:
        """Lets no actor wait longer than this from now on."""
        for actor in self.actors.values():
            actor.hurry(seconds)

    async def play(self, play: Play, timeout: float = PLAY_TIMEOUT) -> None:
        """Plays a play; how it ended is kept, not raised."""
        given = {**self.actors, "facts": self.facts}
        own = [self.task.file, self.task.env.file.parent]
        await self.drive(lambda: play.function(**{name: given[name] for name in play.params}), timeout, own)

    async def settle(self) -> None:
        """Waits until no request of an actor is under way any more."""
        for lease in self.leases.values():
            await self.server.tap.quiet(lease.address)

    def _strayed(self) -> list[tuple[str, str]]:
        return [(name, url) for name, actor in self.actors.items() for url in actor.strayed]

    def evidence(self) -> Evidence:
        """What is to be graded."""
        refusals = [asdict(r) for lease in self.leases.values() for r in self.server.refusals.of(lease.id)]
        refusals += [{"lease": self.leases[n].id, "path": u, "reason": STRAYED} for n, u in self._strayed()]
        return Evidence(
            env=self.task.env.slug,
            task=self.task.slug,
            facts=self.base.facts,
            before=self.before,
            after=self.world.image(),
            pristine_hash=self.base.pristine_hash,
            baseline=self.baseline,
            first_request=self.first_request,
            actors=dict(self.seats),
            answer=plain(self.answer),
            refusals=refusals,
            rail=self.rail,
            ended=self.ended,
            error=self.error,
            trace=self.trace,
            usage=self.usage,
            extras=dict(self.extras),
            versions=self.versions,
        )

    async def concluded(self) -> Evidence:
        """The evidence, with what was recorded of the actors kept beside it. Nobody acts afterwards."""
        evidence = self.evidence()  # first: what pages still do meanwhile is not of the attempt
        try:
            async with asyncio.timeout(COLLECTING):
                for actor in self.actors.values():
                    for name, content in (await actor.collect()).items():
                        self.keep(name, content)
        except Exception as error:  # it is for people to look at, and fails no attempt
            self.keep("recording.txt", f"Not all that was recorded is here: {error!r}".encode())
        return replace(evidence, extras=dict(self.extras))


class Attempts:
    """Opens attempts on one environment. Worlds are called p1, p2 … and are gone when an attempt is over.
    Raises BrokenScenario for a seed that raises.

    A name is used again: what is derived from it, such as link tokens, is then the same in every attempt.
    """

    def __init__(
        self, server: HeardServer, env: Environment, genesis: Genesis, *, rails: Mapping[str, Rail]
    ) -> None:
        self.server, self.env, self.genesis = server, env, genesis
        with blaming(env.file.parent):
            self.base = build_base(server.services, genesis, env.seed)
        if not isinstance(self.base.facts, env.facts):
            raise TaskError(
                f"The seed of {env.slug} must return {env.facts.__name__}, not {self.base.facts!r}."
            )
        self._rails = dict(rails)
        self._product = product_hash(env)  # what is in memory, whatever becomes of the files

    def rail(self, name: str) -> Rail:
        """A rail by name. Raises TaskError."""
        if name not in self._rails:
            raise TaskError(f"There is no rail {name!r}; there are {', '.join(self._rails)}.")
        return self._rails[name]

    @asynccontextmanager
    async def open(
        self, task: Task, *, rail: str | None = None, steps: Steps | None = None, empty: bool = False,
        timeout: float = TIMEOUT, facts: Any = None, stand_ins: Mapping[str, Person] | None = None,
    ) -> AsyncIterator[Attempt]:  # fmt: skip
        """A fresh world with signed-in actors, given back at the end; `empty` without rows of the product.

        Plays go by `facts`, if some are given. For a wrong play: in the place of an actor whom `stand_ins`
        name, that person acts, from a lease of his own.
        """
        driver = self.rail(rail or task.surface)
        world = self.server.worlds.create(self._free_name(), self.base.image)
        attempt = Attempt(
            task, world, self.base, self.server, driver.name, steps or Steps(), self.versions(task),
            self.base.facts if facts is None else facts,
        )  # fmt: skip
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.server.remove_world, world.name)
            if empty:
                clear(world, task.env.product)
            for name in task.actors:
                await self._seat(attempt, name, driver, timeout, stack, (stand_ins or {}).get(name))
            attempt.begin()
            yield attempt

    def _free_name(self) -> str:
        taken = self.server.worlds.names()
        return next(name for name in map("p{}".format, count(1)) if name not in taken)

    async def _seat(
        self, attempt: Attempt, name: str, rail: Rail, timeout: float, stack: AsyncExitStack,
        stand_in: Person | None,
    ) -> None:  # fmt: skip
        task = attempt.task
        person = task.person(name, self.base.facts)
        lease = await self._lease(attempt, person, rail, stack)
        attempt.seats[name] = Seat(lease.id, lease.medium, person.email)
        if stand_in is not None:
            person, lease = stand_in, await self._lease(attempt, stand_in, rail, stack)
        signs_in_at = task.actors[name].services
        place = Place(
            name, person, task, attempt.facts, attempt.world, lease, self.server.port, self.server.tap,
            attempt.steps, task.env.services if signs_in_at is None else signs_in_at, timeout,
        )  # fmt: skip
        actor = await rail.enter(place)
        stack.push_async_callback(actor.leave)
        attempt.actors[name], attempt.leases[name] = actor, lease

    async def _lease(self, attempt: Attempt, person: Person, rail: Rail, stack: AsyncExitStack) -> Lease:
        """A lease whose writes are heard until the attempt is over."""
        lease = await self.server.lease(
            attempt.world.name, kind="agent", medium=rail.medium, holder=person.email
        )
        self.server.tap.hear(lease.address)
        stack.callback(self.server.tap.forget, lease.address)
        return lease

    def versions(self, task: Task) -> dict[str, Any]:
        """What an attempt was made with: product, tables, task, world."""
        return {
            "paracosm": product_version(),
            "schema": self.server.schema_version,
            "product": self._product,
            "revision": self.env.revision(task),
            "seed": self.genesis.seed,
            "at_ms": self.genesis.at_ms,
            "zone": self.genesis.zone,
        }

    def untouched(self, task: Task) -> Evidence:
        """The evidence of nobody having done anything, or even signed in."""
        image = self.base.image
        return Evidence(
            env=self.env.slug, task=task.slug, facts=self.base.facts, before=image, after=image,
            pristine_hash=self.base.pristine_hash, versions=self.versions(task),
        )  # fmt: skip


def clear(world: World, service: str) -> None:
    """Takes every row of a service out of a world."""
    with world.tx() as tx:
        for row in world.services[service].tables:
            tx.execute(f"DELETE FROM {row.__table__.name}")


def product_version() -> str:
    """The version of this distribution."""
    try:
        return version("paracosm")
    except PackageNotFoundError:
        return "0"


def product_hash(env: Environment) -> str:
    """A hash of the product's code; of nothing for a product that is no folder of ours."""
    root = Path(fakes.__file__).parent.parent
    folders = [root / kind / env.product for kind in ("fakes", "sites")]
    return hash_of(
        sorted(file for folder in folders for file in folder.rglob("*.*") if file.suffix != ".pyc")
    )
