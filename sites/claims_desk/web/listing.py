"""Lists: rows that a filter fits, newest first, and as many of them as the address asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar
from urllib.parse import urlencode

from fakes.core.world import World
from sites.claims_desk.schema import Operator
from sites.claims_desk.store.reading import Page
from sites.claims_desk.web.frame import Visit

T = TypeVar("T")
Read = Callable[[World, Operator, Page], list[T]]

AT_ONCE = 100
_BATCH = 500


@dataclass(frozen=True)
class Listing(Generic[T]):
    """The rows to show, and the query that shows `more`; nothing when these are all."""

    rows: list[T]
    more: str


def listed(
    visit: Visit, read: Read[T], seq: Callable[[T], int], fit: Callable[[T], bool] = lambda row: True
) -> Listing[T]:
    """As many rows that fit as the address asks for; no more pages of the list are read than that takes."""
    asked = visit.asked("limit")
    limit = max(AT_ONCE, int(asked)) if asked.isdecimal() and len(asked) < 7 else AT_ONCE
    found = list(islice(filter(fit, _read(visit, read, seq, limit + 1)), limit + 1))
    larger = dict(visit.request.query_params) | {"limit": str(limit + AT_ONCE)}
    larger.pop("done", None)
    return Listing(found[:limit], f"?{urlencode(larger)}" if len(found) > limit else "")


def every(visit: Visit, read: Read[T], seq: Callable[[T], int]) -> list[T]:
    """All rows of a list of the store: for a choice between them."""
    return list(_read(visit, read, seq, _BATCH))


def _read(visit: Visit, read: Read[T], seq: Callable[[T], int], batch: int) -> Iterator[T]:
    """The rows of a list of the store, a page at a time by key, as they are asked for."""
    page = Page(batch)
    while True:
        found = read(visit.world, visit.me, page)
        yield from found
        if len(found) < batch:
            return
        page = Page(batch, before=seq(found[-1]))


def fits(query: str, *texts: str | None) -> bool:
    """Whether every word of the query is in one of the texts."""
    whole = " ".join(text or "" for text in texts).casefold()
    return all(word in whole for word in query.casefold().split())
