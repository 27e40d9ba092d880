"""A page of a list costs the same SQLite VM steps however long the table is."""

from __future__ import annotations

from fakes.core.world import World
from tests.steps import steps

from .conftest import Note


def fill(world: World, first: int, last: int) -> None:
    rows = [(f"n{n}", n, "mira", "x" * 20, None, None, None) for n in range(first, last)]
    with world.tx() as tx:
        for row in rows:
            tx.execute("INSERT INTO toy_notes VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def page(world: World) -> list[Note]:
    """A page of 50, newest first."""
    return world.all(Note, "WHERE owner = ? AND seq < ? ORDER BY seq DESC LIMIT 50", ("mira", 10**9))


def test_a_page_costs_the_same_at_any_length(world: World) -> None:
    fill(world, 10, 510)
    short = steps(world, lambda: page(world))
    fill(world, 510, 20_010)
    assert abs(steps(world, lambda: page(world)) - short) <= short * 0.02
