"""The post office: takes a mail from a person or a service and files a copy for everyone it reaches."""

from __future__ import annotations

from email.utils import format_datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from fakes.core import outbox
from fakes.core.capabilities import MailRefused, OutgoingMail
from fakes.core.clock import civil
from fakes.gmail.errors import (
    ForeignFrom,
    GoogleError,
    HeadersTooLong,
    InvalidHeader,
    InvalidThreadId,
    NotFound,
    RecipientRequired,
    TooLarge,
    TooManyParts,
    TooManyRecipients,
)
from fakes.gmail.rules import mime, parts
from fakes.gmail.rules.addresses import is_address, named
from fakes.gmail.rules.labels import INBOX, SENT, UNREAD
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.threads import bare_subject, is_id
from fakes.gmail.schema import Message, Source
from fakes.gmail.store.arriving import arrive
from fakes.gmail.store.filing import file_copy, keep_source, thread_for
from fakes.gmail.store.mailbox import thread_in

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World

MOST_BYTES = 25 * 1024 * 1024
MOST_RECIPIENTS = 500


def send(world: World, person: Person, raw: bytes, thread_id: str | None = None) -> Message:
    """Sends a person's mail; returns their own copy.

    An address at a domain of this world's people that is nobody's bounces: the sender gets a failure notice.
    Raises TooLarge, HeadersTooLong, InvalidHeader, TooManyParts, TooManyRecipients, ForeignFrom,
    RecipientRequired, InvalidThreadId, NotFound.
    """
    with world.tx() as tx:
        return send_into(tx, world, person, raw, _thread(world, person, raw, thread_id))


def send_into(tx: Tx, world: World, person: Person, raw: bytes, thread_id: str | None) -> Message:
    """The same inside a transaction, into a thread of the sender's own (None: a new one), unconditionally."""
    letter = check_sendable(raw)
    if letter.senders and [sender.email for sender in letter.senders] != [person.email]:
        raise ForeignFrom(letter.senders[0].email, person.email)
    letter = completed(tx, world, letter, person)
    source = keep_source(tx, letter)
    sent = _file_sent(tx, world, person, letter, source, thread_id)
    unknown = _distribute(tx, world, letter, source, but=person.email)
    if unknown:
        _bounce(tx, world, person, sent, unknown)
    return sent


def check_sendable(raw: bytes) -> Letter:
    """A mail that could be sent now. Raises what `send` raises for the mail alone."""
    letter = _read(raw)
    if not _recipients(letter):
        raise RecipientRequired()
    return letter


def _thread(world: World, person: Person, raw: bytes, thread_id: str | None) -> str | None:
    return thread_to_join(world, person, check_sendable(raw), thread_id) if thread_id else None


def deliver(world: World, mail: OutgoingMail) -> str:
    """The capability `mail.deliver`: sends for a person or a service; returns the Message-ID.

    A sender that is no person of this world, such as claims@desk.example, keeps no copy. Raises MailRefused,
    with nothing kept, for malformed addresses, for no recipients, for an address at a domain of this world's
    people that is nobody's, and for more than a mail may hold.
    """
    _check(world, mail)
    with world.tx() as tx:
        message_id = _new_message_id(tx, mail.sender)
        person = world.person(mail.sender)
        letter = _read_ours(world, mail, message_id, person)
        source = None
        if person is not None:
            source = keep_source(tx, letter)
            _file_sent(tx, world, person, letter, source, thread_for(world, person.id, letter))
        _distribute(tx, world, letter, source, but=person.email if person else "")
    return message_id


def _check(world: World, mail: OutgoingMail) -> None:
    recipients = (*mail.to, *mail.cc, *mail.bcc)
    if not recipients:
        raise MailRefused("no recipients")
    for address in (mail.sender, *recipients):
        if not is_address(address):
            raise MailRefused(f"malformed address {address!r}")
    for address in recipients:
        if world.person(address) is None and _is_ours(world, address):
            raise MailRefused(f"no such mailbox: {address}")


def _read_ours(world: World, mail: OutgoingMail, message_id: str, person: Person | None) -> Letter:
    """The mail of a service as it goes out. Raises MailRefused."""
    try:
        return _read(_written(world, mail, message_id, person))
    except (GoogleError, mime.BadHeader) as error:
        raise MailRefused(str(error)) from None


def read_draft(raw: bytes) -> Letter:
    """A mail that is being written: within all limits, its addresses as far as they are any.

    Raises TooLarge, HeadersTooLong, InvalidHeader, TooManyParts, TooManyRecipients.
    """
    return _read(raw, lenient=True)


def _read(raw: bytes, *, lenient: bool = False) -> Letter:
    """A mail that is within all limits. Raises as `read_draft` does."""
    if len(raw) > MOST_BYTES:
        raise TooLarge()
    try:
        mime.check(raw)
        letter = mime.read(raw, lenient=lenient)
    except mime.BadHeader as bad:
        raise InvalidHeader(str(bad)) from None
    except mime.LongHead:
        raise HeadersTooLong() from None
    except parts.TooComplex:
        raise TooManyParts() from None
    if len(_recipients(letter)) > MOST_RECIPIENTS:
        raise TooManyRecipients()
    return letter


def _written(world: World, mail: OutgoingMail, message_id: str, person: Person | None) -> bytes:
    headers = [
        ("From", named(mail.sender_name or (person.name if person else ""), mail.sender)),
        ("To", _line(world, mail.to)),
        ("Cc", _line(world, mail.cc)),
        ("Bcc", _line(world, mail.bcc)),
        ("Subject", mail.subject),
        ("Message-ID", message_id),
        ("Date", _date(world, person)),
    ]
    ours = {name.lower() for name, _ in headers}
    extra = [(name, value) for name, value in mail.headers.items() if name.lower() not in ours]
    return mime.write([*(field for field in headers if field[1]), *extra], mail.text, mail.html)


def _line(world: World, addresses: tuple[str, ...]) -> str:
    """Addresses as a header lists them, people of the world by name."""
    people = [(world.person(address), address) for address in addresses]
    return ", ".join(named(person.name if person else "", address) for person, address in people)


def completed(tx: Tx, world: World, letter: Letter, person: Person) -> Letter:
    """The letter with From, Message-ID and Date, where it came without."""
    add = []
    if not letter.senders:
        add.append(("From", named(person.name, person.email)))
    if not letter.message_id:
        add.append(("Message-ID", _new_message_id(tx, person.email)))
    if not letter.header("Date"):
        add.append(("Date", _date(world, person)))
    empty = [name for name, _ in add]
    if not add:
        return letter
    return mime.read(mime.edited(letter.raw, drop=empty, add=add), lenient=True)


def _new_message_id(tx: Tx, sender: str) -> str:
    return f"<{tx.new_id('gmail_rfc822', length=24)}@{_domain(sender)}>"


def _date(world: World, person: Person | None) -> str:
    return format_datetime(civil(world.now(), ZoneInfo(person.zone) if person else world.zone))


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()


def _recipients(letter: Letter) -> list[str]:
    return list(dict.fromkeys(address.email for address in (*letter.to, *letter.cc, *letter.bcc)))


def thread_to_join(world: World, person: Person, letter: Letter, thread_id: str) -> str | None:
    """The thread a sent mail named, if it may join. Raises InvalidThreadId, NotFound."""
    if not is_id(thread_id):
        raise InvalidThreadId()
    thread = thread_in(world, person.id, thread_id)
    if not thread:
        raise NotFound()
    same = bare_subject(thread[-1].subject) == bare_subject(letter.subject)
    return thread_id if same and letter.references else None


def _file_sent(
    tx: Tx, world: World, person: Person, letter: Letter, source: Source, thread_id: str | None
) -> Message:
    """The sender's copy; who writes to themselves has one message that is both sent and received."""
    labels = (SENT, INBOX, UNREAD) if person.email in _recipients(letter) else (SENT,)
    return file_copy(tx, world, person.id, letter, source, labels, thread_id)


def _distribute(tx: Tx, world: World, letter: Letter, source: Source | None, but: str) -> list[str]:
    """Files a copy for each recipient but one; returns the addresses that are nobody's.

    `source` is the sender's; who receives a mail with a Bcc header reads another one.
    """
    recipients = _recipients(letter)
    if letter.header("Bcc"):
        letter, source = mime.read(mime.edited(letter.raw, drop=["Bcc"])), None
    unknown = []
    for address in recipients:
        person = world.person(address)
        if address == but:
            continue
        if person is None and _is_ours(world, address):
            unknown.append(address)
            continue
        source = source or keep_source(tx, letter)
        if person is not None:
            arrive(tx, world, person, letter, source)
        else:
            _hand_out(tx, world, letter, source, address)
    return unknown


def _hand_out(tx: Tx, world: World, letter: Letter, source: Source, address: str) -> None:
    """Leaves a mail for somebody outside the world in the outbox."""
    payload = {
        "message_id": letter.message_id,
        "sender": letter.senders[0].email,
        "subject": letter.subject,
        "source_id": source.id,
    }
    outbox.put(tx, service="gmail", kind="mail", receiver=address, created_at=world.now(), payload=payload)


def _is_ours(world: World, address: str) -> bool:
    """Whether the world's people have addresses at this domain."""
    sql = "SELECT EXISTS (SELECT 1 FROM people WHERE substr(email, instr(email, '@') + 1) = ?)"
    return bool(world.select(sql, (_domain(address),))[0][0])


def _bounce(tx: Tx, world: World, person: Person, sent: Message, unknown: list[str]) -> None:
    """Tells the sender whom the mail did not reach, in the thread of what was sent."""
    daemon = f"mailer-daemon@{_domain(person.email)}"
    headers = [
        ("From", named("Mail Delivery Subsystem", daemon)),
        ("To", person.email),
        ("Subject", "Delivery Status Notification (Failure)"),
        ("Message-ID", _new_message_id(tx, daemon)),
        ("Date", _date(world, None)),
        ("In-Reply-To", sent.rfc822_id),
        ("References", sent.rfc822_id),
        ("Auto-Submitted", "auto-replied"),
        ("X-Failed-Recipients", ", ".join(unknown)),
    ]
    lines = "".join(f"  {address}\n" for address in unknown)
    text = f"Your message was not delivered: there is no mailbox for\n\n{lines}\nSubject: {sent.subject}\n"
    notice = mime.read(mime.write(headers, text))
    file_copy(tx, world, person.id, notice, keep_source(tx, notice), (INBOX, UNREAD), sent.thread_id)
