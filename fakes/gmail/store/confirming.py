"""Addresses and people that must agree first: the mail with a link that asks them, and what following it
does. The link carries a secret of its own, so whoever got the mail can follow it and nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.core.ids import same
from fakes.core.links import stored_link
from fakes.core.people import Person
from fakes.gmail.errors import NotPending
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import named
from fakes.gmail.schema import Delegate, ForwardingAddress, SendAs
from fakes.gmail.store.addresses import ACCEPTED, PENDING, domain_of
from fakes.gmail.store.carrying import carry, owners
from fakes.gmail.store.outgoing import date_now, new_message_id

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

Pending = ForwardingAddress | SendAs | Delegate
_KINDS: dict[type[Pending], tuple[str, str, str]] = {
    ForwardingAddress: (
        "forwarding",
        "Forwarding confirmation - receive mail from {owner}",
        "{name} ({owner}) asks to forward mail automatically to your address {email}.",
    ),
    SendAs: (
        "send-as",
        "Confirmation - send mail as {email}",
        "{name} ({owner}) asks to send mail in the name of {email}.",
    ),
    Delegate: (
        "delegation",
        "{name} has granted you access to their mail",
        "{name} ({owner}) asks you, {email}, to read, send and delete mail for them.",
    ),
}


@dataclass(frozen=True)
class Question:
    """What a link asks: `kind` is "forwarding", "send-as" or "delegation"."""

    kind: str
    row: Pending
    owner: Person

    @property
    def sentence(self) -> str:
        """Who asks for what."""
        return _KINDS[type(self.row)][2].format(
            name=self.owner.name, owner=self.owner.email, email=self.row.email
        )


def token_of(world: World, row: Pending) -> str:
    """The secret of the link for what is pending; another one if it is asked for again after a removal."""
    return world.secrets.token("gmail_confirm", f"{_KINDS[type(row)][0]}/{row.owner}/{row.email}/{row.seq}")


def tokens(world: World) -> dict[str, str]:
    """All secrets that stand in stored mails, by a name that does not change with the world's own secret."""
    return {
        f"confirm/{_KINDS[type(row)][0]}/{row.owner}/{row.email}/{row.seq}": token_of(world, row)
        for row in _pending(world)
    }


def _pending(world: World) -> Iterator[Pending]:
    tail = "WHERE verification = ? ORDER BY seq"
    yield from world.all(ForwardingAddress, tail, (PENDING,))
    yield from world.all(SendAs, tail, (PENDING,))
    yield from world.all(Delegate, tail, (PENDING,))


def ask(tx: Tx, world: World, person: Person, row: Pending) -> None:
    """Mails the link to the address that must agree; outside the world it is kept in the outbox."""
    _, subject, sentence = _KINDS[type(row)]
    told = {"name": person.name, "owner": person.email, "email": row.email}
    link = stored_link("gmail", f"/gmail/confirm/{token_of(world, row)}")
    sender = f"mail-noreply@{domain_of(person.email)}"
    headers = [
        ("From", named("Postbox Team", sender)),
        ("To", row.email),
        ("Subject", subject.format(**told)),
        ("Message-ID", new_message_id(tx, sender)),
        ("Date", date_now(world, None)),
        ("Auto-Submitted", "auto-generated"),
    ]
    text = (
        f"{sentence.format(**told)}\n\nTo allow this, follow the link:\n\n{link}\n\n"
        "If you do not know this person, or do not want it, do nothing: it is not allowed then.\n"
    )
    carry(tx, world, mime.read(mime.write(headers, text)), None, owners(world, [row.email]))


def ask_again(world: World, person: Person, row: Pending) -> None:
    """Mails the link once more. Raises NotPending."""
    if row.verification != PENDING:
        raise NotPending()
    with world.tx() as tx:
        ask(tx, world, person, row)


def question(world: World, token: str) -> Question | None:
    """What the link with this secret asks; None once it was answered, taken back, or if it never was one."""
    for row in _pending(world):
        owner = world.get(Person, row.owner)
        if owner is not None and same(token, token_of(world, row)):
            return Question(_KINDS[type(row)][0], row, owner)
    return None


def agree(world: World, asked: Question) -> None:
    """Somebody followed the link: the address may be used."""
    with world.tx() as tx:
        tx.update(asked.row, verification=ACCEPTED)
