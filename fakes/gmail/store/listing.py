"""Lists, newest first, a page at a time.

Each walks an index from where the last page ended, so a page costs the same in a big mailbox and a small one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from typing import Any as Anything

from fakes.gmail.rules.labels import DRAFT
from fakes.gmail.rules.search import Query
from fakes.gmail.schema import Draft
from fakes.gmail.store.finding import Selection, selection

if TYPE_CHECKING:
    from fakes.core.world import World

Position = list[Anything]
"""Where a page ended: the place of its last row, and the estimate of all."""
Ref = tuple[str, str]
_CHUNKS = 50
"""Stretches of a list that are read for one page of threads, at most."""


@dataclass(frozen=True)
class Listing:
    """A page: pairs of ids, where the next page begins (None: nowhere), how many there are in all.

    A message comes with its thread's id, a thread with that of its newest message found, a draft with its
    message's. `estimate` is exact up to twice the first page, else that and one; later pages repeat it.
    """

    refs: list[Ref]
    next: Position | None
    estimate: int


class _Row(NamedTuple):
    id: str
    thread_id: str
    place: int


def list_messages(
    world: World, owner: str, query: Query, *, limit: int, before: Position | None = None
) -> Listing:
    """The messages that a query finds, newest first."""
    found = selection(world, owner, query)
    place, known = before if before else (None, None)
    rows = _rows(world, found, place, 2 * limit + 1 if known is None else limit + 1)
    estimate = len(rows) if known is None else int(known)
    refs = [row[:2] for row in rows[:limit]]
    end = [rows[limit - 1].place, estimate] if len(rows) > limit else None
    return Listing(refs, end, estimate)


def _rows(world: World, found: Selection, before: int | None, limit: int) -> list[_Row]:
    """The next rows of a walk."""
    after, params = (f" AND {found.place} < ?", (before,)) if before is not None else ("", ())
    sql = (
        f"SELECT {found.message_id}, x.thread_id, {found.place} {found.sql}{after}"
        f" ORDER BY {found.place} DESC LIMIT ?"
    )
    return list(map(_Row._make, world.select(sql, (*found.params, *params, limit))))


def list_threads(
    world: World, owner: str, query: Query, *, limit: int, before: Position | None = None
) -> Listing:
    """The threads of the messages that a query finds, newest first by those, each once over all pages."""
    found = selection(world, owner, query)
    place, known = before if before else (None, None)
    heads: list[_Row] = []
    seen: set[str] = set()
    at, done = place, False
    for _ in range(_CHUNKS):
        rows = _rows(world, found, at, 2 * limit + 1)
        fresh = [row for row in rows if row.thread_id not in seen]
        told = _told_before(world, found, place, fresh)
        for row in fresh:
            if row.thread_id not in seen:
                seen.add(row.thread_id)
                heads += [] if row.thread_id in told else [row]
        done = len(rows) <= 2 * limit
        if done or len(heads) > limit:
            break
        at = rows[-1].place
    estimate = len(heads) if known is None else int(known)
    refs = [(row.thread_id, row.id) for row in heads[:limit]]
    return Listing(refs, _end(heads, limit, at, done, estimate), estimate)


def _end(heads: list[_Row], limit: int, at: int | None, done: bool, estimate: int) -> Position | None:
    if len(heads) > limit:
        return [heads[limit - 1].place, estimate]
    return None if done else [at, estimate]


def _told_before(world: World, found: Selection, before: int | None, rows: Sequence[_Row]) -> set[str]:
    """Those of the rows' threads that an earlier page has told: they have a newer message that is found."""
    if before is None or not rows:
        return set()
    threads = sorted({row.thread_id for row in rows})
    marks = ", ".join("?" * len(threads))
    sql = f"SELECT DISTINCT x.thread_id {found.sql} AND {found.place} >= ? AND x.thread_id IN ({marks})"
    return {row[0] for row in world.select(sql, (*found.params, before, *threads))}


def list_drafts(
    world: World, owner: str, query: Query, *, limit: int, before: Position | None = None
) -> Listing:
    """The drafts whose messages a query finds, newest first; what is scheduled is no draft."""
    found = list_messages(world, owner, query.narrowed([DRAFT]), limit=limit, before=before)
    marks = ", ".join("?" * len(found.refs))
    messages = [ref[0] for ref in found.refs]
    drafts = {
        draft.message_id: draft.id
        for draft in world.all(Draft, f"WHERE owner = ? AND message_id IN ({marks})", (owner, *messages))
    }
    refs = [(drafts[message_id], message_id) for message_id in messages if message_id in drafts]
    return Listing(refs, found.next, found.estimate)
