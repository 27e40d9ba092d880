"""The verbs of the mail system and all its SQL: `mailbox` reads and files, `listing` lists, `post` sends."""

from __future__ import annotations

from fakes.gmail.store.listing import (
    Conversation,
    Conversations,
    Listing,
    conversations,
    list_messages,
    search,
)
from fakes.gmail.store.mailbox import (
    history_id_of,
    labels_of,
    mailbox_of,
    mark_read,
    message_in,
    source_of,
    thread_in,
    unread_count,
)
from fakes.gmail.store.post import deliver, send

__all__ = [
    "Conversation",
    "Conversations",
    "Listing",
    "conversations",
    "deliver",
    "history_id_of",
    "labels_of",
    "list_messages",
    "mailbox_of",
    "mark_read",
    "message_in",
    "search",
    "send",
    "source_of",
    "thread_in",
    "unread_count",
]
