"""Tools that move mail: labels put on and taken off, archive, trash, read and unread, gone for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import Field

from fakes.core.mcp.tools import Arguments, Said, Tool, ToolCall, ToolRefused, tool
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.errors import InvalidLabel, LabelBothWays, LabelNotFound, NoLabelChange
from fakes.gmail.mcp import telling
from fakes.gmail.mcp.reading import MessageId
from fakes.gmail.rules.labels import UNREAD
from fakes.gmail.schema import Message

MOST = 1000
Verb = Callable[[World, str, Sequence[str]], object]


class LabelChange(Arguments):
    """Labels to put on and to take off."""

    add_label_ids: list[str] = Field(default_factory=list, description="Ids of labels to put on")
    remove_label_ids: list[str] = Field(default_factory=list, description="Ids of labels to take off")


class ModifyEmail(LabelChange):
    """A change to a message."""

    message_id: str = Field(description="The message's id")


class ModifyThread(LabelChange):
    """A change to a conversation."""

    thread_id: str = Field(description="The thread's id")


class Several(Arguments):
    """Which messages."""

    message_ids: list[str] = Field(min_length=1, max_length=MOST, description="Ids of messages")


class ModifySeveral(LabelChange, Several):
    """A change to messages."""


def modify_email(call: ToolCall, asked: ModifyEmail) -> Said:
    """Changes a message's labels."""
    return _told(call, _relabelled(call, [telling.named(call, asked.message_id)], asked))


def modify_thread(call: ToolCall, asked: ModifyThread) -> Said:
    """Changes the labels of all messages of a thread."""
    return _told(call, _relabelled(call, telling.thread_named(call, asked.thread_id), asked))


def batch_modify_emails(call: ToolCall, asked: ModifySeveral) -> Said:
    """Changes the labels of messages, all or none."""
    return _told(call, _relabelled(call, _named(call, asked.message_ids), asked))


def _named(call: ToolCall, message_ids: Sequence[str]) -> list[Message]:
    found = store.messages_in(call.world, call.person.id, message_ids)
    there = {message.id for message in found}
    missing = [message_id for message_id in message_ids if message_id not in there]
    if missing:
        raise ToolRefused(f"There is no message {missing[0]!r} in this mailbox; nothing was changed.")
    return found


def _relabelled(call: ToolCall, messages: Sequence[Message], asked: LabelChange) -> Sequence[Message]:
    if not asked.add_label_ids and not asked.remove_label_ids:
        raise NoLabelChange()
    if set(asked.add_label_ids) & set(asked.remove_label_ids):
        raise LabelBothWays()
    try:
        store.relabel(
            call.world, call.person.id, [message.id for message in messages], add=asked.add_label_ids,
            remove=asked.remove_label_ids,
        )  # fmt: skip
    except (InvalidLabel, LabelNotFound) as error:
        raise ToolRefused(f"{error}. Labels go by their ids, which list_email_labels tells.") from None
    return messages


def _told(call: ToolCall, messages: Sequence[Message]) -> Said:
    rows = [telling.reference(call, message) for message in messages]
    lines = [f"{row['id']}: {', '.join(row['labelIds']) or 'no label'}" for row in rows]
    return Said("\n".join(["Labels now:", *lines]), {"messages": rows})


def _by(verb: Verb) -> Callable[[ToolCall, MessageId], Said]:
    def moved(call: ToolCall, asked: MessageId) -> Said:
        message = telling.named(call, asked.message_id)
        verb(call.world, call.person.id, [message.id])
        return _told(call, [message])

    return moved


def _mark_unread(world: World, owner: str, message_ids: Sequence[str]) -> None:
    store.relabel(world, owner, message_ids, add=[UNREAD])


def delete_email(call: ToolCall, asked: MessageId) -> Said:
    """Removes a message for good."""
    return _gone(call, [telling.named(call, asked.message_id)])


def batch_delete_emails(call: ToolCall, asked: Several) -> Said:
    """Removes messages for good, all or none."""
    return _gone(call, _named(call, asked.message_ids))


def _gone(call: ToolCall, messages: Sequence[Message]) -> Said:
    ids = [message.id for message in messages]
    store.delete(call.world, call.person.id, ids)
    return Said(f"Gone for good: {', '.join(ids)}.", {"messageIds": ids})


def _mover(name: str, title: str, says: str, verb: Verb) -> Tool:
    return tool(name, title, says, MessageId, _by(verb), repeats=True)


TOOLS = (
    tool(
        "modify_email",
        "Change labels",
        "Puts labels on a message and takes others off, by their ids.",
        ModifyEmail,
        modify_email,
        repeats=True,
    ),
    tool(
        "modify_thread",
        "Change labels of a conversation",
        "The same for all messages of a thread.",
        ModifyThread,
        modify_thread,
        repeats=True,
    ),
    tool(
        "batch_modify_emails",
        "Change labels of several",
        "The same for several messages, all or none.",
        ModifySeveral,
        batch_modify_emails,
        repeats=True,
    ),
    _mover("archive_email", "Archive", "Takes a message out of the inbox.", store.archive),
    _mover(
        "trash_email", "Move to trash", "Moves a message to the trash, where it can be had back.", store.trash
    ),
    _mover("untrash_email", "Take out of trash", "Takes a message out of the trash.", store.untrash),
    _mover("mark_as_read", "Mark read", "Marks a message read.", store.mark_read),
    _mover("mark_as_unread", "Mark unread", "Marks a message unread.", _mark_unread),
    _mover("report_spam", "Report spam", "Moves a message to spam.", store.report_spam),
    tool(
        "delete_email",
        "Delete for good",
        "Removes a message for good, past the trash.",
        MessageId,
        delete_email,
        destroys=True,
    ),
    tool(
        "batch_delete_emails",
        "Delete several for good",
        "Removes several messages for good, all or none.",
        Several,
        batch_delete_emails,
        destroys=True,
    ),
)
