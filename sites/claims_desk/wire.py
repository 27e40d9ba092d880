"""Rows as programs see them, in the API and in webhooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from fakes.core.clock import utc
from fakes.core.store import Row, written_out

_HIDDEN: Final = frozenset({"seq", "tenant_id", "person_id", "link_digest"})


@lru_cache(maxsize=8192)
def instant(at_ms: int) -> datetime:
    """An instant in UTC; a page shows the same ones again and again."""
    return utc(at_ms)


def shown(row: Row) -> dict[str, Any]:
    """A row as programs see it, without what is the desk's own."""
    table = row.__table__
    show = _shows.get(table.name)
    if show is None:
        names = [name for name in table.columns if name not in _HIDDEN]
        show = _shows[table.name] = written_out((name, name, _reader(name)) for name in names)
    return show(row.__dict__)


def showing(row: type[Row], at: int) -> Callable[[Sequence[Any]], dict[str, Any]]:
    """What shows, in the same way, rows of a result whose columns from `at` on are this table's."""
    return written_out(
        (name, position, _reader(name) or read)
        for name, position, read in row.__table__.picked(at)
        if name not in _HIDDEN
    )


_shows: dict[str, Callable[[Any], dict[str, Any]]] = {}


def _reader(name: str) -> Callable[[Any], Any] | None:
    return _instant_or_none if name.endswith("_at") else None


def _instant_or_none(at_ms: int | None) -> datetime | None:
    return None if at_ms is None else instant(at_ms)
