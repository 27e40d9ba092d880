"""A world's rows as plain values, and rows from plain values: what a saved seed holds.

Kept is what a product knows: the tables of services, people, stored objects, what waits in outbox and agenda,
and the counters that ids come from. Log-ins, tokens, log and journal are not. What follows from a world's
secret stands as a placeholder, `{secret NAME}` or `{digest NAME}`, and is derived anew in the world that the
rows are put into; so a saved seed gives no secret away, and the links in its mails still open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import apsw

from fakes.core.agenda import Planned
from fakes.core.clock import civil
from fakes.core.ids import digest
from fakes.core.objects import StoredObject
from fakes.core.outbox import Outgoing
from fakes.core.people import Person, hash_of_password
from fakes.core.store import SqlValue, Table

if TYPE_CHECKING:
    from fakes.core.seeding import Seed
    from fakes.core.world import World

_KERNEL = (Person, StoredObject, Planned, Outgoing)
_FOLLOWS = {"people": {"password_hash"}}  # columns that follow from the world's secret alone
_PLACEHOLDER = re.compile(r"\{(secret|digest) ([^{}]+)\}")
_COUNT_ON = "INSERT INTO counters VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET n = max(n, excluded.n)"
_FITS: dict[type, tuple[type, ...]] = {
    str: (str,), int: (int,), float: (int, float), bytes: (bytes,), bool: (int,), date: (str,),
}  # fmt: skip

_LARGEST = 2**63  # what SQLite keeps as a whole number

Rows = dict[str, list[dict[str, Any]]]


class NotRows(ValueError):
    """Values that are no rows of this world; the sentence names the place."""


# out of a world


def rows_of(world: World) -> Rows:
    """Every kept row by table: instants as text with the world's offset, dates as dates, bytes that are
    UTF-8 as text. Tables without rows are left out."""
    hidden = _hidden(world)
    found: Rows = {}
    for table in _tables(world).values():
        order = "seq" if "seq" in table.columns else ", ".join(table.key)
        tail = "WHERE fired_at IS NULL" if table.name == Planned.__table__.name else ""
        sql = f"SELECT {', '.join(table.columns)} FROM {table.name} {tail} ORDER BY {order}"
        rows = [dict(_shown(world, table, values, hidden)) for values in world.select(sql)]
        if rows:
            found[table.name] = rows
    return found


def counters_of(world: World) -> dict[str, int]:
    """How far each kind has been numbered."""
    return dict(world.select("SELECT kind, n FROM counters ORDER BY kind"))


def _tables(world: World) -> dict[str, Table]:
    kernel = [row.__table__ for row in _KERNEL]
    services = [row.__table__ for service in world.services.values() for row in service.tables]
    return {table.name: table for table in (*kernel, *services)}


def _hidden(world: World) -> list[tuple[str, str]]:
    """Each secret that the stored state may hold, and what stands for it; longest first."""
    found = []
    for name, secret in _secrets(world):
        found += [(secret, f"{{secret {name}}}"), (digest(secret), f"{{digest {name}}}")]
    return sorted(found, key=lambda pair: -len(pair[0]))


def _secrets(world: World) -> Iterator[tuple[str, str]]:
    for service in world.services.values():
        for name, secret in (service.secrets(world) if service.secrets else {}).items():
            yield f"{service.name}/{name}", secret


def _shown(
    world: World, table: Table, values: tuple[SqlValue, ...], hidden: list[tuple[str, str]]
) -> Iterator[tuple[str, Any]]:
    for column, kind, value in zip(table.columns, table.kinds, values, strict=True):
        if value is None or column in _FOLLOWS.get(table.name, ()):
            continue
        if isinstance(value, bytes):
            value = _text_of(value)
        if isinstance(value, str):
            for secret, name in hidden:
                value = value.replace(secret, name)
        yield column, _plain(world, kind, column, value)


def _text_of(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _plain(world: World, kind: type, column: str, value: Any) -> Any:
    if kind is int and _is_instant(column) and isinstance(value, int):
        return civil(value, world.zone).isoformat(timespec="milliseconds")
    if kind is bool and value in (0, 1):
        return bool(value)
    if kind is date and isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return value
    return value


def _is_instant(column: str) -> bool:
    return column == "at" or column.endswith("_at")


# into a world


def put_rows(w: Seed, rows: Mapping[str, Any], counters: Mapping[str, Any]) -> None:
    """Puts rows into the world that is being seeded, and takes its counters on to where they are.

    A column that is not named is NULL. Raises NotRows.
    """
    known, marked = _tables(w.world), []
    for name, listed in rows.items():
        if name not in known:
            raise NotRows(f"rows: there is no table {name!r}; tables: {', '.join(sorted(known))}.")
        if not isinstance(listed, list):
            raise NotRows(f"rows.{name}: a list of rows is needed, not {listed!r}.")
        for n, values in enumerate(listed):
            stored = _stored(w.world, known[name], values, f"rows.{name}[{n}]")
            try:
                w.tx.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(stored))})", stored)
            except apsw.ConstraintError:
                raise NotRows(f"rows.{name}[{n}]: there is a row with this key already.") from None
            if any(_PLACEHOLDER.search(_searchable(value)) for value in stored):
                marked.append((known[name], stored))
    for kind, n in counters.items():
        if not isinstance(kind, str):
            raise NotRows(f"counters: {kind!r} is no kind of thing.")
        if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n < _LARGEST:
            raise NotRows(f"counters.{kind}: a count is needed, not {n!r}.")
        w.tx.execute(_COUNT_ON, (kind, n))
    _reveal(w, marked)
    for service in w.world.services.values():
        if service.derive is not None:
            service.derive(w.world, w.tx)


def _stored(world: World, table: Table, values: Any, where: str) -> list[SqlValue]:
    if not isinstance(values, Mapping):
        raise NotRows(f"{where}: a row is a mapping of columns, not {values!r}.")
    unknown = sorted(set(values) - set(table.columns), key=str)
    if unknown:
        raise NotRows(
            f"{where}: {table.name} has no column {unknown[0]!r}; columns: {', '.join(table.columns)}."
        )
    for column in table.key:
        if values.get(column) is None:
            raise NotRows(f"{where}: the key column {column!r} is missing.")
    stored = [
        _sql(kind, column, values.get(column), f"{where}.{column}")
        for column, kind in zip(table.columns, table.kinds, strict=True)
    ]
    if table.name == "people":
        email = str(values.get("email", "")).lower()
        stored[table.columns.index("password_hash")] = hash_of_password(world, email)
    return stored


def _sql(kind: type, column: str, value: Any, where: str) -> Any:
    if value is None:
        return None
    if kind is bytes and isinstance(value, str):
        return value.encode()
    if kind is int and _is_instant(column) and isinstance(value, str):
        return _instant(value, where)
    if kind is bool and isinstance(value, bool):
        return int(value)
    if kind is date and isinstance(value, date | str):
        return str(value)
    if (
        not isinstance(value, _FITS[kind])
        or isinstance(value, bool)
        or (isinstance(value, int) and not -_LARGEST <= value < _LARGEST)
    ):
        raise NotRows(f"{where}: {value!r} is no {kind.__name__}.")
    return value


def _instant(text: str, where: str) -> int:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise NotRows(f"{where}: {text!r} is no instant; write 2025-10-21T09:30:00-04:00.") from None
    if read.tzinfo is None:
        raise NotRows(f"{where}: {text!r} has no offset; write 2025-10-21T09:30:00-04:00.")
    return round(read.timestamp() * 1000)


def _searchable(value: SqlValue) -> str:
    return (
        value if isinstance(value, str) else value.decode(errors="ignore") if isinstance(value, bytes) else ""
    )


def _reveal(w: Seed, marked: list[tuple[Table, list[SqlValue]]]) -> None:
    """Puts this world's secrets where placeholders stand."""
    secrets = dict(_secrets(w.world)) if marked else {}

    def revealed(found: re.Match[str]) -> str:
        secret = secrets.get(found[2])
        return found[0] if secret is None else secret if found[1] == "secret" else digest(secret)

    for table, stored in marked:
        for column, value in zip(table.columns, stored, strict=True):
            if isinstance(value, str):
                new: SqlValue = _PLACEHOLDER.sub(revealed, value)
            elif isinstance(value, bytes) and (text := _text_of(value)) is not value:
                new = _PLACEHOLDER.sub(revealed, str(text)).encode()
            else:
                continue
            if new != value:
                where = " AND ".join(f"{name} = ?" for name in table.key)
                w.tx.execute(
                    f"UPDATE {table.name} SET {column} = ? WHERE {where}", (new, *table.key_of(stored))
                )


__all__ = ["NotRows", "Rows", "counters_of", "put_rows", "rows_of"]
