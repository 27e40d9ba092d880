"""Mails in words: short lists, whole messages with their files, and the same as values for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from fakes.core import links
from fakes.core.mcp.tools import ToolCall, ToolRefused
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import Address
from fakes.gmail.rules.labels import INTERNAL, UNREAD
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.schema import Message
from fakes.gmail.store.attachments import Attached, attachments_of


def named(call: ToolCall, message_id: str) -> Message:
    """The message with this id. Raises ToolRefused."""
    found = store.message_in(call.world, call.person.id, message_id)
    if found is None:
        raise ToolRefused(f"There is no message {message_id!r} in this mailbox.")
    return found


def thread_named(call: ToolCall, thread_id: str) -> list[Message]:
    """The messages of a thread, oldest first. Raises ToolRefused."""
    found = store.thread_in(call.world, call.person.id, thread_id)
    if not found:
        raise ToolRefused(f"There is no thread {thread_id!r} in this mailbox.")
    return found


def shown_labels(labels: Sequence[str]) -> list[str]:
    """The labels that programs get to see."""
    return [label for label in labels if label not in INTERNAL]


def when(call: ToolCall, at: int) -> str:
    """An instant in the person's own time."""
    return instant(at, ZoneInfo(call.person.zone))


def line_of(addresses: Sequence[Address]) -> str:
    """Addresses as people read them."""
    return ", ".join(f"{each.name} <{each.email}>" if each.name else each.email for each in addresses)


def sender_of(message: Message) -> str:
    """Who a message is from, as people read it."""
    return f"{message.sender_name} <{message.sender}>" if message.sender_name else message.sender


def listed(call: ToolCall, messages: Sequence[Message]) -> tuple[str, list[dict[str, Any]]]:
    """Messages as a list: a text, and values."""
    labels = store.labels_of(call.world, [message.id for message in messages])
    rows = [_row(call, message, shown_labels(labels[message.id])) for message in messages]
    blocks = [
        f"ID: {row['id']}{' (unread)' if UNREAD in row['labelIds'] else ''}\nThread: {row['threadId']}\n"
        f"From: {row['from']}\nSubject: {row['subject']}\nDate: {row['date']}\n{row['snippet']}"
        for row in rows
    ]
    return "\n\n".join(blocks), rows


def _row(call: ToolCall, message: Message, labels: list[str]) -> dict[str, Any]:
    return {
        "id": message.id,
        "threadId": message.thread_id,
        "from": sender_of(message),
        "subject": message.subject,
        "date": when(call, message.received_at),
        "snippet": links.resolve(call.request, message.snippet),
        "labelIds": labels,
    }


def parts_of(call: ToolCall, message: Message) -> Part:
    """A message's parts."""
    return tree(store.source_of(call.world, message).raw)


def letter_of(call: ToolCall, message: Message) -> Letter:
    """A message's mail, however broken it is."""
    return mime.read(store.source_of(call.world, message).raw, lenient=True)


def whole(call: ToolCall, message: Message) -> tuple[str, dict[str, Any]]:
    """A message with all that it says: a text, and values."""
    letter = letter_of(call, message)
    parts = tree(letter.raw)
    labels = store.labels_of(call.world, [message.id])[message.id]
    files = [file_row(each) for each in attachments_of(call.world, message, parts)]
    facts: dict[str, Any] = {
        "id": message.id,
        "threadId": message.thread_id,
        "labelIds": shown_labels(labels),
        "from": line_of(letter.senders) or message.sender,
        "to": line_of(letter.to),
        "cc": line_of(letter.cc),
        "bcc": line_of(letter.bcc),
        "replyTo": line_of(letter.reply_to),
        "subject": message.subject,
        "date": when(call, message.received_at),
        "messageId": letter.message_id,
        "body": links.resolve(call.request, letter.text),
        "htmlBody": links.resolve(call.request, mime.body(parts, "html") or ""),
        "attachments": files,
    }
    return _text(facts), facts


_HEAD = (
    ("ID", "id"), ("Thread", "threadId"), ("Labels", "labelIds"), ("From", "from"), ("To", "to"),
    ("Cc", "cc"), ("Bcc", "bcc"), ("Reply-To", "replyTo"), ("Subject", "subject"), ("Date", "date"),
)  # fmt: skip


def _text(facts: dict[str, Any]) -> str:
    told = [(title, facts[name]) for title, name in _HEAD if facts[name] or name == "subject"]
    head = [f"{title}: {', '.join(value) if isinstance(value, list) else value}" for title, value in told]
    files = [file_line(row) for row in facts["attachments"]]
    below = ["", f"Attachments ({len(files)}):", *files] if files else []
    return "\n".join([*head, "", facts["body"].rstrip("\n"), *below])


def file_row(file: Attached) -> dict[str, Any]:
    """An attached file as values."""
    size = len(file.part.octets)
    return {"id": file.id, "filename": file.name, "mimeType": file.part.media_type, "size": size}


def file_line(row: dict[str, Any]) -> str:
    """The same as a line."""
    return f"- {row['filename']} ({row['mimeType']}, {row['size']:,} bytes, ID: {row['id']})"


def reference(call: ToolCall, message: Message) -> dict[str, Any]:
    """What a change of a message tells: ids and labels."""
    labels = store.labels_of(call.world, [message.id])[message.id]
    return {"id": message.id, "threadId": message.thread_id, "labelIds": shown_labels(labels)}
