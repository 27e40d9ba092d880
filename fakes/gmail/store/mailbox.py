"""One mailbox, read: its messages, their bytes, their labels, its threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakes.gmail.rules.trace import trace
from fakes.gmail.schema import Message, Source

if TYPE_CHECKING:
    from fakes.core.world import World

MOST_COUNTED = 1000
"""Counts shown on pages stop here, so that no page costs more in a big mailbox."""


def message_in(world: World, owner: str, message_id: str) -> Message | None:
    """The message with this id, if it lies in this mailbox."""
    message = world.get(Message, message_id)
    return message if message is not None and message.owner == owner else None


def messages_in(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Those of these messages that lie in this mailbox, each once, in the order given."""
    marks = ", ".join("?" * len(message_ids))
    found = world.all(Message, f"WHERE id IN ({marks}) AND owner = ?", (*message_ids, owner))
    by_id = {message.id: message for message in found}
    return [by_id[message_id] for message_id in dict.fromkeys(message_ids) if message_id in by_id]


def source_of(world: World, message: Message) -> Source:
    """The bytes of a message, with what a received copy collected on its way, and its text; empty where the
    row is gone.
    """
    found = world.get(Source, message.source_id) or Source(id=message.source_id, raw=b"", text="")
    if not message.delivered_to:
        return found
    way = trace(
        found.raw, delivered_to=message.delivered_to, sender=message.sender, at_ms=message.received_at,
        message_id=message.id,
    )  # fmt: skip
    return Source(id=found.id, raw=way + found.raw, text=found.text)


def thread_of(world: World, owner: str, rfc822_id: str) -> str | None:
    """The thread of the newest message of this mailbox with a Message-ID, if there is one."""
    tail = "INDEXED BY gmail_messages_2 WHERE owner = ? AND rfc822_id = ? ORDER BY seq DESC"
    found = world.one(Message, tail, (owner, rfc822_id)) if rfc822_id else None
    return found.thread_id if found is not None else None


def thread_in(world: World, owner: str, thread_id: str) -> list[Message]:
    """The messages of a thread in this mailbox, oldest first."""
    return world.all(Message, "WHERE owner = ? AND thread_id = ? ORDER BY place", (owner, thread_id))


def newest_in(world: World, owner: str, thread_ids: Sequence[str]) -> dict[str, Message]:
    """The newest message of each of these threads."""
    marks = ", ".join("?" * len(thread_ids))
    tail = f"INDEXED BY gmail_messages_1 WHERE owner = ? AND thread_id IN ({marks}) ORDER BY place"
    return {message.thread_id: message for message in world.all(Message, tail, (owner, *thread_ids))}


def labels_of(world: World, message_ids: Sequence[str]) -> dict[str, list[str]]:
    """The labels of each of these messages, sorted."""
    found: dict[str, list[str]] = {message_id: [] for message_id in message_ids}
    marks = ", ".join("?" * len(message_ids))
    sql = f"SELECT message_id, label FROM gmail_message_labels WHERE message_id IN ({marks}) ORDER BY label"
    for message_id, label in world.select(sql, message_ids):
        found[message_id].append(label)
    return found


def history_ids_of(world: World, message_ids: Sequence[str]) -> dict[str, int]:
    """The number of the last thing that happened to each of these messages."""
    marks = ", ".join("?" * len(message_ids))
    sql = f"SELECT message_id, max(id) FROM gmail_history WHERE message_id IN ({marks}) GROUP BY message_id"
    return {**dict.fromkeys(message_ids, 1), **dict(world.select(sql, message_ids))}


def thread_history_ids(world: World, owner: str, thread_ids: Sequence[str]) -> dict[str, int]:
    """The number of the last thing that happened to a message of each of these threads."""
    marks = ", ".join("?" * len(thread_ids))
    sql = (
        "SELECT m.thread_id, max(h.id) FROM gmail_messages m INDEXED BY gmail_messages_1"
        " CROSS JOIN gmail_history h ON h.message_id = m.id"
        f" WHERE m.owner = ? AND m.thread_id IN ({marks}) GROUP BY m.thread_id"
    )
    return {**dict.fromkeys(thread_ids, 1), **dict(world.select(sql, (owner, *thread_ids)))}
