"""Every change is journaled in its transaction, and nothing that was rolled back is."""

from __future__ import annotations

import asyncio

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.core.journal import Change, DoomedTransaction
from fakes.core.requests import RequestRecord, acting
from fakes.core.store import StoreError
from fakes.core.world import World

from .conftest import Note, add_note


def texts(world: World) -> list[str | None]:
    return [note.text for note in world.all(Note, "ORDER BY seq")]


def test_insert_update_delete_collapse_by_key(world: World) -> None:
    with world.tx() as tx:
        note = add_note(tx, world, text="a")
        tx.update(note, text="b")
    (change,) = world.diff()
    assert change.before is None and change.after is not None and change.after["text"] == "b"
    with world.tx() as tx:
        tx.delete(note)
    assert world.diff() == []


def test_raw_sql_is_journaled_too(world: World) -> None:
    with world.tx() as tx:
        tx.execute("UPDATE toy_notes SET text = 'raw'")
    assert [change.columns for change in world.diff()] == [frozenset({"text"})]


def test_a_changed_key_is_a_removal_and_an_arrival(world: World) -> None:
    with world.tx() as tx:
        tx.execute("UPDATE toy_notes SET id = 'nt_new'")
    assert sorted((c.before is None, c.after is None) for c in world.diff()) == [(False, True), (True, False)]


def test_an_exception_rolls_back_and_leaves_no_trace(world: World) -> None:
    with pytest.raises(RuntimeError), world.tx() as tx:
        add_note(tx, world, text="lost")
        raise RuntimeError
    assert texts(world) == ["seeded"] and world.diff() == []


def test_a_savepoint_rolls_back_alone(world: World) -> None:
    with world.tx() as tx:
        add_note(tx, world, text="kept")
        with pytest.raises(RuntimeError), world.tx() as inner:
            add_note(inner, world, text="lost")
            raise RuntimeError
        add_note(tx, world, text="kept too")
    assert texts(world) == ["seeded", "kept", "kept too"] and len(world.diff()) == 2


def test_a_swallowed_sql_error_dooms_its_level_only(world: World) -> None:
    with world.tx() as tx:
        add_note(tx, world, text="kept")
        with pytest.raises(DoomedTransaction), world.tx() as inner:
            with pytest.raises(apsw.ConstraintError):
                inner.execute(
                    "INSERT INTO toy_notes (id) SELECT 'x' UNION ALL SELECT id FROM toy_notes"
                )
    assert texts(world) == ["seeded", "kept"] and len(world.diff()) == 1


def test_a_swallowed_sql_error_dooms_the_outermost_level(world: World) -> None:
    with pytest.raises(DoomedTransaction), world.tx() as tx:
        add_note(tx, world, text="lost")
        with pytest.raises(apsw.SQLError):
            tx.execute("SELECT nonsense FROM nowhere")
    assert texts(world) == ["seeded"] and world.diff() == []


def test_a_write_outside_a_transaction_is_vetoed(world: World) -> None:
    with pytest.raises(apsw.ConstraintError):
        world.con.execute("UPDATE toy_notes SET text = 'stray'")
    assert texts(world) == ["seeded"] and world.diff() == []


def test_what_was_vetoed_is_not_journaled_later(world: World) -> None:
    with pytest.raises(apsw.ConstraintError):
        world.con.execute("UPDATE toy_notes SET text = 'stray'")
    with world.tx() as tx:
        add_note(tx, world, text="kept")
    assert len(world.diff()) == 1


def test_a_read_that_fails_dooms_too(world: World) -> None:
    with pytest.raises(DoomedTransaction), world.tx() as tx:
        add_note(tx, world, text="lost")
        with pytest.raises(apsw.SQLError):
            world.select("SELECT nonsense FROM nowhere")
    assert texts(world) == ["seeded"]


def test_raw_sql_that_ends_the_transaction_is_noticed(world: World) -> None:
    with pytest.raises(DoomedTransaction), world.tx() as tx:
        add_note(tx, world, text="lost")
        world.con.execute("ROLLBACK")
    assert texts(world) == ["seeded"] and world.diff() == []


async def test_two_tasks_can_not_share_a_transaction(world: World) -> None:
    async def other() -> None:
        with pytest.raises(StoreError, match="another task"), world.tx():
            pass

    with world.tx():
        await asyncio.ensure_future(other())


def test_a_change_names_its_request(world: World) -> None:
    with acting(RequestRecord(method="POST", path="/notes", lease="lease-7")) as record, world.tx() as tx:
        note = add_note(tx, world)
    world.finish(record)
    writer = world.journal.writer("toy_notes", note.key())
    (logged,) = world.log.rows()
    assert writer == logged.id and logged.lease == "lease-7"
    assert world.diff()[0].requests == (logged.id,)


def test_pages_are_told_what_was_kept_and_only_that(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[frozenset[str]] = []
    monkeypatch.setattr(world, "tell", told.append)
    with world.tx() as tx:
        add_note(tx, world)
        assert told == []
    with pytest.raises(RuntimeError), world.tx() as tx:
        add_note(tx, world)
        raise RuntimeError
    assert told == [frozenset({"toy_notes"})]


def test_columns_of_a_change() -> None:
    change = Change("t", ("1",), {"id": "1", "a": None}, {"id": "1", "a": ""}, ())
    assert change.columns == {"a"}


_step = st.tuples(
    st.sampled_from(["insert", "update", "delete", "fail"]), st.integers(0, 3), st.text(max_size=3)
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(_step, max_size=4), max_size=6))
def test_the_journal_replayed_backwards_gives_the_first_state(
    world: World, txs: list[list[tuple[str, int, str]]]
) -> None:
    world.reset()
    before = {n.id: n for n in world.all(Note)}
    for steps in txs:
        _play(world, steps)
    state = {n.id: n.values() for n in world.all(Note)}
    for change in world.diff():
        if change.table == "toy_notes":
            state.pop(str(change.key[0]), None)
            if change.before is not None:
                state[str(change.key[0])] = dict(change.before)
    assert state == {key: note.values() for key, note in before.items()}


def _play(world: World, steps: list[tuple[str, int, str]]) -> None:
    try:
        with world.tx() as tx:
            for verb, which, text in steps:
                notes = world.all(Note, "ORDER BY seq")
                if verb == "insert":
                    add_note(tx, world, text=text)
                elif verb == "fail":
                    raise RuntimeError
                elif which < len(notes):
                    tx.update(notes[which], text=text) if verb == "update" else tx.delete(notes[which])
    except RuntimeError:
        pass
