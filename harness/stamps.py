"""Stamps without the deed: ends in which rows say that something happened, and nothing else shows it.

A *stamp* is what a row says of an event: an instant (`filed_at`), a name (`filed_by`), a status, a flag that
was set; of a row that is new, the row itself. A *deed* is whatever else the reference wrote: other columns,
other rows of written and owned tables. Rows that come along are no deed, since honest work may lack them, and
neither are counters.

From the reference's own journal two kinds of end are made for each written table:

- *the rest left out*: all of the reference, but of one request the table's stamps alone. An audit is stamped
  as started, and no line was read.
- *nothing else done*: the pristine world, and the table's stamps as the reference left them. A protest is
  filed, and nobody wrote it.

Where a request wrote nothing but stamps, they are the deed, and there is nothing to forge. Everything is
journaled as the reference's own requests, so that guards of content decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from fakes.core.journal import Change, Tx, Values, collapse, decode
from fakes.core.service import Service
from fakes.core.store import SqlValue, Table
from fakes.core.world import World, open_world
from harness.evidence import End, Evidence, OpenEvidence
from harness.standing import comes_along
from harness.task import Task

LIMIT = 40
_STATES = ("status", "state", "stage", "phase")
_COUNTERS = ("seq", "version", "revision", "etag", "count")
_LOGGED = "SELECT * FROM requests WHERE id > ? ORDER BY id"
_JOURNAL = "SELECT request, tbl, key, before, after FROM journal WHERE seq > ? ORDER BY seq"

Key = tuple[SqlValue, ...]


@dataclass(frozen=True)
class Entry:
    """A change of one row, and the request that made it."""

    request: int | None
    table: str
    key: Key
    before: Values | None
    after: Values | None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that differ; all of a new row."""
        before, after = self.before or {}, self.after or {}
        return tuple(n for n, value in after.items() if n not in before or before[n] != value)


@dataclass(frozen=True)
class Stamp:
    """A forged end: what it is called, and what is written to come to it."""

    name: str
    entries: tuple[Entry, ...]


def forged(evidence: Evidence, stamp: Stamp, services: Mapping[str, Service]) -> Evidence:
    """The evidence of a forged end. The request log and the clock are the reference's."""
    with OpenEvidence(evidence, services) as (_, after):
        logged, clock = after.select(_LOGGED, (evidence.first_request,)), after.clock
    world = open_world("stamp", services, image=evidence.before)
    try:
        with world.kernel_write():
            for values in logged:
                world.con.execute(f"INSERT INTO requests VALUES ({', '.join('?' * len(values))})", values)
        world.set_clock(clock)
        for entry in stamp.entries:
            _write(world, entry)
        return replace(evidence, after=world.image())
    finally:
        world.con.close()


def _write(world: World, entry: Entry) -> None:
    head, table = world.journal.head(), world.tables[entry.table]
    with world.tx() as tx:
        _apply(tx, table, entry)
    with world.kernel_write():
        world.con.execute("UPDATE journal SET request = ? WHERE seq > ?", (entry.request, head))


def _apply(tx: Tx, table: Table, entry: Entry) -> None:
    """Writes a row, or what changed of it; nothing where the row was left out before."""
    where = " AND ".join(f"{name} = ?" for name in table.key)
    if entry.after is None:
        tx.execute(f"DELETE FROM {table.name} WHERE {where}", entry.key)
    elif entry.before is None:
        marks = ", ".join("?" * len(table.columns))
        tx.execute(f"INSERT INTO {table.name} VALUES ({marks})", tuple(entry.after[n] for n in table.columns))
    elif entry.columns:
        sets = ", ".join(f"{name} = ?" for name in entry.columns)
        values = tuple(entry.after[name] for name in entry.columns)
        tx.execute(f"UPDATE {table.name} SET {sets} WHERE {where}", (*values, *entry.key))


def plan(task: Task, evidence: Evidence, services: Mapping[str, Service]) -> list[Stamp]:
    """The forged ends that a reference's evidence allows, no two of them alike; none where it wrote but one
    row.
    """
    with OpenEvidence(evidence, services) as (before, after):
        rows = after.select(_JOURNAL, (evidence.baseline,))
        routes = {r.id: r.route or r.method for r in after.log.rows()}
        found = _Reference(task, evidence, End(before, after, evidence), after, rows, routes)
        by_end: dict[frozenset[tuple[str, Key, str]], Stamp] = {}
        for stamp in (*found.without_the_rest(), *found.alone()):
            by_end.setdefault(_end_of(stamp.entries), stamp)
    seen: Counter[str] = Counter()
    return [_numbered(stamp, seen) for stamp in by_end.values()][:LIMIT]


def _numbered(stamp: Stamp, seen: Counter[str]) -> Stamp:
    """The same with its number, if it is not the first of its name."""
    seen[stamp.name] += 1
    count = seen[stamp.name]
    return stamp if count == 1 else replace(stamp, name=f"{stamp.name} ({count})")


def _end_of(entries: Sequence[Entry]) -> frozenset[tuple[str, Key, str]]:
    """What entries come to, row by row."""
    written: dict[tuple[str, Key], dict[str, SqlValue] | None] = {}
    for entry in entries:
        row = written.setdefault((entry.table, entry.key), {})
        if entry.after is None or row is None:
            written[entry.table, entry.key] = None
        else:
            row |= {name: entry.after[name] for name in entry.columns}
    ends = ((table, key, row and sorted(row.items())) for (table, key), row in written.items())
    return frozenset((table, key, repr(row)) for table, key, row in ends)


@dataclass(frozen=True)
class _Reference:
    """What a reference wrote, as its journal tells it."""

    task: Task
    evidence: Evidence
    end: End
    after: World
    journal: Sequence[tuple[int | None, str, str, str | None, str | None]]
    routes: Mapping[int, str]

    def without_the_rest(self) -> Iterator[Stamp]:
        """For each request and each table that it stamps: everything else of the reference."""
        entries = [_entry(row) for row in self.journal]
        for request in dict.fromkeys(entry.request for entry in entries):
            changes = collapse(row for row in self.journal if row[0] == request)
            for table in self._written(changes):
                if not self._has_rest(changes, table):
                    continue
                stamps = {c.key: self._stamp(c) for c in changes if c.table == table}
                kept = [_only_stamps(e, table, stamps) if e.request == request else e for e in entries]
                said = _said(table, changes, stamps)
                route = self.routes.get(request or 0, "the clock")
                yield Stamp(f"{said}, the rest of {route} left out", tuple(e for e in kept if e is not None))

    def alone(self) -> Iterator[Stamp]:
        """For each table: its stamps as they ended, in a world where nothing else was done."""
        changes = collapse(self.journal)
        for table in self._written(changes):
            if self._has_rest(changes, table):
                stamps = {c.key: self._stamp(c) for c in changes if c.table == table}
                whole = [
                    Entry(c.requests[-1], table, c.key, c.before, c.after)
                    for c in changes
                    if c.table == table
                ]
                entries = [kept for e in whole if (kept := _only_stamps(e, table, stamps)) is not None]
                yield Stamp(f"{_said(table, changes, stamps)}, and nothing else done", tuple(entries))

    def _written(self, changes: Sequence[Change]) -> list[str]:
        """The written tables in which these changes stamp some row."""
        tables = {c.table for c in changes if c.table in self.task.written_tables and self._stamp(c)}
        return sorted(tables)

    def _stamp(self, change: Change) -> tuple[str, ...]:
        """The columns by which a change says that something happened; every one of a new row that does."""
        if change.after is None:
            return ()
        table = self.after.tables[change.table]
        says = tuple(
            name for name, kind in zip(table.columns, table.kinds, strict=True)
            if name in change.columns and name not in table.key and _is_stamp(name, kind, change.after[name])
        )  # fmt: skip
        return table.columns if says and change.before is None else says

    def _has_rest(self, changes: Sequence[Change], table: str) -> bool:
        """Whether there is a deed beside the stamps of a table."""
        return any(self._deed(c, self._stamp(c) if c.table == table else ()) for c in changes)

    def _deed(self, change: Change, stamps: Sequence[str]) -> bool:
        """Whether a change is more than its stamps, and nothing that merely comes along."""
        left = frozenset(name for name in change.columns if name not in stamps and not _counts(name))
        owned = any(change.table in guard.owns for guard in self.task.guards.values())
        if not left or not (owned or change.table in self.task.written_tables):
            return False
        along = self.task.along.get(change.table)
        return along is None or not comes_along(along, self.end, self.evidence.facts, change)


def _entry(row: tuple[int | None, str, str, str | None, str | None]) -> Entry:
    request, table, key, before, after = row
    return Entry(request, table, tuple(orjson.loads(key)), decode(before), decode(after))


def _only_stamps(entry: Entry, table: str, stamps: Mapping[Key, tuple[str, ...]]) -> Entry | None:
    """What stays of an entry whose deed is left out."""
    columns = stamps.get(entry.key, ()) if entry.table == table else ()
    if not columns:
        return None
    return replace(entry, before=_only(entry.before, columns), after=_only(entry.after, columns))


def _only(values: Values | None, columns: Sequence[str]) -> Values | None:
    return None if values is None else {n: value for n, value in values.items() if n in columns}


def _is_stamp(name: str, kind: type, value: SqlValue) -> bool:
    if value is None:
        return False
    if name.rpartition("_")[2] in _STATES:
        return not (isinstance(value, str) and value.isupper())  # "NY" is a state of another kind
    return name.endswith(("_at", "_by")) or kind is bool and bool(value)


def _counts(name: str) -> bool:
    return name.rpartition("_")[2] in _COUNTERS


def _said(table: str, changes: Sequence[Change], stamps: Mapping[Key, tuple[str, ...]]) -> str:
    """What the stamps of a table say, in words."""
    new = [c for c in changes if c.table == table and c.before is None and stamps[c.key]]
    columns = sorted({n for c in changes if c.table == table and c.before is not None for n in stamps[c.key]})
    parts = [f"stamped {', '.join(columns)}"] if columns else []
    parts += [f"given {len(new)} new row{'s' * (len(new) > 1)}"] if new else []
    return f"{table} {' and '.join(parts)}"
