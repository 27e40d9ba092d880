"""A mail as its sender hands it in: its limits, what is missing in it, whose name is on it."""

from __future__ import annotations

from email.utils import format_datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from fakes.core.clock import civil
from fakes.gmail.errors import (
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
from fakes.gmail.rules.addresses import named
from fakes.gmail.rules.amending import amended
from fakes.gmail.rules.mime import Letter
from fakes.gmail.rules.threads import bare_subject, is_id
from fakes.gmail.store.addresses import domain_of, usable_alias
from fakes.gmail.store.mailbox import thread_in
from fakes.gmail.store.settings import default_send_as

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World
    from fakes.gmail.schema import SendAs

MOST_BYTES = 25 * 1024 * 1024
MOST_RECIPIENTS = 500
Header = tuple[str, str]


def read_letter(raw: bytes, *, lenient: bool = False, most: int = MOST_BYTES) -> Letter:
    """A mail within all limits, up to `most` bytes long; if `lenient`, its addresses as far as they are any.

    Raises TooLarge, HeadersTooLong, InvalidHeader, TooManyParts, TooManyRecipients.
    """
    if len(raw) > most:
        raise TooLarge()
    try:
        letter = mime.read(raw, lenient=lenient, strict=True)
    except mime.BadHeader as bad:
        raise InvalidHeader(str(bad)) from None
    except mime.LongHead:
        raise HeadersTooLong() from None
    except parts.TooComplex:
        raise TooManyParts() from None
    if len(recipients_of(letter)) > MOST_RECIPIENTS:
        raise TooManyRecipients()
    return letter


def read_draft(raw: bytes) -> Letter:
    """A mail that is being written. Raises as `read_letter` does."""
    return read_letter(raw, lenient=True)


def check_sendable(raw: bytes) -> Letter:
    """A mail that could be sent now. Raises what `send` raises for the mail alone."""
    letter = read_letter(raw)
    if not recipients_of(letter):
        raise RecipientRequired()
    return letter


def recipients_of(letter: Letter) -> list[str]:
    """Everyone in To, Cc and Bcc, each once."""
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


def completed(tx: Tx, world: World, letter: Letter, person: Person) -> Letter:
    """The letter with From, Message-ID and Date, where it came without."""
    missing = [] if letter.senders else [("From", _from(world, person))]
    return _with(tx, world, letter, person, missing)


def signed(tx: Tx, world: World, letter: Letter, person: Person) -> Letter:
    """The same, with a From that the sender may use: their own address or an accepted alias.

    Any other is replaced by the default one without a word, its name kept, as Gmail does (measured:
    github.com/taylorwilsdon/google_workspace_mcp/pull/1075). An alias brings its Reply-To along, where the
    letter has none (reference of SendAs.replyToAddress).
    """
    changed: list[Header] = []
    given = letter.senders[0] if len(letter.senders) == 1 else None
    alias = usable_alias(world, person, given.email) if given else None
    if given is None or (alias is None and given.email != person.email):
        alias = default_send_as(world, person)
        changed = [("From", _from(world, person, alias, given.name if given else ""))]
    if alias is not None and alias.reply_to and not letter.reply_to:
        changed.append(("Reply-To", alias.reply_to))
    return _with(tx, world, letter, person, changed)


def _from(world: World, person: Person, alias: SendAs | None = None, name: str = "") -> str:
    alias = alias or default_send_as(world, person)
    return named(name or alias.display_name or person.name, alias.email)


def _with(tx: Tx, world: World, letter: Letter, person: Person, changed: list[Header]) -> Letter:
    if not letter.message_id:
        changed.append(("Message-ID", new_message_id(tx, person.email)))
    if not letter.header("Date"):
        changed.append(("Date", date_now(world, person)))
    if not changed:
        return letter
    return amended(letter, drop=[name for name, _ in changed], add=changed)


def new_message_id(tx: Tx, sender: str) -> str:
    """A Message-ID at the sender's domain."""
    return f"<{tx.new_id('gmail_rfc822', length=24)}@{domain_of(sender)}>"


def date_now(world: World, person: Person | None) -> str:
    """A Date header of now, in the person's zone or else the world's."""
    return _dated(world.now(), ZoneInfo(person.zone) if person else world.zone)


@lru_cache(maxsize=1024)
def _dated(at_ms: int, zone: ZoneInfo) -> str:
    return format_datetime(civil(at_ms, zone))
