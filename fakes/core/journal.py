"""The journal: every change of a row, written in the transaction that made it, and the transactions
themselves.

A preupdate hook buffers old and new rows of the declared tables, raw SQL included; the outermost `Tx` writes
the buffer as journal rows just before its COMMIT. ROLLBACK TO fires no hook, so a `Tx` truncates the buffer
with its savepoint; a statement that fails half-way may leave phantoms in the buffer, so an SQL error dooms
the nearest `Tx`, even where our code swallowed the exception.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

import apsw
import orjson

from fakes.core.store import Params, R, Row, SqlValue, StoreError, Table, stored

if TYPE_CHECKING:
    from fakes.core.world import World

DDL = (
    "CREATE TABLE journal (seq INTEGER PRIMARY KEY, request INTEGER, at INTEGER, tbl TEXT, key TEXT, "
    "before TEXT, after TEXT) STRICT",
    "CREATE INDEX journal_row ON journal (tbl, key)",
)
_INSERT = "INSERT INTO journal (request, at, tbl, key, before, after) VALUES (?, ?, ?, ?, ?, ?)"
# Not one statement with ON CONFLICT: that is a savepoint of its own, at which full-text indexes write.
_COUNT = "UPDATE counters SET n = n + 1 WHERE kind = ? RETURNING n"
_FIRST = "INSERT INTO counters (kind, n) VALUES (?, 1) RETURNING n"

Values = Mapping[str, SqlValue]


class DoomedTransaction(StoreError):
    """A statement failed inside this transaction and the error was swallowed: nothing of it was kept."""


@dataclass(frozen=True)
class Change:
    """What became of one row: values before and after (None: the row did not exist), and who wrote it.

    `requests` holds the ids of the requests that touched the row, oldest first (None: no request).
    """

    table: str
    key: tuple[SqlValue, ...]
    before: Values | None
    after: Values | None
    requests: tuple[int | None, ...]

    @property
    def columns(self) -> frozenset[str]:
        """The columns that differ; all of them for a new or removed row."""
        before, after = self.before or {}, self.after or {}
        names = before.keys() | after.keys()
        return frozenset(n for n in names if n not in before or n not in after or before[n] != after[n])


def encode(values: Any) -> str:
    """Row values as JSON text; bytes as {"$bytes": base64}."""
    return orjson.dumps(values, default=_encode_bytes).decode()


def _encode_bytes(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    raise TypeError(f"{value!r} is no SQL value")


def decode(text: str | None) -> dict[str, SqlValue] | None:
    """Row values back from the journal's JSON."""
    if text is None:
        return None
    values: dict[str, Any] = orjson.loads(text)
    for name, value in values.items():
        if isinstance(value, dict):
            values[name] = base64.b64decode(value["$bytes"])
    return values


def collapse(entries: Iterable[tuple[int | None, str, str, str | None, str | None]]) -> list[Change]:
    """Changes by row, in order of their first touch; rows that ended as they began are left out.

    An entry is (request, table, key as JSON, before as JSON, after as JSON), oldest first.
    """
    first: dict[tuple[str, str], str | None] = {}
    last: dict[tuple[str, str], str | None] = {}
    writers: dict[tuple[str, str], list[int | None]] = {}
    for request, table, key, before, after in entries:
        row = (table, key)
        first.setdefault(row, before)
        last[row] = after
        writers.setdefault(row, []).append(request)
    return [
        Change(
            table,
            tuple(orjson.loads(key)),
            decode(first[table, key]),
            decode(after),
            tuple(writers[table, key]),
        )
        for (table, key), after in last.items()
        if first[table, key] != after
    ]


class Journal:
    """The buffer between the preupdate hook and the journal table of one connection."""

    def __init__(self, con: apsw.Connection, tables: Mapping[str, Table]) -> None:
        self.con = con
        self.tables = {name: table for name, table in tables.items() if table.journaled}
        self.buffer: list[tuple[Table, Sequence[Any] | None, Sequence[Any] | None]] = []
        self.depth = 0
        self.kernel = False
        con.preupdate_hook(self._hook, id="journal")
        con.set_commit_hook(self._veto, id="journal")

    def _hook(self, update: apsw.PreUpdate) -> None:
        table = self.tables.get(update.table_name)
        if table is not None and self.depth:  # outside a Tx it is vetoed
            self.buffer.append((table, update.old, update.new))

    def _veto(self) -> bool:
        return not (self.depth or self.kernel)

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Inside, nothing is journaled: for seeds, whose journal is forgotten. Writes need a Tx still."""
        self.con.preupdate_hook(None, id="journal")
        try:
            yield
        finally:
            self.con.preupdate_hook(self._hook, id="journal")

    def touched(self) -> frozenset[str]:
        """Names of the tables in the buffer."""
        return frozenset(table.name for table, _, _ in self.buffer)

    def write(self, request: int | None, at: int) -> None:
        """Writes the buffer as journal rows; the caller commits."""
        self.con.executemany(_INSERT, [(request, at, *told) for each in self.buffer for told in _told(*each)])

    def changes(self, since: int = 0) -> list[Change]:
        """The journal after row `since`, collapsed by key."""
        sql = "SELECT request, tbl, key, before, after FROM journal WHERE seq > ? ORDER BY seq"
        rows: list[Any] = self.con.execute(sql, (since,)).fetchall()
        return collapse(rows)

    def head(self) -> int:
        """The number of the newest journal row; 0 when there is none."""
        rows: list[Any] = self.con.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchall()
        return int(rows[0][0])

    def writer(self, table: str, key: Sequence[SqlValue], since: int = 0) -> int | None:
        """The id of the request that wrote this row last, or None."""
        sql = "SELECT request FROM journal WHERE tbl = ? AND key = ? AND seq > ? ORDER BY seq DESC LIMIT 1"
        found: list[Any] = self.con.execute(sql, (table, encode(list(key)), since)).fetchall()
        return found[0][0] if found else None


def _told(
    table: Table, old: Sequence[Any] | None, new: Sequence[Any] | None
) -> list[tuple[str, str, str | None, str | None]]:
    """Table, key, before and after of one change; of two, a removal and an arrival, where an UPDATE changed
    the key.
    """
    before = None if old is None else table.key_of(old)
    after = None if new is None else table.key_of(new)
    if before is not None and after is not None and before != after:
        return [*_told(table, old, None), *_told(table, None, new)]
    return [(table.name, encode(before or after), _text(table, old), _text(table, new))]


def _text(table: Table, values: Sequence[Any] | None) -> str | None:
    return None if values is None else encode(table.named(values))


def _task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop: a script, a seed
        return None


class Tx:
    """A unit of work: commits at the outermost exit, rolls back its own level when an exception passes.

    Get one with `world.tx()`. Inside another one it is a savepoint.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._journal = world.journal
        self._con = world.con
        self._mark = 0
        self._level = 0
        self._doomed: apsw.Error | None = None
        self._touched: frozenset[str] = frozenset()
        self._task: asyncio.Task[Any] | None = None

    def __enter__(self) -> Tx:
        self._level = self._journal.depth
        self._mark = len(self._journal.buffer)
        self._task = _task()
        if self._level and self._world.open_txs[-1]._task is not self._task:
            raise StoreError("A transaction of another task is open: nothing may be awaited inside one.")
        self._con.execute("BEGIN IMMEDIATE" if self._level == 0 else f"SAVEPOINT tx{self._level}")
        self._journal.depth += 1
        self._world.open_txs.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is not None or self._doomed is not None:
                self._undo()
            else:
                self._keep()
        finally:
            self._world.open_txs.pop()
            self._journal.depth -= 1
        if error is None and self._doomed is not None:
            raise DoomedTransaction(f"An SQL error was swallowed: {self._doomed}") from self._doomed
        if self._touched:
            self._world.tell(self._touched)

    def _undo(self) -> None:
        del self._journal.buffer[self._mark :]
        if self._level == 0:
            self._con.execute("ROLLBACK")
        else:
            self._con.execute(f"ROLLBACK TO tx{self._level}; RELEASE tx{self._level}")

    def _keep(self) -> None:
        if self._level:
            self._con.execute(f"RELEASE tx{self._level}")
            return
        touched = self._journal.touched()
        request, stored = None, False
        try:
            if not self._con.in_transaction:
                raise DoomedTransaction("Raw SQL ended this transaction; leave that to the Tx.")
            if touched:
                request, stored = self._world.log.attach()
                self._journal.write(request, self._world.now())
            self._con.execute("COMMIT")
        except BaseException:
            if self._con.in_transaction:
                self._con.execute("ROLLBACK")
            if stored:
                self._world.log.forget(request)
            raise
        finally:
            self._journal.buffer.clear()
        self._touched = touched

    @property
    def world(self) -> World:
        """The world that it is a transaction of."""
        return self._world

    def execute(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """Runs raw SQL and fetches all it returns. An SQL error dooms this level."""
        return self._run(sql, stored(params))

    def _run(self, sql: str, values: tuple[SqlValue, ...]) -> list[tuple[Any, ...]]:
        try:
            return self._con.execute(sql, values).fetchall()
        except apsw.Error as error:
            self._world.open_txs[-1].doom(error)
            raise

    def execute_many(self, sql: str, rows: Iterable[Sequence[SqlValue]]) -> None:
        """Runs raw SQL that returns nothing for each of these rows of values as SQLite has them.

        An SQL error dooms this level.
        """
        try:
            self._con.executemany(sql, rows)
        except apsw.Error as error:
            self._world.open_txs[-1].doom(error)
            raise

    def doom(self, error: apsw.Error) -> None:
        """Nothing of this level will be kept, whatever becomes of the error."""
        self._doomed = error

    def insert(self, row: R) -> R:
        """Adds a row; returns it."""
        self._run(row.__table__.insertion, row.stored())
        return row

    def insert_all(self, rows: Sequence[Row]) -> None:
        """Adds rows of one table."""
        if rows:
            self.execute_many(rows[0].__table__.insertion, [row.stored() for row in rows])

    def update(self, row: R, **changes: Any) -> R:
        """Sets columns of the row with this row's key; returns the row as it is now.

        Raises StoreError when no such row is stored any more.
        """
        table = row.__table__
        found = self.execute(table.updating(tuple(changes)), (*changes.values(), *row.key()))
        if not found:
            raise StoreError(f"{table.name} has no row {row.key()!r} to update.")
        return type(row).read(found[0])

    def delete(self, row: Row) -> None:
        """Removes the row with this row's key."""
        where = " AND ".join(f"{name} = ?" for name in row.__table__.key)
        self.execute(f"DELETE FROM {row.__table__.name} WHERE {where}", row.key())

    def seq(self, kind: str) -> int:
        """The next number, from 1, of this kind's counter."""
        found = self._run(_COUNT, (kind,)) or self._run(_FIRST, (kind,))
        return int(found[0][0])

    def new_id(self, kind: str, **shape: Any) -> str:
        """A new id of this kind; `shape` is `Ids.text`'s prefix, length and alphabet."""
        return self._world.ids.text(kind, self.seq(f"{kind}.id"), **shape)
