"""How lists are read: newest first, a page at a time by key, and rows of several tables in one query.

Where a row is looked up by something narrower, queries say `+tenant_id = ?`: the plus keeps SQLite from
walking all of the tenant's rows by its index on (tenant_id, seq), which is in order already.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from fakes.core.store import R, Row
from fakes.core.world import World
from sites.claims_desk.errors import NotFound
from sites.claims_desk.schema import Operator

_NO_END = 2**62


@dataclass(frozen=True)
class Page:
    """At most `limit` rows, those numbered below `before` (None: from the newest)."""

    limit: int = 50
    before: int | None = None

    @property
    def end(self) -> int:
        """The number that the page's rows stay below."""
        return _NO_END if self.before is None else self.before


FIRST = Page()


def newest(
    world: World, row: type[R], me: Operator, page: Page, also: str = "", params: Sequence[Any] = ()
) -> list[R]:
    """A page of the tenant's rows; `also` narrows it: "and separated_on is not null"."""
    tail = f"WHERE tenant_id = ? AND seq < ? {also} ORDER BY seq DESC LIMIT ?"
    return world.all(row, tail, (me.tenant_id, page.end, *params, page.limit))


def own(world: World, row: type[R], me: Operator, what: str, id: str, field: str | None = None) -> R:
    """The tenant's row with this id. Raises NotFound, for another tenant's row too."""
    found = world.one(row, "WHERE id = ? AND tenant_id = ?", (id, me.tenant_id))
    if found is None:
        raise NotFound(what, id, field)
    return found


def marks(values: Collection[Any]) -> str:
    """The question marks of an IN for these values."""
    return ", ".join("?" * len(values))


def columns(row: type[Row], alias: str) -> str:
    """The row's columns for a SELECT over several tables."""
    return ", ".join(f"{alias}.{name}" for name in row.__table__.columns)


def split(values: Sequence[Any], rows: Sequence[type[Row]]) -> tuple[list[Any], Sequence[Any]]:
    """Typed rows (None where an outer join found none) out of one result row, and what follows them."""
    found: list[Any] = []
    start = 0
    for row in rows:
        end = start + len(row.__table__.columns)
        found.append(None if values[start] is None else row.read(values[start:end]))
        start = end
    return found, values[start:]
