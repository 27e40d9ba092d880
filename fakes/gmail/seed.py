"""Builders of mail for a scenario's seed: `mail(w, mira, tom, "Lunch", "At noon?", day=-3, time="11:40")`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from datetime import date

from fakes.core.capabilities import OutgoingMail
from fakes.core.people import Person
from fakes.core.seeding import Seed
from fakes.gmail import store
from fakes.gmail.schema import Mailbox, Message

Correspondent = Person | str


def mailbox(w: Seed, person: Person) -> Mailbox:
    """A person's mailbox, empty if nothing was mailed yet. Mail makes one by itself."""
    found = w.world.get(Mailbox, person.id)
    return found or w.insert(store.mailbox_of(w.world, person.id))


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
) -> str:
    """A mail delivered at `time` on `day` (a date, or days from today; None: now); returns its Message-ID.

    Senders that are no persons are bare addresses. `reply_to` is the Message-ID of the mail it answers;
    `read` opens it for everyone who got it. Raises MailRefused.
    """
    answered = {"In-Reply-To": reply_to, "References": reply_to} if reply_to else {}
    outgoing = OutgoingMail(
        sender=_address(sender),
        sender_name=sender_name or (sender.name if isinstance(sender, Person) else ""),
        to=_addresses(to),
        cc=_addresses(cc),
        subject=subject,
        text=text,
        html=html,
        headers=answered,
    )
    with nullcontext() if day is None else w.on(day, time):
        message_id = store.deliver(w.world, outgoing)
        if read:
            _open(w, message_id)
    return message_id


def _open(w: Seed, message_id: str) -> None:
    for copy in w.world.all(Message, "WHERE rfc822_id = ? ORDER BY seq", (message_id,)):
        store.mark_read(w.world, copy.owner, [copy.id])


def _addresses(given: Correspondent | Iterable[Correspondent]) -> tuple[str, ...]:
    several = [given] if isinstance(given, Person | str) else given
    return tuple(map(_address, several))


def _address(given: Correspondent) -> str:
    return given.email if isinstance(given, Person) else given
