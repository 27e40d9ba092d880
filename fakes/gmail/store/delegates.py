"""Who may use somebody's mailbox for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.gmail.errors import AlreadyExists, InvalidDelegate
from fakes.gmail.schema import Delegate
from fakes.gmail.store import confirming
from fakes.gmail.store.addresses import ACCEPTED, PENDING

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.world import World


def delegates_of(world: World, owner: str) -> list[Delegate]:
    """Those who may use a mailbox, and those who were asked to."""
    return world.all(Delegate, "WHERE owner = ? ORDER BY seq", (owner,))


def delegate_of(world: World, owner: str, email: str) -> Delegate | None:
    """One of them, by the address of their own account."""
    return world.get(Delegate, owner, email.strip().lower())


def is_delegate(world: World, owner: str, person: Person) -> bool:
    """Whether this person may use the mailbox now."""
    found = delegate_of(world, owner, person.email)
    return found is not None and found.verification == ACCEPTED


def add_delegate(world: World, person: Person, email: str) -> Delegate:
    """Lets a person of this world use the mailbox at once, as the API does (reference of
    users.settings.delegates.create). Raises InvalidDelegate, AlreadyExists.
    """
    return _add(world, person, email, ACCEPTED)


def invite_delegate(world: World, person: Person, email: str) -> Delegate:
    """Asks a person of this world by mail, as the page does. Raises InvalidDelegate, AlreadyExists."""
    return _add(world, person, email, PENDING)


def _add(world: World, person: Person, email: str, verification: str) -> Delegate:
    found = world.person(email.strip())
    if found is None or found.id == person.id:
        raise InvalidDelegate()
    if delegate_of(world, person.id, found.email) is not None:
        raise AlreadyExists()
    with world.tx() as tx:
        made = tx.insert(
            Delegate(
                owner=person.id, email=found.email, seq=tx.seq("gmail_delegate"), verification=verification
            )
        )
        if verification == PENDING:
            confirming.ask(tx, world, person, made)
        return made


def remove_delegate(world: World, delegate: Delegate) -> None:
    """Takes the mailbox away from them."""
    with world.tx() as tx:
        tx.delete(delegate)
