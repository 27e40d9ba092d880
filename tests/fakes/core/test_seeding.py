"""Building a base: the seed's changes are stored and not journaled."""

from __future__ import annotations

import apsw
import pytest

from fakes.core.seeding import Seed, build_base
from fakes.core.world import Genesis, open_world

from .conftest import AT, Note, add_note, toy

GENESIS = Genesis(1, b"s" * 32, AT, "America/New_York", "toy")
SERVICES = {"toy": toy}


def _seed(w: Seed) -> int:
    w.person("ana@x.example", "Ana")
    kept = [add_note(w.tx, w.world, text=text) for text in ("a", "b", "c")]
    w.tx.update(kept[0], text="changed")
    w.tx.delete(kept[1])
    return w.world.journal.head()


def test_a_seed_leaves_the_state_that_the_same_writes_leave_when_they_are_journaled() -> None:
    base = build_base(SERVICES, GENESIS, _seed)
    world = open_world("base", SERVICES, genesis=GENESIS)
    with world.tx() as tx:
        _seed(Seed(world, tx))
    assert world.journal.head() > 0
    assert world.seal() == base.pristine_hash
    assert world.pristine == base.image
    world.close()


def test_a_world_made_of_a_base_journals_again() -> None:
    base = build_base(SERVICES, GENESIS, _seed)
    world = open_world("main", SERVICES, image=base.image)
    assert world.journal.head() == 0
    with world.tx() as tx:
        add_note(tx, world, text="d")
    assert [change.after is not None for change in world.diff()] == [True]
    world.close()


def test_silence_ends_with_its_block_and_lifts_no_veto() -> None:
    world = open_world("base", SERVICES, genesis=GENESIS)
    with world.journal.silent():
        with world.tx() as tx:
            add_note(tx, world, text="silent")
        with pytest.raises(apsw.Error):
            world.con.execute("DELETE FROM toy_notes")
    with world.tx() as tx:
        add_note(tx, world, text="told")
    [change] = world.diff()
    assert change.after is not None and change.after["text"] == "told"
    assert world.count(Note) == 2
    world.close()
