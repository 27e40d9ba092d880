"""Whose mailbox an address leads to, and which addresses a person writes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.core.people import Person
from fakes.gmail.schema import SendAs

if TYPE_CHECKING:
    from fakes.core.world import World

ACCEPTED, PENDING = "accepted", "pending"


def domain_of(address: str) -> str:
    """What stands after the @, in lower case."""
    return address.rpartition("@")[2].lower()


def is_ours(world: World, address: str) -> bool:
    """Whether the world's people have addresses at this domain."""
    sql = "SELECT EXISTS (SELECT 1 FROM people WHERE substr(email, instr(email, '@') + 1) = ?)"
    return bool(world.select(sql, (domain_of(address),))[0][0])


def owner_of(world: World, address: str) -> Person | None:
    """Who gets mail to this address: a person, in any case of letters, with dots anywhere before the @ and
    with anything after a plus (support.google.com/a/users/answer/9282734), or whose alias it is.
    """
    person = world.person(address)
    if person is not None or not is_ours(world, address):
        return person
    local, _, domain = address.lower().rpartition("@")
    bare = local.partition("+")[0]
    return world.person(f"{bare}@{domain}") or _undotted(world, bare, domain) or _alias(world, bare, domain)


def _undotted(world: World, local: str, domain: str) -> Person | None:
    tail = "WHERE substr(email, instr(email, '@') + 1) = ? AND replace(email, '.', '') = ? ORDER BY seq"
    return world.one(Person, tail, (domain, f"{local}@{domain}".replace(".", "")))


def _alias(world: World, local: str, domain: str) -> Person | None:
    tail = "WHERE email = ? AND verification = ? ORDER BY seq, owner"
    alias = world.one(SendAs, tail, (f"{local}@{domain}", ACCEPTED))
    return world.get(Person, alias.owner) if alias is not None else None


def is_own_address(world: World, person: Person, address: str) -> bool:
    """Whether mail to this address comes to this person."""
    owner = owner_of(world, address)
    return owner is not None and owner.id == person.id


def usable_alias(world: World, person: Person, address: str) -> SendAs | None:
    """The alias by which a person may write from this address, if they may."""
    alias = world.get(SendAs, person.id, address.lower())
    return alias if alias is not None and (alias.is_primary or alias.verification == ACCEPTED) else None
