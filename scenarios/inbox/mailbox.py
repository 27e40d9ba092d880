"""Mira's mailbox as guards read it at the end: labels that moved, mails that went out."""

from __future__ import annotations

from collections.abc import Iterable

from fakes.gmail.reading import ReadMail, read_mail
from fakes.gmail.schema import Message, MessageLabel, Source
from harness.evidence import End
from scenarios.inbox.seed import Facts


def labels_at_end(end: End, *messages: Message) -> dict[str, set[str]]:
    """The labels of each message, by its id, as they are now."""
    found: dict[str, set[str]] = {message.id: set() for message in messages}
    for row in end.all(MessageLabel):
        if row.message_id in found:
            found[row.message_id].add(str(row.label))
    return found


def put_on(end: End, label: str, *, but: Iterable[Message] = ()) -> set[str]:
    """The ids of messages that were there before and have this label newly, but for some."""
    known = {row.id for row in end.was(Message)} - {message.id for message in but}
    return {str(row.message_id) for row in end.new(MessageLabel) if row.label == label} & known


def taken_off(end: End, label: str, *, but: Iterable[Message] = ()) -> set[str]:
    """The ids of messages that are there still and have this label no longer, but for some."""
    there = {row.id for row in end.all(Message)} - {message.id for message in but}
    return {str(row.message_id) for row in end.gone(MessageLabel) if row.label == label} & there


def other_marks(end: End, *expected: str) -> set[tuple[str, str]]:
    """Message ids and labels, none of `expected`, that were put on or taken off messages of before."""
    known = {row.id for row in end.was(Message)} & {row.id for row in end.all(Message)}
    moved = [*end.new(MessageLabel), *end.gone(MessageLabel)]
    return {
        (str(row.message_id), str(row.label))
        for row in moved
        if row.message_id in known and row.label not in expected
    }


def sent_by_mira(row: Message, facts: Facts) -> bool:
    """Whether a message is her own copy of a mail that she wrote."""
    return row.owner == facts.mira.id and row.sender == facts.mira.email


def mail_of(end: End, message: Message) -> ReadMail:
    """What a message's mail holds; nothing at all if its bytes are gone."""
    sources = end.all(Source, "WHERE id = ?", (message.source_id,))
    raw: object = sources[0].raw if sources else b""
    return read_mail(raw if isinstance(raw, bytes) else b"")


def subjects_of(end: End, ids: Iterable[str]) -> str:
    """The subjects of messages as a sentence lists them."""
    wanted = set(ids)
    return ", ".join(repr(row.subject) for row in end.was(Message) if row.id in wanted)
