"""One mailbox, read: its messages, their bytes, their labels, its threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
    """The bytes and the text of a message; empty where the row is gone."""
    return world.get(Source, message.source_id) or Source(id=message.source_id, raw=b"", text="")


def thread_in(world: World, owner: str, thread_id: str) -> list[Message]:
    """The messages of a thread in this mailbox, oldest first."""
    return world.all(Message, "WHERE owner = ? AND thread_id = ? ORDER BY place", (owner, thread_id))


def labels_of(world: World, message_ids: Sequence[str]) -> dict[str, list[str]]:
    """The labels of each of these messages, sorted."""
    found: dict[str, list[str]] = {message_id: [] for message_id in message_ids}
    marks = ", ".join("?" * len(message_ids))
    sql = f"SELECT message_id, label FROM gmail_message_labels WHERE message_id IN ({marks}) ORDER BY label"
    for message_id, label in world.select(sql, message_ids):
        found[message_id].append(label)
    return found


def history_id_of(world: World, message: Message) -> int:
    """The number of the last thing that happened to a message."""
    sql = "SELECT coalesce(max(id), 1) FROM gmail_history WHERE message_id = ?"
    return int(world.select(sql, (message.id,))[0][0])


def unread_count(world: World, owner: str, label: str) -> int:
    """How many unread messages carry `label`, counted up to MOST_COUNTED."""
    sql = (
        "SELECT count(*) FROM (SELECT 1 FROM gmail_message_labels u WHERE u.owner = ? AND u.label = 'UNREAD'"
        " AND EXISTS (SELECT 1 FROM gmail_message_labels l WHERE l.message_id = u.message_id AND l.label = ?)"
        " LIMIT ?)"
    )
    return int(world.select(sql, (owner, label, MOST_COUNTED))[0][0])
