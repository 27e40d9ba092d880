"""Builders of mail for a scenario's seed: `mail(w, mira, tom, "Lunch", "At noon?", day=-3, time="11:40")`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date
from functools import cache
from zoneinfo import ZoneInfo

from fakes.core.capabilities import Attachment, OutgoingMail
from fakes.core.people import Person
from fakes.core.seeding import Seed
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.schema import Draft, Filter, Mailbox, Message, SearchZone, Settings, UserLabel
from fakes.gmail.store import Wanted
from fakes.gmail.store.filling import Filling, Posted

__all__ = ["Attachment", "Correspondent", "Mail", "Wanted", "draft", "label", "labelled", "mail",
           "mail_filter", "mailbox", "mails", "search_zone", "vacation"]  # fmt: skip
Correspondent = Person | str


def mailbox(w: Seed, person: Person) -> Mailbox:
    """A person's mailbox, empty if nothing was mailed yet. Mail makes one by itself."""
    found = w.world.get(Mailbox, person.id)
    return found or w.insert(store.mailbox_of(w.world, person.id))


@dataclass(frozen=True)
class Mail:
    """A mail for `mails`; its fields are the arguments of `mail`.

    `reply_to` may also be the number of a mail before it in the same list, from 0.
    """

    sender: Correspondent
    to: Correspondent | Iterable[Correspondent]
    subject: str
    text: str
    day: date | int | None = None
    time: str = "09:00"
    sender_name: str = ""
    html: str = ""
    cc: Iterable[Correspondent] = ()
    reply_to: str | int | None = None
    read: bool = False
    headers: Mapping[str, str] | None = None
    files: Iterable[Attachment] = ()


def mail(
    w: Seed,
    sender: Correspondent,
    to: Correspondent | Iterable[Correspondent],
    subject: str,
    text: str,
    *,
    day: date | int | None = None,
    time: str = "09:00",
    sender_name: str = "",
    html: str = "",
    cc: Iterable[Correspondent] = (),
    reply_to: str | None = None,
    read: bool = False,
    headers: Mapping[str, str] | None = None,
    files: Iterable[Attachment] = (),
) -> str:
    """A mail delivered at `time` on `day` (a date, or days from today; None: now); returns its Message-ID.

    Senders that are no persons are bare addresses. `reply_to` is the Message-ID of the mail it answers;
    `read` opens it for everyone who got it. Raises MailRefused.
    """
    given = Mail(sender, to, subject, text, day, time, sender_name, html, cc, reply_to, read, headers, files)
    with nullcontext() if day is None else w.on(day, time):
        message_id = store.deliver(w.world, _outgoing(given, reply_to))
        if read:
            _open(w, message_id)
    return message_id


def mails(w: Seed, given: Iterable[Mail]) -> list[str]:
    """Delivers mails in this order, as `mail` does and much faster; returns their Message-IDs.

    Raises MailRefused.
    """
    found: list[str] = []
    at_of = cache(w.at)
    with w.world.tx() as tx:
        filling = Filling(tx, w.world)
        for each in given:
            answered = found[each.reply_to] if isinstance(each.reply_to, int) else each.reply_to
            at = w.world.now() if each.day is None else at_of(each.day, each.time)
            found.append(filling.put(Posted(_outgoing(each, answered), at, each.read)))
        filling.write()
    return found


def _outgoing(given: Mail, reply_to: str | None) -> OutgoingMail:
    answered = {"In-Reply-To": reply_to, "References": reply_to} if reply_to else {}
    sender = given.sender
    return OutgoingMail(
        sender=_address(sender),
        sender_name=given.sender_name or (sender.name if isinstance(sender, Person) else ""),
        to=_addresses(given.to),
        cc=_addresses(given.cc),
        subject=given.subject,
        text=given.text,
        html=given.html,
        headers={**answered, **(given.headers or {})},
        files=tuple(given.files),
    )


def label(w: Seed, person: Person, name: str) -> UserLabel:
    """A label of a person's own; a slash in the name nests it. Raises GoogleError for a name that is none."""
    return store.create_label(w.world, person.id, name)


def labelled(
    w: Seed,
    person: Person,
    messages: Message | Iterable[Message],
    *,
    add: Iterable[str] = (),
    remove: Iterable[str] = (),
) -> None:
    """Puts labels, by their ids, on messages of a person's mailbox and takes others off."""
    several = [messages] if isinstance(messages, Message) else messages
    store.relabel(w.world, person.id, [each.id for each in several], add=add, remove=remove)


def draft(
    w: Seed,
    person: Person,
    to: Correspondent | Iterable[Correspondent],
    subject: str,
    text: str,
    *,
    day: date | int | None = None,
    time: str = "09:00",
) -> Draft:
    """A mail that a person was writing then, and has not sent."""
    raw = mime.write([("To", ", ".join(_addresses(to))), ("Subject", subject)], text)
    with nullcontext() if day is None else w.on(day, time):
        return store.create_draft(w.world, person, raw)


def mail_filter(w: Seed, person: Person, wanted: Wanted) -> Filter:
    """A filter for mail that comes from now on. Raises GoogleError for one that can't be."""
    return store.create_filter(w.world, person.id, wanted)


def vacation(w: Seed, person: Person, subject: str, text: str, *, on: bool) -> Settings:
    """What a person who is away answers. Off, it is only kept."""
    return store.set_vacation(
        w.world, person.id, enabled=on, subject=subject, text=text, html="", contacts_only=False,
        domain_only=False, start_at=None, end_at=None,
    )  # fmt: skip


def search_zone(w: Seed, zone: str) -> SearchZone:
    """Has the dates of searches be midnights of this zone (an IANA name) instead of Gmail's, Pacific time."""
    return w.insert(SearchZone(id=1, zone=ZoneInfo(zone).key))


def _open(w: Seed, message_id: str) -> None:
    for copy in w.world.all(Message, "WHERE rfc822_id = ? ORDER BY seq", (message_id,)):
        store.mark_read(w.world, copy.owner, [copy.id])


def _addresses(given: Correspondent | Iterable[Correspondent]) -> tuple[str, ...]:
    several = [given] if isinstance(given, Person | str) else given
    return tuple(map(_address, several))


def _address(given: Correspondent) -> str:
    return given.email if isinstance(given, Person) else given
