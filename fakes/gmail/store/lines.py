"""Conversations as a list shows them, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.gmail.rules.labels import DRAFT, SCHEDULED, TRASH, UNREAD
from fakes.gmail.schema import Message
from fakes.gmail.store.folders import Ref
from fakes.gmail.store.mailbox import labels_of

if TYPE_CHECKING:
    from fakes.core.world import World

_UNSENT = frozenset((DRAFT, SCHEDULED))


@dataclass(frozen=True)
class Sender:
    """Who wrote in a conversation; `unread` if something of theirs is."""

    name: str
    email: str
    unread: bool


@dataclass(frozen=True)
class Line:
    """A conversation: the message it is listed for, how many there are, who wrote, what is on them.

    Of a conversation that lies in the trash in part, the rest alone counts. `drafts` are not among `count`.
    """

    message: Message
    count: int
    drafts: int
    senders: tuple[Sender, ...]
    labels: frozenset[str]
    files: tuple[str, ...]

    @property
    def unread(self) -> bool:
        """Whether a message of it is."""
        return UNREAD in self.labels


def lines(world: World, owner: str, refs: Sequence[Ref]) -> list[Line]:
    """The lines of conversations, in the order given; those that are gone are left out."""
    threads = [thread for _, thread in refs]
    marks = ", ".join("?" * len(threads))
    tail = f"INDEXED BY gmail_messages_1 WHERE owner = ? AND thread_id IN ({marks}) ORDER BY place"
    by_thread: dict[str, list[Message]] = {thread: [] for thread in threads}
    for message in world.all(Message, tail, (owner, *threads)):
        by_thread[message.thread_id].append(message)
    labels = labels_of(world, [each.id for messages in by_thread.values() for each in messages])
    found = []
    for message_id, thread in refs:
        messages = by_thread[thread]
        head = next((each for each in messages if each.id == message_id), None)
        if head is not None:  # a label may outlive its message in a broken world
            found.append(_line(head, messages, labels))
    return found


def _line(head: Message, messages: Sequence[Message], labels: dict[str, list[str]]) -> Line:
    in_trash = TRASH in labels[head.id]
    shown = [each for each in messages if (TRASH in labels[each.id]) == in_trash]
    sent = [each for each in shown if not _UNSENT.intersection(labels[each.id])]
    return Line(
        message=head,
        count=len(sent),
        drafts=sum(DRAFT in labels[each.id] for each in shown),
        senders=_senders(sent, labels),
        labels=frozenset(label for each in shown for label in labels[each.id]),
        files=tuple(name for each in shown for name in each.files.split("\n") if name),
    )


def _senders(messages: Iterable[Message], labels: dict[str, list[str]]) -> tuple[Sender, ...]:
    """Each once, in the order in which they began to write."""
    found: dict[str, Sender] = {}
    for each in messages:
        before = found.get(each.sender)
        unread = UNREAD in labels[each.id] or (before is not None and before.unread)
        found[each.sender] = Sender(each.sender_name or each.sender, each.sender, unread)
    return tuple(found.values())
