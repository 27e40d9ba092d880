"""What a server takes from its environment, so that a tester's .env file stays good from start to start.

PARACOSM_SECRET      what its control plane is opened with; commands and scripts look for the same name
PARACOSM_SECRET_KEY  what every world's tokens, passwords and authenticators follow from
PARACOSM_TOKENS      bearer tokens of world `main`: gmail:mira@harborlight.example=tok_for_mira, …
PARACOSM_HOSTS       further names that the server goes by: fakes, paracosm
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fakes.core import auth
from fakes.core.ids import Secrets, digest
from fakes.core.people import Person
from fakes.core.service import Service
from fakes.core.world import World, open_world

WORLD = "main"
SHORTEST = 16
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){16,}")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{8,512}=*")
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9][a-z0-9_-]{0,62}(?:\.[a-z0-9_-]{1,63})*")


class BadEnvironment(ValueError):
    """A variable with a value that can't be used; the argument is the sentence to show."""


@dataclass(frozen=True)
class PinnedToken:
    """A bearer token whose text was chosen outside: for one person and one service of world `main`."""

    service: str
    email: str
    value: str


@dataclass(frozen=True)
class Pinned:
    """What the environment says; None or nothing where it says nothing."""

    control_secret: str | None = None
    secret: bytes | None = None
    tokens: tuple[PinnedToken, ...] = ()
    hosts: tuple[str, ...] = ()

    @classmethod
    def read(cls, environ: Mapping[str, str], hosts: Iterable[str] = ()) -> Pinned:
        """From environment variables, and names of hosts said otherwise. Raises BadEnvironment.

        An empty variable counts as none.
        """
        secret, key = environ.get("PARACOSM_SECRET", ""), environ.get("PARACOSM_SECRET_KEY", "")
        listed = (*hosts, *environ.get("PARACOSM_HOSTS", "").split(","))
        names = dict.fromkeys(name.strip().lower() for name in listed if name.strip())
        return cls(
            _control_secret(secret) if secret else None,
            _world_secret(key) if key else None,
            tuple(_tokens(environ.get("PARACOSM_TOKENS", ""))),
            tuple(_host(name) for name in names),
        )


def _control_secret(text: str) -> str:
    if len(text) < SHORTEST or not (text.isascii() and text.isprintable()) or " " in text:
        raise BadEnvironment(
            f"PARACOSM_SECRET must be at least {SHORTEST} letters and digits without spaces, "
            "such as `openssl rand -hex 32` prints."
        )
    return text


def _world_secret(text: str) -> bytes:
    """Hex digits are the bytes that they spell, any other text is digested."""
    if len(text) < SHORTEST:
        raise BadEnvironment(
            f"PARACOSM_SECRET_KEY must be at least {SHORTEST} characters, "
            "such as `openssl rand -hex 32` prints."
        )
    return bytes.fromhex(text if _HEX.fullmatch(text) else digest(text))


def _tokens(text: str) -> Iterable[PinnedToken]:
    seen: set[tuple[str, str]] = set()
    for entry in filter(None, (part.strip() for part in text.split(","))):
        who, _, value = entry.partition("=")
        service, _, email = who.partition(":")
        if not (service and "@" in email and _TOKEN.fullmatch(value)):
            raise BadEnvironment(
                f"PARACOSM_TOKENS takes SERVICE:EMAIL=TOKEN with tokens of 8 letters, digits or ._~+/- and "
                f"more, and commas between; the entry for {who[:80]!r} is none."
            )
        if (service, value) in seen:
            raise BadEnvironment(f"PARACOSM_TOKENS has the token of {who!r} twice; give everybody one.")
        seen.add((service, value))
        yield PinnedToken(service.replace("-", "_"), email.lower(), value)


def _host(name: str) -> str:
    if not _HOST.fullmatch(name):
        raise BadEnvironment(
            f"{name[:80]!r} in PARACOSM_HOSTS or --public-host is no host name; write names such as "
            "fakes or paracosm.internal, without a port."
        )
    return name


# tokens


def problem(world: World, token: PinnedToken) -> str | None:
    """Why this world can't have the token, in a sentence."""
    service = world.services.get(token.service)
    if service is None:
        known = ", ".join(sorted(world.services))
        return f"PARACOSM_TOKENS names {token.service!r}, which is no service. Services: {known}."
    if world.person(token.email) is None:
        return f"PARACOSM_TOKENS names {token.email}, and nobody in world {world.name!r} has that address."
    if service.accounts is not None and token.email not in {each.email for each in service.accounts(world)}:
        return f"PARACOSM_TOKENS names {token.email}, who has no account at {token.service}."
    return None


def pin(world: World, tokens: Sequence[PinnedToken]) -> None:
    """Has the world take these tokens, but for those that it can't have."""
    for token in tokens:
        if problem(world, token) is None:
            person = world.person(token.email)
            assert isinstance(person, Person)
            auth.pin_token(world, person, token.service, token.value)


def pinned_image(
    name: str, services: Mapping[str, Service], image: bytes, tokens: Sequence[PinnedToken]
) -> bytes:
    """A pristine state with the tokens in it, so that a reset keeps them; they are bound to the name."""
    world = open_world(name, services, image=image)
    try:
        pin(world, tokens)
        world.seal()
        return world.pristine
    finally:
        world.close()


def follows_from(world: World, secret: bytes) -> bool:
    """Whether this is the secret that the world was made with."""
    return world.secrets.key("pinned") == Secrets(secret).key("pinned")
