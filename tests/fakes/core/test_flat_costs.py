"""A page of a list costs the same SQLite VM steps however long the table is."""

from __future__ import annotations

from fakes.core.world import World

from .conftest import Note


def fill(world: World, first: int, last: int) -> None:
    rows = [(f"n{n}", n, "mira", "x" * 20, None, None, None) for n in range(first, last)]
    with world.tx() as tx:
        for row in rows:
            tx.execute("INSERT INTO toy_notes VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def steps(world: World) -> int:
    """VM steps of one page of 50, newest first."""
    counted = 0

    def count() -> bool:
        nonlocal counted
        counted += 1
        return False

    world.con.set_progress_handler(count, 1)
    try:
        world.all(Note, "WHERE owner = ? AND seq < ? ORDER BY seq DESC LIMIT 50", ("mira", 10**9))
    finally:
        world.con.set_progress_handler(None)
    return counted


def test_a_page_costs_the_same_at_any_length(world: World) -> None:
    fill(world, 10, 510)
    short = steps(world)
    fill(world, 510, 20_010)
    assert abs(steps(world) - short) <= short * 0.02
