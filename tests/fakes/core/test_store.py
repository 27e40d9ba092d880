"""Typed rows: what is stored, what reads back, and what a broken row looks like."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from datetime import date

import pytest

from fakes.core.store import Row, StoreError, tables_of
from fakes.core.world import World

from .conftest import Note, add_note


def test_a_row_reads_back_as_it_was_written(world: World) -> None:
    with world.tx() as tx:
        note = add_note(tx, world, text="x", day=date(2024, 2, 29), done=True, photo=b"\x00\xff")
    assert world.get(Note, note.id) == note


def test_text_that_is_no_date_reads_back_raw(world: World) -> None:
    with world.tx() as tx:
        note = add_note(tx, world)
        tx.execute("UPDATE toy_notes SET day = ? WHERE id = ?", ("", note.id))
    assert world.get(Note, note.id).day == ""  # type: ignore[union-attr]


def test_a_number_that_is_no_boolean_reads_back_raw(world: World) -> None:
    with world.tx() as tx:
        note = add_note(tx, world)
        tx.execute("UPDATE toy_notes SET done = 7 WHERE id = ?", (note.id,))
    assert world.get(Note, note.id).done == 7  # type: ignore[union-attr]


def test_nothing_but_the_key_is_constrained(world: World) -> None:
    with world.tx() as tx:
        note = add_note(tx, world)
        tx.execute("UPDATE toy_notes SET seq = NULL WHERE id = ?", (note.id,))
    assert world.select("SELECT seq FROM toy_notes WHERE id = ?", (note.id,)) == [(None,)]


def test_one_and_count(world: World) -> None:
    assert world.one(Note, "WHERE text = ?", ("nothing",)) is None
    assert world.one(Note, "ORDER BY seq") == world.all(Note)[0]
    assert world.count(Note, "WHERE text = ?", ("seeded",)) == 1


def test_updating_a_row_that_is_gone_is_an_error(world: World) -> None:
    note = world.all(Note)[0]
    with world.tx() as tx:
        tx.delete(note)
    with pytest.raises(StoreError, match="no row"), world.tx() as tx:
        tx.update(note, text="again")


def test_a_column_of_another_type_is_refused() -> None:
    with pytest.raises(StoreError, match="can't be"):

        class Bad(Row, table="bad"):
            id: str
            tags: list[str]


def test_a_row_is_a_value(world: World) -> None:
    note = world.all(Note)[0]
    other = replace(note, text="other")
    assert (other.text, other.id) == ("other", note.id) and other != note
    assert replace(other, text=note.text) == note and hash(replace(note)) == hash(note)
    assert repr(note).startswith(f"Note(id={note.id!r}, ")
    with pytest.raises(FrozenInstanceError):
        note.text = "changed"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del note.text
    assert pickle.loads(pickle.dumps(note)) == note


@pytest.mark.parametrize("change", [{"text": None, "nothing": 1}, {"nothing": 1}])
def test_a_row_takes_its_columns_and_nothing_else(world: World, change: dict[str, object]) -> None:
    given = {**world.all(Note)[0].values(), **change}
    with pytest.raises(TypeError, match="nothing"):
        Note(**given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="text"):
        Note(id="1")  # type: ignore[call-arg]


def test_values_of_another_table_are_no_row(world: World) -> None:
    with pytest.raises(StoreError, match="columns"):
        Note.read(("one", 2))


def test_two_classes_for_one_table_are_refused() -> None:
    with pytest.raises(StoreError, match="declared twice"):
        tables_of([Note, Note])
