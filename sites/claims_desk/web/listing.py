"""Lists: every row that a filter fits, newest first, and as many of them as the address asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import urlencode

from fakes.core.world import World
from sites.claims_desk.schema import Operator
from sites.claims_desk.store.reading import Page
from sites.claims_desk.web.frame import Visit

T = TypeVar("T")
Read = Callable[[World, Operator, Page], list[T]]

AT_ONCE = 100
_BATCH = 500


def every(visit: Visit, read: Read[T], seq: Callable[[T], int]) -> list[T]:
    """All rows of a list of the store, read page by page."""
    found: list[T] = []
    page = Page(_BATCH)
    while len(batch := read(visit.world, visit.me, page)) == _BATCH:
        found += batch
        page = Page(_BATCH, before=seq(batch[-1]))
    return found + batch


def fits(query: str, *texts: str | None) -> bool:
    """Whether every word of the query is in one of the texts."""
    whole = " ".join(text or "" for text in texts).casefold()
    return all(word in whole for word in query.casefold().split())


def shown(visit: Visit, found: Iterable[T]) -> dict[str, Any]:
    """For a template: the `rows` to show, how many there are in all, the query that shows `more`."""
    rows = list(found)
    asked = visit.asked("limit")
    limit = max(AT_ONCE, int(asked)) if asked.isdecimal() and len(asked) < 7 else AT_ONCE
    larger = dict(visit.request.query_params) | {"limit": str(limit + AT_ONCE)}
    larger.pop("done", None)
    return {
        "rows": rows[:limit],
        "total": len(rows),
        "more": f"?{urlencode(larger)}" if len(rows) > limit else "",
    }
