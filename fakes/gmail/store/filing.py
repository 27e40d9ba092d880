"""Filing copies into a mailbox and taking them out again. The caller has a transaction open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fakes.core.ids import HEX
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.places import place_of
from fakes.gmail.rules.threads import bare_subject
from fakes.gmail.schema import Message, MessageLabel, Source
from fakes.gmail.store import words
from fakes.gmail.store.history import ADDED, DELETED, Diary
from fakes.gmail.store.mailbox import labels_of

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

MESSAGE_ID: dict[str, Any] = {"length": 16, "alphabet": HEX}
SOURCE_ID: dict[str, Any] = {"prefix": "src_"}
"""What their ids look like: see `Ids.text`."""


def keep_source(tx: Tx, letter: Letter) -> Source:
    """Stores a mail's bytes and text, once for all copies that read the same."""
    source = Source(id=tx.new_id("gmail_source", **SOURCE_ID), raw=letter.raw, text=letter.text)
    return tx.insert(source)


def file_copy(
    tx: Tx,
    world: World,
    owner: str,
    letter: Letter,
    source: Source,
    labels: Iterable[str],
    thread_id: str | None = None,
    *,
    received_at: int | None = None,
    delivered_to: str = "",
) -> Message:
    """Puts a copy into a mailbox: into the thread named, else into a new one of its own.

    It was received now, unless an instant (UTC ms) is told, at the address `delivered_to`.
    """
    message = tx.insert(
        copied(
            owner, letter, source, thread_id,
            message_id=tx.new_id("gmail_message", **MESSAGE_ID),
            seq=tx.seq("gmail_message"),
            received_at=world.now() if received_at is None else received_at,
            delivered_to=delivered_to,
        )
    )  # fmt: skip
    given = tuple(dict.fromkeys(labels))
    tx.insert_all([_labelled(message, label, message.place) for label in given])
    words.index(tx, message, letter)
    with Diary(tx, world, owner) as diary:
        diary.note(message, ADDED, sorted(given))
        diary.count(1, int(thread_id is None))
    return message


def copied(
    owner: str, letter: Letter, source: Source, thread_id: str | None, *, message_id: str, seq: int,
    received_at: int, delivered_to: str,
) -> Message:  # fmt: skip
    """The row of a copy; see `file_copy`."""
    sender = letter.senders[0] if letter.senders else None
    everyone = ", ".join(dict.fromkeys(address.email for address in (*letter.to, *letter.cc, *letter.bcc)))
    return Message(
        id=message_id,
        seq=seq,
        owner=owner,
        thread_id=thread_id or message_id,
        source_id=source.id,
        rfc822_id=letter.message_id,
        received_at=received_at,
        place=place_of(received_at, seq),
        sender=sender.email if sender else "",
        sender_name=sender.name if sender else "",
        recipients=everyone,
        subject=letter.subject,
        snippet=letter.snippet,
        size=len(source.raw),
        files="\n".join(letter.files),
        delivered_to=delivered_to,
    )


def put_label(tx: Tx, message: Message, label: str, place: int | None = None) -> None:
    """Puts a label on a message; `place` is where that label's list shows it, if not at the message's own."""
    tx.insert(_labelled(message, label, message.place if place is None else place))


def _labelled(message: Message, label: str, place: int) -> MessageLabel:
    return MessageLabel(
        message_id=message.id, label=label, owner=message.owner, thread_id=message.thread_id, place=place
    )


def take_out(tx: Tx, world: World, owner: str, messages: Sequence[Message]) -> None:
    """Removes messages of one mailbox for good. The mail itself stays for whoever else has it."""
    labels = labels_of(world, [message.id for message in messages])
    with Diary(tx, world, owner) as diary:
        for message in messages:
            tx.execute("DELETE FROM gmail_message_labels WHERE message_id = ?", (message.id,))
            words.forget(tx, message)
            tx.delete(message)
            diary.note(message, DELETED, labels[message.id])
        emptied = {message.thread_id for message in messages}
        emptied -= _threads_left(world, owner, sorted(emptied))
        diary.count(-len(messages), -len(emptied))


def _threads_left(world: World, owner: str, thread_ids: Sequence[str]) -> set[str]:
    marks = ", ".join("?" * len(thread_ids))
    sql = f"SELECT DISTINCT thread_id FROM gmail_messages WHERE owner = ? AND thread_id IN ({marks})"
    return {row[0] for row in world.select(sql, (owner, *thread_ids))}


def thread_for(world: World, owner: str, letter: Letter) -> str | None:
    """The thread of this mailbox that a received mail belongs to, going by its headers and subject."""
    subject = bare_subject(letter.subject)
    tail = "INDEXED BY gmail_messages_2 WHERE owner = ? AND rfc822_id = ? ORDER BY seq DESC"
    for reference in reversed(letter.references):
        for message in world.all(Message, tail, (owner, reference)):
            if bare_subject(message.subject) == subject:
                return message.thread_id
    return None
