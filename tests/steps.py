"""What a read costs, in steps of SQLite's virtual machine: the same on every machine, at any load."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fakes.core.world import World


@contextmanager
def counted(world: World) -> Iterator[list[int]]:
    """Counts the steps that SQLite takes meanwhile, into the list's one number."""
    taken = [0]

    def count() -> bool:
        taken[0] += 1
        return False

    world.con.set_progress_handler(count, 1)
    try:
        yield taken
    finally:
        world.con.set_progress_handler(None)


def steps(world: World, call: Callable[[], object]) -> int:
    """How many steps a call takes."""
    with counted(world) as taken:
        call()
    return taken[0]
