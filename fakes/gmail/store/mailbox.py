"""One mailbox: its messages and their labels, and filing a copy into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fakes.core.ids import HEX
from fakes.gmail.rules.labels import UNREAD
from fakes.gmail.rules.mime import Letter, read
from fakes.gmail.rules.threads import bare_subject
from fakes.gmail.schema import HistoryEntry, Mailbox, Message, MessageLabel, Source

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

MOST_COUNTED = 1000
"""Counts shown on pages stop here, so that no page costs more in a big mailbox."""

_INDEX = (
    "INSERT INTO gmail_search (rowid, owner, sender, recipients, subject, body) VALUES (?, ?, ?, ?, ?, ?)"
)


# reading


def mailbox_of(world: World, owner: str) -> Mailbox:
    """A person's totals; all 0 before the first message."""
    empty = Mailbox(owner=owner, history_id=1, messages_total=0, threads_total=0)
    return world.get(Mailbox, owner) or empty


def message_in(world: World, owner: str, message_id: str) -> Message | None:
    """The message with this id, if it lies in this mailbox."""
    message = world.get(Message, message_id)
    return message if message is not None and message.owner == owner else None


def source_of(world: World, message: Message) -> Source:
    """The bytes and the text of a message; empty where the row is gone."""
    return world.get(Source, message.source_id) or Source(id=message.source_id, raw=b"", text="")


def thread_in(world: World, owner: str, thread_id: str) -> list[Message]:
    """The messages of a thread in this mailbox, oldest first."""
    return world.all(
        Message, "WHERE owner = ? AND thread_id = ? ORDER BY received_at, seq", (owner, thread_id)
    )


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


# writing; the caller has a transaction open


def keep_source(tx: Tx, letter: Letter) -> Source:
    """Stores a mail's bytes and text, once for all copies that read the same."""
    source = Source(id=tx.new_id("gmail_source", prefix="src_"), raw=letter.raw, text=letter.text)
    return tx.insert(source)


def file_copy(
    tx: Tx,
    world: World,
    owner: str,
    letter: Letter,
    source: Source,
    labels: Iterable[str],
    thread_id: str | None = None,
) -> Message:
    """Puts a copy into a mailbox: into the thread named, else into a new one of its own."""
    message_id = tx.new_id("gmail_message", length=16, alphabet=HEX)
    sender = letter.senders[0]
    everyone = ", ".join(dict.fromkeys(address.email for address in (*letter.to, *letter.cc, *letter.bcc)))
    message = tx.insert(
        Message(
            id=message_id,
            seq=tx.seq("gmail_message"),
            owner=owner,
            thread_id=thread_id or message_id,
            source_id=source.id,
            rfc822_id=letter.message_id,
            received_at=world.now(),
            sender=sender.email,
            sender_name=sender.name,
            recipients=everyone,
            subject=letter.subject,
            snippet=letter.snippet,
            size=len(source.raw),
        )
    )
    for label in labels:
        _put_label(tx, message, label)
    _index(tx, message, letter)
    mailbox = _mailbox(tx, world, owner)
    mailbox = _happened(tx, mailbox, message.id, "messageAdded", ())
    tx.update(
        mailbox,
        messages_total=mailbox.messages_total + 1,
        threads_total=mailbox.threads_total + (thread_id is None),
    )
    return message


def thread_for(world: World, owner: str, letter: Letter) -> str | None:
    """The thread of this mailbox that a received mail belongs to, going by its headers and subject."""
    subject = bare_subject(letter.subject)
    tail = "INDEXED BY gmail_messages_2 WHERE owner = ? AND rfc822_id = ? ORDER BY seq DESC"
    for reference in reversed(letter.references):
        for message in world.all(Message, tail, (owner, reference)):
            if bare_subject(message.subject) == subject:
                return message.thread_id
    return None


def mark_read(world: World, owner: str, message_ids: Sequence[str]) -> int:
    """Takes UNREAD from messages of this mailbox; returns from how many."""
    unread = [row for i in message_ids if (row := world.get(MessageLabel, i, UNREAD)) and row.owner == owner]
    if not unread:
        return 0
    with world.tx() as tx:
        mailbox = _mailbox(tx, world, owner)
        for row in unread:
            tx.delete(row)
            mailbox = _happened(tx, mailbox, row.message_id, "labelsRemoved", (UNREAD,))
    return len(unread)


def _put_label(tx: Tx, message: Message, label: str) -> None:
    tx.insert(
        MessageLabel(
            message_id=message.id, label=label, owner=message.owner, thread_id=message.thread_id,
            received_at=message.received_at, seq=message.seq,
        )
    )  # fmt: skip


def owner_word(owner: str) -> str:
    """A mailbox's owner as one word of the index: no letter that parts words there."""
    return owner.replace("_", "")


def _index(tx: Tx, message: Message, letter: Letter) -> None:
    people = (*letter.to, *letter.cc, *letter.bcc)
    recipients = " ".join(f"{address.name} {address.email}" for address in people)
    sender = f"{message.sender_name} {message.sender}"
    words = (message.seq, owner_word(message.owner), sender, recipients, message.subject, letter.text)
    tx.execute(_INDEX, words)


def reindex(world: World, tx: Tx) -> None:
    """Makes the index of words anew from the stored mails."""
    tx.execute("INSERT INTO gmail_search (gmail_search) VALUES ('delete-all')")
    letters: dict[str, Letter] = {}
    for message in world.all(Message, "ORDER BY seq"):
        if message.source_id not in letters:
            letters[message.source_id] = read(source_of(world, message).raw)
        _index(tx, message, letters[message.source_id])


def _mailbox(tx: Tx, world: World, owner: str) -> Mailbox:
    found = world.get(Mailbox, owner)
    return found if found is not None else tx.insert(mailbox_of(world, owner))


def _happened(tx: Tx, mailbox: Mailbox, message_id: str, kind: str, labels: Sequence[str]) -> Mailbox:
    entry = HistoryEntry(
        owner=mailbox.owner,
        id=mailbox.history_id + 1,
        message_id=message_id,
        kind=kind,
        labels=" ".join(labels),
    )
    tx.insert(entry)
    return tx.update(mailbox, history_id=entry.id)
