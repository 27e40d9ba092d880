"""What differs between two states: rows that only one of them has, and columns that are not alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from fakes.core.journal import Change, Values
from fakes.core.store import SqlValue, Table
from fakes.core.world import World

Key = tuple[SqlValue, ...]


def differences(left: World, right: World) -> list[Change]:
    """A change for each row that is not alike: `before` is what `left` holds, `after` what `right` holds.

    All journaled tables are compared, by table and key. Of worlds that began as the same pristine state only
    rows that one of their journals names are looked at.
    """
    found = []
    for table, key, before, after in _pairs(left, right):
        if before != after:
            found.append(Change(table.name, key, before, after, ()))
    return found


def _pairs(left: World, right: World) -> Iterator[tuple[Table, Key, Values | None, Values | None]]:
    if left.pristine_hash == right.pristine_hash:
        touched = sorted(_touched(left) | _touched(right))
        for name, text in touched:
            table, key = left.tables[name], tuple(orjson.loads(text))
            yield table, key, _row(left, table, key), _row(right, table, key)
        return
    for table in (table for table in left.tables.values() if table.journaled):
        ours, theirs = _rows(left, table), _rows(right, table)
        for key in sorted(ours.keys() | theirs.keys(), key=repr):
            yield table, key, ours.get(key), theirs.get(key)


def _touched(world: World) -> set[tuple[str, str]]:
    return set(world.select("SELECT DISTINCT tbl, key FROM journal"))


def _row(world: World, table: Table, key: Key) -> Values | None:
    where = " AND ".join(f"{name} = ?" for name in table.key)
    found = world.select(f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {where}", key)
    return _named(table, found[0]) if found else None


def _rows(world: World, table: Table) -> dict[Key, Values]:
    found = world.select(f"SELECT {', '.join(table.columns)} FROM {table.name}")
    return {table.key_of(values): _named(table, values) for values in found}


def _named(table: Table, values: tuple[Any, ...]) -> Values:
    return dict(zip(table.columns, values, strict=True))
