"""Mails of a scenario as bytes: those that are one text quickly, others as the post office writes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from fakes.core.people import Person
from fakes.gmail.rules import simple
from fakes.gmail.rules.addresses import Address
from fakes.gmail.rules.mime import Letter
from fakes.gmail.store.outgoing import date_now
from fakes.gmail.store.post import read_ours

if TYPE_CHECKING:
    from fakes.core.capabilities import OutgoingMail
    from fakes.core.world import World

_OURS = frozenset(("from", "to", "cc", "bcc", "subject", "message-id", "date"))
_MOST_TEXT = 1_000_000


class Composer:
    """Writes and reads mails; `person` finds who has an address."""

    def __init__(self, world: World, person: Callable[[str], Person | None]) -> None:
        self._world, self._person = world, person
        self._dated = lru_cache(maxsize=4096)(self._date)

    def letter(self, mail: OutgoingMail, at: int, message_id: str, sender: Person | None) -> Letter:
        """The mail as it goes out at an instant (UTC ms). Raises MailRefused."""
        found = self._simple(mail, at, message_id, sender)
        if found is None:
            with self._world.at_time(at):
                found = read_ours(self._world, mail, message_id, sender)
        return found

    def _simple(self, mail: OutgoingMail, at: int, message_id: str, sender: Person | None) -> Letter | None:
        if mail.html or mail.files or len(mail.text) > _MOST_TEXT:
            return None
        name = mail.sender_name or (sender.name if sender else "")
        return simple.letter(
            sender=Address(name, mail.sender),
            to=tuple(map(self._named, mail.to)),
            cc=tuple(map(self._named, mail.cc)),
            subject=mail.subject,
            message_id=message_id,
            date=self._dated(at, sender),
            text=mail.text,
            more={name: value for name, value in mail.headers.items() if name.lower() not in _OURS},
        )

    def _named(self, address: str) -> Address:
        person = self._person(address)
        return Address(person.name if person else "", address)

    def _date(self, at: int, sender: Person | None) -> str:
        with self._world.at_time(at):
            return date_now(self._world, sender)
