"""Typed rows over one SQLite connection: table declarations, decoding, and the reads every service uses."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, ClassVar, TypeVar, dataclass_transform

import apsw

SqlValue = str | int | float | bytes | None
Params = Sequence[Any]
R = TypeVar("R", bound="Row")
Picked = tuple[str, int | str, Callable[[Any], Any] | None]
"""A name, the position (or the key) of its value, and what reads the value, where something must."""

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
        return tuple([values[position] for position in self._key_positions])

    @functools.cached_property
    def _key_positions(self) -> tuple[int, ...]:
        return tuple(self.columns.index(name) for name in self.key)

    @functools.cached_property
    def selection(self) -> str:
        """SELECT and FROM for whole rows."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"

    @functools.cached_property
    def insertion(self) -> str:
        """INSERT of a whole row."""
        return f"INSERT INTO {self.name} VALUES ({', '.join('?' * len(self.columns))})"

    def updating(self, names: tuple[str, ...]) -> str:
        """UPDATE of these columns in the row with a key, which returns the row."""
        if names not in self._updates:
            sets = ", ".join(f"{name} = ?" for name in names)
            changed = f"UPDATE {self.name} SET {sets} {self.by_key}"
            self._updates[names] = f"{changed} RETURNING {', '.join(self.columns)}"
        return self._updates[names]

    @functools.cached_property
    def _updates(self) -> dict[tuple[str, ...], str]:
        return {}

    @functools.cached_property
    def by_key(self) -> str:
        """WHERE, for the key's values."""
        return f"WHERE {' AND '.join(f'{name} = ?' for name in self.key)}"

    @functools.cached_property
    def named(self) -> Callable[[Sequence[Any]], dict[str, Any]]:
        """What makes columns and SQL values out of a full row of them."""
        return written_out((name, n, None) for n, name in enumerate(self.columns))

    @functools.cached_property
    def typed(self) -> Callable[[Sequence[Any]], dict[str, Any]]:
        """What makes columns and typed values out of a full row of SQL values."""
        return written_out(self.picked())

    def picked(self, at: int = 0) -> Iterator[Picked]:
        """Each column with its position in a result whose columns from `at` on are this table's."""
        for n, (name, kind) in enumerate(zip(self.columns, self.kinds, strict=True)):
            yield name, at + n, _READERS.get(kind)


def written_out(picked: Iterable[Picked]) -> Callable[[Any], dict[str, Any]]:
    """A function from a row of SQL values, or from a dict, to a dict of what is picked.

    It is compiled from one expression that names each value: lists spend most of their time here, and a loop
    over the columns takes several times as long.
    """
    readers: dict[str, Any] = {}
    parts: list[str] = []
    for name, position, reader in picked:
        value = f"values[{position!r}]"
        if reader is not None:
            readers[f"read_{len(parts)}"] = reader
            value = f"read_{len(parts)}({value})"
        parts.append(f"{name!r}: {value}")
    made: Callable[[Any], dict[str, Any]] = eval(f"lambda values: {{{', '.join(parts)}}}", readers)
    return made


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
    __names__: ClassVar[frozenset[str]]

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
        # Fields alone: methods that dataclass writes for each class take a tenth of a server's start.
        dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)
        hints = typing.get_type_hints(cls)
        names = tuple(f.name for f in dataclasses.fields(typing.cast(Any, cls)))
        kinds = tuple(_column_kind(hints[name]) for name in names)
        keys = (key,) if isinstance(key, str) else key
        cls.__table__ = Table(table, names, kinds, keys, indexes, journaled, judged, hashed)
        cls.__names__ = frozenset(names)

    def __init__(self, **given: Any) -> None:
        if given.keys() != self.__names__:
            wrong = ", ".join(sorted(given.keys() ^ self.__names__))
            raise TypeError(
                f"{type(self).__qualname__} takes each of its columns and nothing else, not so: {wrong}."
            )
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row) or type(other) is not type(self):
            return NotImplemented
        return all(self.__dict__[name] == other.__dict__[name] for name in self.__table__.columns)

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__[name] for name in self.__table__.columns))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self.__table__.columns)
        return f"{type(self).__qualname__}({shown})"

    @classmethod
    def read(cls: type[R], values: Sequence[Any]) -> R:
        """A typed row from SQL values in column order."""
        table = cls.__table__
        if len(values) != len(table.columns):
            raise StoreError(f"A row of {table.name} has {len(table.columns)} columns, not {len(values)}.")
        row = object.__new__(cls)
        object.__setattr__(row, "__dict__", table.typed(values))
        return row

    def key(self) -> tuple[Any, ...]:
        """The primary key's values."""
        return stored(self.__dict__[name] for name in self.__table__.key)

    def values(self) -> dict[str, SqlValue]:
        """Column names and what SQLite stores for them."""
        return dict(zip(self.__table__.columns, self.stored(), strict=True))

    def stored(self) -> tuple[SqlValue, ...]:
        """What SQLite stores, in the order of the columns."""
        own = self.__dict__
        return stored([own[name] for name in self.__table__.columns])


_AS_THEY_ARE = frozenset((str, int, bytes, type(None), float))


def to_sql(value: Any) -> SqlValue:
    """What SQLite stores for a Python value: dates as ISO text, booleans as 0 and 1."""
    if type(value) in _AS_THEY_ARE:
        return typing.cast(SqlValue, value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return int(value)
    return typing.cast(SqlValue, value)


def stored(values: Iterable[Any]) -> tuple[SqlValue, ...]:
    """What SQLite stores for several values: most are what they are, and are not looked at one by one."""
    values = tuple(values)
    return values if _AS_THEY_ARE.issuperset(map(type, values)) else tuple(map(to_sql, values))


class Reader:
    """Reads typed rows from one connection. Each read is fetched whole, so no cursor is left half-read."""

    con: apsw.Connection

    def select(self, sql: str, params: Params = ()) -> list[tuple[Any, ...]]:
        """All rows of a raw SELECT."""
        return self.con.execute(sql, stored(params)).fetchall()

    def all(self, row: type[R], tail: str = "", params: Params = ()) -> list[R]:
        """Typed rows; `tail` is what follows FROM: "where tenant_id = ? order by seq limit 50"."""
        sql = f"{row.__table__.selection} {tail}"
        return [row.read(values) for values in self.select(sql, params)]

    def one(self, row: type[R], tail: str = "", params: Params = ()) -> R | None:
        """The first row that `tail` finds, or None."""
        found = self.all(row, f"{tail} LIMIT 1", params)
        return found[0] if found else None

    def get(self, row: type[R], *key: Any) -> R | None:
        """The row with this primary key, or None."""
        return self.one(row, row.__table__.by_key, key)

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
