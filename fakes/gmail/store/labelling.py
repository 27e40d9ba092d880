"""Labels on messages: what moves mail between inbox, archive, spam and trash, marks it read, stars it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fakes.gmail.errors import InvalidLabel, LabelNotFound
from fakes.gmail.rules.labels import IMMUTABLE, INBOX, SPAM, SYSTEM, TRASH, UNREAD, is_own_id
from fakes.gmail.schema import Message, MessageLabel, UserLabel
from fakes.gmail.store.filing import put_label
from fakes.gmail.store.history import LABELLED, UNLABELLED, Diary
from fakes.gmail.store.mailbox import labels_of, messages_in

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World


def relabel(
    world: World,
    owner: str,
    message_ids: Sequence[str],
    *,
    add: Iterable[str] = (),
    remove: Iterable[str] = (),
) -> list[Message]:
    """Puts labels on messages of this mailbox and takes others off; returns the messages that were found.

    A label named both ways is put on. Raises InvalidLabel or LabelNotFound, with nothing changed, for one
    that nobody may put on or take off, or that the mailbox lacks.
    """
    wanted = tuple(dict.fromkeys(add))
    unwanted = tuple(label for label in dict.fromkeys(remove) if label not in wanted)
    for label in (*wanted, *unwanted):
        check_label(world, owner, label)
        if label in IMMUTABLE:
            raise InvalidLabel(label)
    with world.tx() as tx:
        return mark(tx, world, owner, message_ids, add=wanted, remove=unwanted)


def check_label(world: World, owner: str, label: str) -> None:
    """Raises InvalidLabel or LabelNotFound for what is no label of this mailbox."""
    if not has_label(world, owner, label):
        raise LabelNotFound() if is_own_id(label) else InvalidLabel(label)


def has_label(world: World, owner: str, label: str) -> bool:
    """Whether this is a system label, or one of the mailbox's own."""
    return label in SYSTEM or world.get(UserLabel, owner, label) is not None


def mark(
    tx: Tx, world: World, owner: str, message_ids: Sequence[str], *, add: Iterable[str] = (),
    remove: Iterable[str] = (), place: int | None = None,
) -> list[Message]:  # fmt: skip
    """The same for any label, unchecked, inside a transaction; `place` is that of the labels put on."""
    messages = messages_in(world, owner, message_ids)
    labels = labels_of(world, [message.id for message in messages])
    changes = [
        (message, [each for each in add if each not in has], [each for each in remove if each in has])
        for message in messages
        for has in (labels[message.id],)
    ]
    if not any(put or taken for _, put, taken in changes):
        return messages
    with Diary(tx, world, owner) as diary:
        for message, put, taken in changes:
            for label in put:
                put_label(tx, message, label, place)
            for label in taken:
                tx.execute(
                    "DELETE FROM gmail_message_labels WHERE message_id = ? AND label = ?", (message.id, label)
                )
            if put:
                diary.note(message, LABELLED, put)
            if taken:
                diary.note(message, UNLABELLED, taken)
    return messages


def mark_read(world: World, owner: str, message_ids: Sequence[str]) -> int:
    """Takes UNREAD from messages of this mailbox; returns from how many."""
    unread = [row for i in message_ids if (row := world.get(MessageLabel, i, UNREAD)) and row.owner == owner]
    if unread:
        relabel(world, owner, [row.message_id for row in unread], remove=[UNREAD])
    return len(unread)


def archive(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Takes messages out of the inbox and leaves them where else they are."""
    return relabel(world, owner, message_ids, remove=[INBOX])


def trash(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Moves messages to the trash, out of inbox and spam."""
    return relabel(world, owner, message_ids, add=[TRASH], remove=[INBOX, SPAM])


def untrash(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Takes messages out of the trash; they do not come back to the inbox by that."""
    return relabel(world, owner, message_ids, remove=[TRASH])


def report_spam(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Moves messages to spam, out of inbox and trash."""
    return relabel(world, owner, message_ids, add=[SPAM], remove=[INBOX, TRASH])


def not_spam(world: World, owner: str, message_ids: Sequence[str]) -> list[Message]:
    """Moves messages back from spam to the inbox."""
    return relabel(world, owner, message_ids, add=[INBOX], remove=[SPAM])
