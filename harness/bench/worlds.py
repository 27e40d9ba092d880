"""What whole worlds cost: made, reset, forked, copied, compared. In this process, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median

from fakes.core.seeding import Base
from fakes.core.world import World
from fakes.core.worlds import Worlds
from harness.app import discover_services
from harness.bench.filler import SIZES, Filled, filled_base
from harness.bench.lines import Line, Plan, Say

_WRITES = 20


@dataclass
class Samples:
    """CPU and wall time of single deeds, in seconds."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Keeps what the block takes."""
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)

    def warm(self) -> Samples:
        """All but the first, which was for warming up."""
        return Samples(self.cpu[1:], self.wall[1:])

    def line(self, name: str) -> Line:
        """The medians."""
        return Line(name, median(self.cpu) * 1000, median(self.wall) * 1000)


def measure(names: Sequence[str], plan: Plan, say: Say) -> Iterator[Line]:
    """The lines of `world.*`."""
    services = discover_services()
    for size, shape in SIZES.items():
        wanted = {name.split(".")[1]: name for name in names if name.endswith(size)}
        if not wanted:
            continue
        say(f"filling a {size} world")
        bench = _Bench(filled_base(services, shape), Worlds(services))
        say(f"{size} worlds of {len(bench.base.image) / 1e6:.1f} MB")
        for deed, name in wanted.items():
            yield bench.measure(deed, plan).line(name)
        bench.worlds.close()


class _Bench:
    """One world that is written to, and others that are made beside it."""

    def __init__(self, base: Base, worlds: Worlds) -> None:
        self.base, self.worlds = base, worlds
        self.world: World = worlds.create("bench", base.image)
        self._facts: Filled = base.facts
        self._n = 0

    def measure(self, deed: str, plan: Plan) -> Samples:
        """A few deeds each round, after one that is not counted."""
        deeds: dict[str, tuple[Callable[[], None], Callable[[], object]]] = {
            "create": (_nothing, self._create),
            "reset": (self._write, self.world.reset),
            "fork": (self._write, self._fork),
            "image": (self._write, self.world.image),
            "diff": (_nothing, self.world.diff),
            "hash": (_nothing, self.world.state_hash),
        }
        prepare, call = deeds[deed]
        self.world.reset()
        for _ in range(_WRITES):
            self._write()
        prepare()
        call()
        samples = Samples()
        for _ in range(plan.rounds * plan.few):
            prepare()
            with samples.one():
                call()
        return samples

    def _write(self) -> None:
        self._n += 1
        with self.world.tx() as tx:
            tx.update(self._facts.mira, title=f"Coordinator {self._n}")

    def _create(self) -> None:
        self.worlds.create("another", self.base.image)
        self.worlds.remove("another")

    def _fork(self) -> None:
        self.worlds.fork("bench", "another")
        self.worlds.remove("another")


def _nothing() -> None:
    """Some deeds need no write before them."""
