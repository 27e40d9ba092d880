"""Lists of conversations, as pages show them: by a label, or by what a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Any as Anything

from fakes.gmail.rules.search import Query
from fakes.gmail.schema import Message
from fakes.gmail.store.listing import Position, list_threads

if TYPE_CHECKING:
    from fakes.core.world import World


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


def conversations(
    world: World, owner: str, label: str, *, limit: int = 50, before: Position | None = None
) -> Conversations:
    """The threads that have a message with `label`, newest first by that message."""
    page, bound = (" AND x.place < ?", before[:1]) if before else ("", [])
    # Without statistics the planner may take an index that only starts alike: INDEXED BY names the right one.
    sql = (
        "SELECT x.message_id, x.thread_id, x.place FROM gmail_message_labels x"
        " WHERE x.owner = ? AND x.label = ? AND NOT EXISTS (SELECT 1 FROM gmail_message_labels n"
        " INDEXED BY gmail_message_labels_1 WHERE n.owner = x.owner AND n.label = x.label"
        f" AND n.thread_id = x.thread_id AND n.place > x.place){page} ORDER BY x.place DESC LIMIT ?"
    )
    rows = world.select(sql, (owner, label, *bound, limit + 1))
    end = [rows[limit - 1][-1]] if len(rows) > limit else None
    return Conversations(_heads(world, owner, rows[:limit]), end)


def search(
    world: World, owner: str, query: Query, *, limit: int = 50, before: Position | None = None
) -> Conversations:
    """The threads of the messages that a query finds, each once over all pages."""
    found = list_threads(world, owner, query, limit=limit, before=before)
    refs = [(message_id, thread_id) for thread_id, message_id in found.refs]
    return Conversations(_heads(world, owner, refs), found.next)


def _heads(world: World, owner: str, refs: Sequence[tuple[Anything, ...]]) -> list[Conversation]:
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
