"""The addresses that a person has mail sent on to, and whether all of it goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.gmail.errors import AlreadyExists, InvalidForwardingAddress, NoEmail
from fakes.gmail.rules.addresses import is_address
from fakes.gmail.schema import ForwardingAddress, Settings
from fakes.gmail.store import confirming
from fakes.gmail.store.addresses import ACCEPTED, PENDING, is_ours
from fakes.gmail.store.relaying import may_forward
from fakes.gmail.store.settings import change_settings, settings_of

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World


def forwarding_addresses(world: World, owner: str) -> list[ForwardingAddress]:
    """The addresses that a mailbox's mail may be sent on to, and those that were not accepted yet."""
    return world.all(ForwardingAddress, "WHERE owner = ? ORDER BY seq", (owner,))


def forwarding_address(world: World, owner: str, email: str) -> ForwardingAddress | None:
    """One of them."""
    return world.get(ForwardingAddress, owner, email.strip().lower())


def add_forwarding_address(world: World, person: Person, email: str) -> ForwardingAddress:
    """Adds an address. One at a domain of this world is accepted at once; any other gets a mail with a link
    to follow (reference of users.settings.forwardingAddresses.create).

    Raises NoEmail, InvalidForwardingAddress for the person's own, AlreadyExists.
    """
    email = email.strip().lower()
    if not is_address(email):
        raise NoEmail()
    if email == person.email:
        raise InvalidForwardingAddress()
    if forwarding_address(world, person.id, email) is not None:
        raise AlreadyExists()
    verification = ACCEPTED if is_ours(world, email) else PENDING
    with world.tx() as tx:
        made = tx.insert(
            ForwardingAddress(
                owner=person.id, email=email, seq=tx.seq("gmail_forwarding"), verification=verification
            )
        )
        if verification == PENDING:
            confirming.ask(tx, world, person, made)
        return made


def remove_forwarding_address(world: World, address: ForwardingAddress) -> None:
    """Removes an address; what was set to forward there stops doing so."""
    with world.tx() as tx:
        tx.delete(address)
        settings = settings_of(world, address.owner)
        if settings.forwarding_email == address.email:
            change_settings(world, address.owner, forwarding_enabled=False, forwarding_email="")


def set_auto_forwarding(
    world: World, owner: str, *, enabled: bool, email: str, disposition: str
) -> Settings:  # fmt: skip
    """Has all mail sent on, or not. Raises InvalidForwardingAddress for one that was not accepted."""
    email = email.strip().lower()
    if (enabled or email) and not may_forward(world, owner, email):
        raise InvalidForwardingAddress()
    return change_settings(
        world, owner, forwarding_enabled=enabled, forwarding_email=email, forwarding_disposition=disposition
    )
