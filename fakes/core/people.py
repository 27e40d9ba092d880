"""Who is in a world. Every service's accounts lead back to a person here."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fakes.core.journal import Tx
from fakes.core.store import Row

if TYPE_CHECKING:
    from fakes.core.world import World

_SCRYPT = {"n": 256, "r": 8, "p": 1}  # of simulated people: seeding many must stay quick
_WORDS = (
    "amber anchor apron arrow autumn badge barley basket beacon birch bramble breeze bridge bronze "
    "button candle canyon cedar chalk cherry cinder clover cobalt copper coral cotton cradle crimson "
    "dapple denim drift ember falcon feather fennel fern fiddle flint garnet ginger granite grove "
    "harbor hazel heron indigo ivory jasper juniper kettle lantern"
).split()


class Person(Row, table="people", key="id", indexes=("email",)):
    """Someone in the world. `email` is unique by custom, lower case; `zone` an IANA name."""

    id: str
    seq: int
    email: str
    name: str
    title: str | None
    zone: str
    phone: str | None
    password_hash: str


def add_person(
    tx: Tx, world: World, *, email: str, name: str, title: str | None = None, zone: str | None = None
) -> Person:
    """Adds a person with a log-in. The password follows from the world's secret: see `password`."""
    seq = tx.seq("person")
    person = Person(
        id=world.ids.text("person", seq, prefix="per_", length=12),
        seq=seq,
        email=email.lower(),
        name=name,
        title=title,
        zone=zone or world.zone.key,
        phone=f"+1 555 01{seq:02d}" if seq < 100 else None,
        password_hash=hash_of_password(world, email),
    )
    return tx.insert(person)


def password(world: World, email: str) -> str:
    """The password of a seeded person, for the portal and for plays that log in. Only its hash is stored."""
    key = world.secrets.key("password", email.lower())
    words = [_WORDS[byte % len(_WORDS)] for byte in key[:3]]
    return "-".join(words) + f"-{key[3] % 90 + 10}"


def hash_of_password(world: World, email: str) -> str:
    """What a row keeps of a seeded person's password."""
    return _hash(password(world, email), email.lower())


def password_is_right(person: Person, password: str) -> bool:
    """Whether this is the person's password."""
    return _hash(password, person.email) == person.password_hash


def _hash(password: str, salt: str) -> str:
    digest = hashlib.scrypt(password.encode(), salt=salt.encode(), dklen=32, **_SCRYPT)
    return f"scrypt${_SCRYPT['n']}${digest.hex()}"
