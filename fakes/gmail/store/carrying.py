"""Carrying a mail to all that it is for: copies in the world, rows of the outbox for people outside."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fakes.core import outbox
from fakes.gmail.rules.amending import amended
from fakes.gmail.rules.mime import Letter
from fakes.gmail.schema import Source
from fakes.gmail.store.addresses import is_ours, owner_of
from fakes.gmail.store.arriving import arrive
from fakes.gmail.store.filing import keep_source

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World

MOST_ONWARD = 50
"""Mails that one mail may cause, however people forward to each other."""
_HIDDEN = ("bcc", "resent-bcc")
"""Headers that no receiver sees, however often they are there (RFC 5322, 3.6.3 and 3.6.6)."""
Owners = Mapping[str, "Person | None"]


def owners(world: World, addresses: Sequence[str]) -> Owners:
    """Whose each of these addresses is."""
    return {address: owner_of(world, address) for address in addresses}


def carry(
    tx: Tx, world: World, letter: Letter, source: Source | None, found: Owners, but: str = "",
    answers: str = "",
) -> list[str]:  # fmt: skip
    """Files a copy for each person, except the one with the id `but`; returns the addresses that are
    nobody's. `source` is the sender's; who receives a mail with a Bcc header reads another one. For
    `answers` see `Onward`.

    What follows, mails sent on by filters and answers of people who are away, is carried as well.
    """
    if any(name.lower() in _HIDDEN for name, _ in letter.headers):
        letter, source = amended(letter, drop=_HIDDEN), None
    waiting = deque([(letter, source, found, but, answers)])
    unknown: list[str] = []
    caused = 0
    while waiting:
        letter, source, found, but, answers = waiting.popleft()
        for address, person in _once_each(found, but).items():
            if person is None and is_ours(world, address):
                unknown += [address] if not caused else []
                continue
            source = source or keep_source(tx, letter)
            if person is None:
                hand_out(tx, letter, source, address, world.now())
                continue
            for next in arrive(tx, world, person, letter, source, address, answers)[: MOST_ONWARD - caused]:
                caused += 1
                waiting.append((next.letter, None, owners(world, [next.to]), "", next.answers))
    return unknown


def _once_each(found: Owners, but: str) -> dict[str, Person | None]:
    """The addresses without those that lead to the same person as one before."""
    seen = {but}
    kept: dict[str, Person | None] = {}
    for address, person in found.items():
        if person is None or person.id not in seen:
            kept[address] = person
            seen |= {person.id} if person else set()
    return kept


def hand_out(tx: Tx, letter: Letter, source: Source, address: str, at: int) -> None:
    """Leaves a mail for somebody outside the world in the outbox, as of an instant (UTC ms)."""
    payload = {
        "message_id": letter.message_id,
        "sender": letter.senders[0].email if letter.senders else "",
        "subject": letter.subject,
        "source_id": source.id,
    }
    outbox.put(tx, service="gmail", kind="mail", receiver=address, created_at=at, payload=payload)
