"""Changed rows as the portal shows them: by table, each column before and after, and who wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

import orjson

from fakes.core.journal import Change, collapse
from fakes.core.store import SqlValue
from fakes.core.ui.filters import instant
from fakes.core.world import World

SHOWN = 400  # letters of a value
CHANGES = 300  # rows


@dataclass(frozen=True)
class Cell:
    """One column of a changed row; None on the side where there is no row."""

    column: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class RowChange:
    """What became of one row: "new", "changed" or "gone"; which columns; by which requests.

    `marked` is the row that a link to this page points at.
    """

    what: str
    key: str
    cells: tuple[Cell, ...]
    requests: tuple[int, ...]
    marked: bool = False


@dataclass(frozen=True)
class TableChanges:
    """The changes of one table."""

    table: str
    rows: tuple[RowChange, ...]


def changed_tables(world: World, changes: list[Change], marked: Change | None = None) -> list[TableChanges]:
    """Changes grouped by table: the products' tables by name, then the kernel's own bookkeeping."""
    ordered = sorted(changes, key=lambda change: (not world.tables[change.table].judged, change.table))
    return [
        TableChanges(table, tuple(_row_change(world, change, change is marked) for change in group))
        for table, group in groupby(ordered, key=lambda change: change.table)
    ]


def pointed_at(changes: list[Change], mark: str) -> Change | None:
    """The changed row that "TABLE/KEY" names; None where it names none.

    KEY is a JSON list of the key's values, or the key as the page shows it: its values with commas between.
    """
    table, _, key = mark.partition("/")
    try:
        listed = orjson.loads(key)
    except orjson.JSONDecodeError:
        listed = None
    wanted = {key, ", ".join(map(str, listed))} if isinstance(listed, list) else {key}
    found = (change for change in changes if change.table == table and _key(change) in wanted)
    return next(found, None)


def _key(change: Change) -> str:
    return ", ".join(str(part) for part in change.key)


def _row_change(world: World, change: Change, marked: bool) -> RowChange:
    before, after = change.before or {}, change.after or {}
    what = "new" if change.before is None else "gone" if change.after is None else "changed"
    columns = [name for name in (after or before) if name in change.columns]
    if what != "changed":
        columns = [name for name in columns if (after or before)[name] is not None]
    cells = tuple(Cell(name, _cell(world, before, name), _cell(world, after, name)) for name in columns)
    writers = tuple(dict.fromkeys(request for request in change.requests if request))
    return RowChange(what, _key(change), cells, writers, marked)


def _cell(world: World, values: Mapping[str, SqlValue], name: str) -> str | None:
    return shown(world, name, values[name]) if name in values else None


def shown(world: World, name: str, value: SqlValue) -> str:
    """A stored value as the portal prints it: instants by the world's zone, bytes by their size."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    if isinstance(value, int) and name.endswith("_at"):
        return instant(value, world.zone)
    text = str(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text):,} letters)"


def changes_by(world: World, request: int) -> list[Change]:
    """The rows that one request wrote, from what it found to what it left."""
    sql = "SELECT request, tbl, key, before, after FROM journal WHERE request = ? ORDER BY seq"
    return collapse(world.select(sql, (request,)))
