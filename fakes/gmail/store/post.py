"""The post office: takes a mail from a person or a service and has it carried to all that it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.core.capabilities import MailRefused, OutgoingMail
from fakes.gmail.errors import GoogleError
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import is_address, named
from fakes.gmail.rules.labels import CATEGORIES, SENT
from fakes.gmail.rules.mime import Letter
from fakes.gmail.schema import Message, Source
from fakes.gmail.store.addresses import is_ours, owner_of
from fakes.gmail.store.arriving import sort
from fakes.gmail.store.bouncing import bounce
from fakes.gmail.store.carrying import Owners, carry, owners
from fakes.gmail.store.filing import file_copy, keep_source, thread_for
from fakes.gmail.store.outgoing import (
    check_sendable,
    date_now,
    new_message_id,
    read_letter,
    recipients_of,
    signed,
    thread_to_join,
)

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World


def send(world: World, person: Person, raw: bytes, thread_id: str | None = None) -> Message:
    """Sends a person's mail; returns their own copy.

    An address at a domain of this world's people that is nobody's bounces: the sender gets a failure notice.
    Raises TooLarge, HeadersTooLong, InvalidHeader, TooManyParts, TooManyRecipients, RecipientRequired,
    InvalidThreadId, NotFound.
    """
    letter = check_sendable(raw)
    thread = thread_to_join(world, person, letter, thread_id) if thread_id else None
    with world.tx() as tx:
        return send_letter(tx, world, person, letter, thread)


def send_letter(tx: Tx, world: World, person: Person, letter: Letter, thread_id: str | None) -> Message:
    """The same inside a transaction, of a letter that can be sent, into a thread of the sender's own (None: a
    new one), unconditionally.
    """
    letter = signed(tx, world, letter, person)
    source = keep_source(tx, letter)
    found = owners(world, recipients_of(letter))
    sent = _file_sent(tx, world, person, letter, source, thread_id, found)
    unknown = carry(tx, world, letter, source, found, but=person.id)
    if unknown:
        bounce(tx, world, person, sent, letter, unknown)
    return sent


def _file_sent(
    tx: Tx, world: World, person: Person, letter: Letter, source: Source, thread_id: str | None, found: Owners
) -> Message:
    """The sender's copy; who writes to themselves has one message that is both sent and received."""
    labels = {SENT}
    if any(owner is not None and owner.id == person.id for owner in found.values()):
        labels |= set(sort(world, person, letter, person.email, thread_id).labels).difference(CATEGORIES)
    return file_copy(tx, world, person.id, letter, source, sorted(labels), thread_id)


def deliver(world: World, mail: OutgoingMail) -> str:
    """The capability `mail.deliver`: sends for a person or a service; returns the Message-ID.

    A sender that is no person of this world, such as claims@desk.example, keeps no copy. Raises MailRefused,
    with nothing kept, for malformed addresses, for no recipients, for an address at a domain of this world's
    people that is nobody's, and for more than a mail may hold.
    """
    _check(world, mail)
    with world.tx() as tx:
        message_id = new_message_id(tx, mail.sender)
        person = world.person(mail.sender)
        letter = read_ours(world, mail, message_id, person)
        found = owners(world, recipients_of(letter))
        source = None
        if person is not None:
            source = keep_source(tx, letter)
            _file_sent(tx, world, person, letter, source, thread_for(world, person.id, letter), found)
        carry(tx, world, letter, source, found, but=person.id if person else "")
    return message_id


def _check(world: World, mail: OutgoingMail) -> None:
    recipients = (*mail.to, *mail.cc, *mail.bcc)
    if not recipients:
        raise MailRefused("no recipients")
    for address in (mail.sender, *recipients):
        if not is_address(address):
            raise MailRefused(f"malformed address {address!r}")
    for address in recipients:
        if owner_of(world, address) is None and is_ours(world, address):
            raise MailRefused(f"no such mailbox: {address}")


def read_ours(world: World, mail: OutgoingMail, message_id: str, person: Person | None) -> Letter:
    """The mail of a service as it goes out. Raises MailRefused."""
    try:
        return read_letter(_written(world, mail, message_id, person))
    except (GoogleError, mime.BadHeader) as error:
        raise MailRefused(str(error)) from None


def _written(world: World, mail: OutgoingMail, message_id: str, person: Person | None) -> bytes:
    headers = [
        ("From", named(mail.sender_name or (person.name if person else ""), mail.sender)),
        ("To", _line(world, mail.to)),
        ("Cc", _line(world, mail.cc)),
        ("Bcc", _line(world, mail.bcc)),
        ("Subject", mail.subject),
        ("Message-ID", message_id),
        ("Date", date_now(world, person)),
    ]
    ours = {name.lower() for name, _ in headers}
    extra = [(name, value) for name, value in mail.headers.items() if name.lower() not in ours]
    return mime.write([*(field for field in headers if field[1]), *extra], mail.text, mail.html, mail.files)


def _line(world: World, addresses: tuple[str, ...]) -> str:
    """Addresses as a header lists them, people of the world by name."""
    people = [(world.person(address), address) for address in addresses]
    return ", ".join(named(person.name if person else "", address) for person, address in people)
