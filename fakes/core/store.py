"""Typed rows over one SQLite connection: table declarations, decoding, and the reads every service uses."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any, ClassVar, TypeVar, dataclass_transform

import apsw

SqlValue = str | int | float | bytes | None
Params = Sequence[Any]
R = TypeVar("R", bound="Row")

_SQL_TYPES: dict[type, str] = {
    str: "TEXT", int: "INTEGER", bool: "INTEGER", float: "REAL", bytes: "BLOB", date: "TEXT",
}  # fmt: skip


class StoreError(Exception):
    """A misuse of the store by our own code; never caused by a request."""


_BOOLS = {0: False, 1: True}


def _read_bool(value: Any) -> Any:
    return _BOOLS.get(value, value)


@functools.lru_cache(maxsize=8192)
def _read_date(value: Any) -> Any:
    """A civil date, or the raw text where that is none: guards must be able to see a broken row."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return value


_READERS: dict[type, Callable[[Any], Any]] = {bool: _read_bool, date: _read_date}


@dataclasses.dataclass(frozen=True)
class Table:
    """One table: its columns in order, its key, and what the kernel does with it.

    `journaled` tables have every change recorded; `judged` ones are what guards hold still;
    `hashed` ones make up the state hash.
    """

    name: str
    columns: tuple[str, ...]
    kinds: tuple[type, ...]
    key: tuple[str, ...]
    indexes: tuple[str, ...] = ()
    journaled: bool = True
    judged: bool = True
    hashed: bool = True

    def ddl(self) -> list[str]:
        """The statements that make the table and its indexes.

        Only the key is constrained: what a guard states is never also a rule of the table, or no cheat could
        break it.
        """
        columns = ", ".join(f"{c} {_SQL_TYPES[k]}" for c, k in zip(self.columns, self.kinds, strict=True))
        made = [f"CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({', '.join(self.key)})) STRICT"]
        for n, index in enumerate(self.indexes):
            made.append(f"CREATE INDEX {self.name}_{n} ON {self.name} ({index})")
        return made

    def key_of(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The key's values out of a full row of SQL values."""
        return tuple(values[position] for position in self._key_positions)

    @functools.cached_property
    def _key_positions(self) -> tuple[int, ...]:
        return tuple(self.columns.index(name) for name in self.key)


def _column_kind(annotation: Any) -> type:
    """The one storable type of an annotation such as `date | None`."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        annotation = next(a for a in typing.get_args(annotation) if a is not type(None))
    if typing.get_origin(annotation) is typing.Literal:
        annotation = type(typing.get_args(annotation)[0])
    if annotation not in _SQL_TYPES:
        raise StoreError(f"A column can't be {annotation!r}; use str, int, bool, float, bytes or date.")
    return typing.cast(type, annotation)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Row:
    """Base of all row classes: `class Notice(Row, table="cd_notices", key="id")` with annotated columns."""

    __table__: ClassVar[Table]
    __readers__: ClassVar[tuple[tuple[str, Callable[[Any], Any]], ...]]

    def __init_subclass__(
        cls,
        *,
        table: str,
        key: str | tuple[str, ...] = "id",
        indexes: tuple[str, ...] = (),
        journaled: bool = True,
        judged: bool = True,
        hashed: bool = True,
    ) -> None:
        dataclasses.dataclass(frozen=True, kw_only=True)(cls)
        hints = typing.get_type_hints(cls)
        names = tuple(f.name for f in dataclasses.fields(typing.cast(Any, cls)))
        kinds = tuple(_column_kind(hints[name]) for name in names)
        keys = (key,) if isinstance(key, str) else key
        cls.__table__ = Table(table, names, kinds, keys, indexes, journaled, judged, hashed)
        readers = [(n, _READERS[k]) for n, k in zip(names, kinds, strict=True) if k in _READERS]
        cls.__readers__ = tuple(readers)

    @classmethod
    def read(cls: type[R], values: Sequence[Any]) -> R:
        """A typed row from SQL values in column order."""
        row = object.__new__(cls)
        fields = row.__dict__
        fields.update(zip(cls.__table__.columns, values, strict=True))
        for name, reader in cls.__readers__:
            fields[name] = reader(fields[name])
        return row

    def key(self) -> tuple[Any, ...]:
        """The primary key's values."""
        return tuple(to_sql(getattr(self, name)) for name in self.__table__.key)

    def values(self) -> dict[str, SqlValue]:
        """Column names and what SQLite stores for them."""
        return {name: to_sql(getattr(self, name)) for name in self.__table__.columns}


def to_sql(value: Any) -> SqlValue:
    """What SQLite stores for a Python value: dates as ISO text, booleans as 0 and 1."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return int(value)
    return typing.cast(SqlValue, value)


class Reader:
    """Reads typed rows from one connection. Every read is fetched whole, so no cursor is ever left half-read.
    """

    con: apsw.Connection

    def select(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """All rows of a raw SELECT."""
        return self.con.execute(sql, tuple(map(to_sql, params))).fetchall()

    def all(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        """Typed rows; `tail` is what follows FROM: "where tenant_id = ? order by seq limit 50"."""
        table = row.__table__
        sql = f"SELECT {', '.join(table.columns)} FROM {table.name} {tail}"
        return [row.read(values) for values in self.select(sql, params)]

    def one(self, row: type[R], tail: str = "", params: Params = ()) -> R | None:
        """The first row that `tail` finds, or None."""
        found = self.all(row, f"{tail} LIMIT 1", params)
        return found[0] if found else None

    def get(self, row: type[R], *key: Any) -> R | None:
        """The row with this primary key, or None."""
        where = " AND ".join(f"{name} = ?" for name in row.__table__.key)
        return self.one(row, f"WHERE {where}", key)

    def count(self, row: type[Row], tail: str = "", params: Params = ()) -> int:
        """How many rows `tail` finds."""
        return int(self.select(f"SELECT count(*) FROM {row.__table__.name} {tail}", params)[0][0])


def tables_of(rows: Iterable[type[Row]]) -> dict[str, Table]:
    """Tables by name; two row classes for one table are refused."""
    found: dict[str, Table] = {}
    for row in rows:
        if row.__table__.name in found:
            raise StoreError(f"Table {row.__table__.name!r} is declared twice.")
        found[row.__table__.name] = row.__table__
    return found
