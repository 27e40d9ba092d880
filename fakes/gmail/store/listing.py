"""Lists, newest first, a page at a time.

Each walks an index from where the last page ended, so a page costs the same in a big mailbox and a small one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fakes.gmail.rules.labels import INBOX, OUT_OF_SIGHT, SENT
from fakes.gmail.rules.search import Query
from fakes.gmail.schema import Message
from fakes.gmail.store.mailbox import MOST_COUNTED
from fakes.gmail.store.words import owner_word

if TYPE_CHECKING:
    from fakes.core.world import World

Position = list[Any]
"""Where a page ended: the place of its last row; of messages, also the estimate of all."""

_AFTER = " AND x.place < ?"
# Without statistics the planner may take an index that only starts alike: INDEXED BY names the right one.
_NEWEST_FIRST = " ORDER BY x.place DESC LIMIT ?"


@dataclass(frozen=True)
class Listing:
    """A page of messages: ids and thread ids, where the next page begins (None: nowhere), how many in all.

    `estimate` is exact up to twice the first page, else that and one; the later pages repeat it.
    """

    refs: list[tuple[str, str]]
    next: Position | None
    estimate: int


@dataclass(frozen=True)
class Conversation:
    """A thread as a list shows it: its newest message there, how many, who took part, is one unread."""

    message: Message
    count: int
    names: tuple[str, ...]
    unread: bool


@dataclass(frozen=True)
class Conversations:
    """A page of threads, and where the next one begins."""

    rows: list[Conversation]
    next: Position | None


def list_messages(
    world: World, owner: str, query: Query, *, limit: int, before: Position | None = None
) -> Listing:
    """The messages that a query finds, newest first."""
    found = _selection(world, owner, query)
    *after, known = before if before else [None]
    page, fetched = (_AFTER, limit + 1) if after else ("", 2 * limit + 1)
    columns = f"SELECT {found.message_id}, x.thread_id, x.place {found.sql}"
    rows = world.select(columns + page + _NEWEST_FIRST, (*found.params, *after, fetched))
    estimate = len(rows) if known is None else known
    end = _end(rows, limit)
    return Listing([(row[0], row[1]) for row in rows[:limit]], [*end, estimate] if end else None, estimate)


def _end(rows: Sequence[tuple[Any, ...]], limit: int) -> Position | None:
    """Where a page of `limit` ended, if a row more was found; its last column is the place."""
    return [rows[limit - 1][-1]] if len(rows) > limit else None


@dataclass
class _Selection:
    """FROM and WHERE over a table `x`, and the column of it that holds the message's id."""

    sql: str
    params: list[Any]
    message_id: str = "x.id"

    def where(self, labels: str, *params: str, no: bool = False) -> None:
        """Keeps messages with a label among these, or with none of them."""
        # the plus: a message has few labels, and walking them costs less than a probe for each one asked for
        label = f"FROM gmail_message_labels h WHERE h.message_id = {self.message_id} AND +h.label {labels}"
        self.sql += f" AND {'NOT ' if no else ''}EXISTS (SELECT 1 {label})"
        self.params += params


def _selection(world: World, owner: str, query: Query) -> _Selection:
    """What a query selects: out of the index of words, else the rarest label, else the whole mailbox."""
    labels = list(query.labels)
    if len(labels) > 1:
        labels.sort(key=lambda label: (_rarity(world, owner, label), label in (INBOX, SENT)))
    if query.match:
        found = _Selection(
            "FROM gmail_search s CROSS JOIN gmail_messages x INDEXED BY gmail_messages_0"
            " ON x.owner = ? AND x.place = s.rowid WHERE gmail_search MATCH ?",
            [owner, f'owner : "{owner_word(owner)}" AND {query.match}'],
        )
    elif labels:
        sql = "FROM gmail_message_labels x WHERE x.owner = ? AND x.label = ?"
        found = _Selection(sql, [owner, labels.pop(0)], "x.message_id")
    else:
        found = _Selection("FROM gmail_messages x WHERE x.owner = ?", [owner])
    for label in labels:
        found.where("= ?", label)
    for label in query.without:
        found.where("= ?", label, no=True)
    if not query.anywhere and not set(query.labels) & set(OUT_OF_SIGHT):
        found.where("IN ('SPAM', 'TRASH')", no=True)
    return found


def _rarity(world: World, owner: str, label: str) -> int:
    sql = "SELECT count(*) FROM (SELECT 1 FROM gmail_message_labels WHERE owner = ? AND label = ? LIMIT ?)"
    return int(world.select(sql, (owner, label, MOST_COUNTED))[0][0])


def conversations(
    world: World, owner: str, label: str, *, limit: int = 50, before: Position | None = None
) -> Conversations:
    """The threads that have a message with `label`, newest first by that message."""
    page, bound = (_AFTER, before) if before else ("", [])
    sql = (
        "SELECT x.message_id, x.thread_id, x.place FROM gmail_message_labels x"
        " WHERE x.owner = ? AND x.label = ? AND NOT EXISTS (SELECT 1 FROM gmail_message_labels n"
        " INDEXED BY gmail_message_labels_1 WHERE n.owner = x.owner AND n.label = x.label"
        " AND n.thread_id = x.thread_id AND n.place > x.place)"
    )
    rows = world.select(sql + page + _NEWEST_FIRST, (owner, label, *bound, limit + 1))
    return Conversations(_heads(world, owner, rows[:limit]), _end(rows, limit))


def search(
    world: World, owner: str, query: Query, *, limit: int = 50, before: Position | None = None
) -> Conversations:
    """The threads of the messages that a query finds, each once a page."""
    found = list_messages(world, owner, query, limit=limit, before=before)
    newest = {thread_id: (message_id, thread_id) for message_id, thread_id in reversed(found.refs)}
    refs = [ref for ref in found.refs if newest[ref[1]] == ref]
    return Conversations(_heads(world, owner, refs), found.next)


def _heads(world: World, owner: str, refs: Sequence[tuple[Any, ...]]) -> list[Conversation]:
    """The conversations of messages, given as (id, thread id), in their order."""
    threads = [ref[1] for ref in refs]
    marks = ", ".join("?" * len(threads))
    tail = f"INDEXED BY gmail_messages_1 WHERE owner = ? AND thread_id IN ({marks}) ORDER BY place"
    by_thread: dict[str, dict[str, Message]] = {thread: {} for thread in threads}
    for message in world.all(Message, tail, (owner, *threads)):
        by_thread[message.thread_id][message.id] = message
    where = f"WHERE owner = ? AND label = 'UNREAD' AND thread_id IN ({marks})"
    unread = {
        row[0]
        for row in world.select(f"SELECT thread_id FROM gmail_message_labels {where}", (owner, *threads))
    }
    return [
        Conversation(messages[ref[0]], len(messages), _names(messages.values()), ref[1] in unread)
        for ref in refs
        if ref[0] in (messages := by_thread[ref[1]])  # a label may outlive its message in a broken world
    ]


def _names(messages: Iterable[Message]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(message.sender_name or message.sender for message in messages))
