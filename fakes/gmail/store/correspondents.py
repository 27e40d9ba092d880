"""Whom a person may want to write to: people of the world, and whoever is in their newest mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fakes.core.people import Person
from fakes.gmail.rules.addresses import Address

if TYPE_CHECKING:
    from fakes.core.world import World

_NEWEST = 1000
"""Messages that are looked at, so that a suggestion costs the same in a big mailbox."""
_WORD = re.compile(r"[\w.+-]+")


def correspondents(world: World, person: Person, typed: str, *, limit: int = 8) -> list[Address]:
    """Addresses that have a word beginning with what was typed, the most recent ones of a mailbox first."""
    wanted = typed.strip().lower()
    found: dict[str, str] = {}
    for name, address in (*_of_mail(world, person), *_of_world(world)):
        if address and not found.get(address) and _matches(wanted, name, address):
            found[address] = name
        if len(found) >= limit and all(found.values()):
            break
    return [Address(name, address) for address, name in list(found.items())[:limit]]


def _matches(wanted: str, name: str, address: str) -> bool:
    words = (name.lower(), address, *_WORD.findall(name.lower()), *address.split("@"))
    return bool(wanted) and any(word.startswith(wanted) for word in words)


def _of_mail(world: World, person: Person) -> Iterator[tuple[str, str]]:
    sql = (
        "SELECT sender_name, sender, recipients FROM gmail_messages INDEXED BY gmail_messages_0"
        " WHERE owner = ? ORDER BY place DESC LIMIT ?"
    )
    names: dict[str, str] = {each.email: each.name for each in world.all(Person, "ORDER BY seq")}
    for name, sender, recipients in world.select(sql, (person.id, _NEWEST)):
        if sender != person.email:
            yield name, sender
        else:
            yield from ((names.get(address, ""), address) for address in recipients.split(", "))


def _of_world(world: World) -> Iterator[tuple[str, str]]:
    yield from ((each.name, each.email) for each in world.all(Person, "ORDER BY seq"))
