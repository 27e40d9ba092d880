"""What becomes of a mail that arrives in somebody's mailbox. The caller has a transaction open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.gmail.rules.categories import category_of
from fakes.gmail.rules.labels import INBOX, MUTED, SPAM, TRASH, UNREAD
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.trace import is_flagged
from fakes.gmail.schema import Settings, Source
from fakes.gmail.store import filters, vacation
from fakes.gmail.store.addresses import is_own_address
from fakes.gmail.store.filing import file_copy, thread_for
from fakes.gmail.store.mailbox import thread_of
from fakes.gmail.store.onward import Onward
from fakes.gmail.store.relaying import forwarded, is_forwarding, left_behind

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World

_SPAM_LOOKED_AT = 200
"""The newest mails in spam, among which a sender is looked for."""


@dataclass(frozen=True)
class Sorted:
    """Which labels a mail gets as it arrives, and where filters send it on to."""

    labels: tuple[str, ...]
    forward: tuple[str, ...]


def arrive(
    tx: Tx, world: World, person: Person, letter: Letter, source: Source, address: str, answers: str = ""
) -> list[Onward]:
    """Files a mail that came to an address of this person, into the thread that it belongs to; that of the
    mail with the Message-ID `answers`, if they have it.

    Returns the mails that follow from it: forwarded ones, and an answer of somebody who is away.
    """
    thread = thread_of(world, person.id, answers) or thread_for(world, person.id, letter)
    found = sort(world, person, letter, address, thread)
    labels, forward = found.labels, list(found.forward)
    settings = world.get(Settings, person.id)
    if settings is not None and is_forwarding(world, settings) and SPAM not in labels:
        forward.append(settings.forwarding_email)
        labels = left_behind(settings.forwarding_disposition, labels)
    file_copy(tx, world, person.id, letter, source, labels, thread, delivered_to=address)
    onward = [each for to in dict.fromkeys(forward) if (each := forwarded(person, letter, to))]
    if settings is not None and settings.vacation_enabled and SPAM not in labels:
        onward += vacation.answers(tx, world, person, settings, letter)
    return onward


def sort(world: World, person: Person, letter: Letter, address: str, thread: str | None) -> Sorted:
    """Inbox, spam or archive, category, and what the person's filters do."""
    labels = {INBOX, UNREAD, category_of(letter)}
    if thread is not None and _is_muted(world, person.id, thread):
        labels.add(MUTED)
        if not _is_to_alone(world, person, letter):
            labels.discard(INBOX)
    if _is_spam(world, person.id, letter):
        labels = (labels | {SPAM}) - {INBOX}
    done = filters.apply(world, person, letter, address, labels)
    if SPAM in labels and SPAM in done.remove:
        labels.add(INBOX)
    labels = (labels | set(done.add)) - set(done.remove)
    if labels & {SPAM, TRASH}:
        labels.discard(INBOX)
    return Sorted(tuple(sorted(labels)), () if SPAM in labels else done.forward)


def _is_muted(world: World, owner: str, thread: str) -> bool:
    sql = "SELECT EXISTS (SELECT 1 FROM gmail_message_labels WHERE owner = ? AND label = ? AND thread_id = ?)"
    return bool(world.select(sql, (owner, MUTED, thread))[0][0])


def _is_to_alone(world: World, person: Person, letter: Letter) -> bool:
    """Whether the person is the only one that a mail is addressed to: that comes back to the inbox though
    its conversation is muted (support.google.com/mail/answer/47787).
    """
    people = (*letter.to, *letter.cc)
    return bool(people) and all(is_own_address(world, person, each.email) for each in people)


def _is_spam(world: World, owner: str, letter: Letter) -> bool:
    """Marked on the way, or from a sender whose mail lies in this mailbox's spam already: what somebody
    reports as spam goes there next time (support.google.com/mail/answer/1366858).
    """
    if is_flagged(letter.raw):
        return True
    sql = (
        "SELECT EXISTS (SELECT 1 FROM (SELECT message_id FROM gmail_message_labels WHERE owner = ? AND"
        f" label = 'SPAM' ORDER BY place DESC LIMIT {_SPAM_LOOKED_AT}) l"
        " JOIN gmail_messages m ON m.id = l.message_id WHERE m.sender = ?)"
    )
    sender = letter.senders[0].email if letter.senders else ""
    return bool(sender and world.select(sql, (owner, sender))[0][0])
