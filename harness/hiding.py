"""Takes out of what leaves an archive whatever opens something: tokens, cookies, passwords, keys.

What a world's secret gave is known from the world itself, and is found wherever it stands; what else looks
like a credential, in a transcript for one, goes by its shape. Pictures are shown as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from fakes.core import auth
from fakes.core.auth import Code, Session
from fakes.core.ids import digest
from fakes.core.people import Person, password
from fakes.core.requests import SECRET_NAMES, LoggedRequest
from fakes.core.saved import counters_of
from fakes.core.world import World

HIDDEN = "[hidden]"
MOST = 2000  # sessions and tokens of a world that are looked for; a bundle may say any number
_NAMED = "|".join(sorted((re.escape(name) for name in SECRET_NAMES - {"code", "link", "token"}), key=len))
_NAMED_VALUES = (
    re.compile(
        rf"(?i)\b[\w.-]*(?:api[_-]?key|token|cookie|{_NAMED})[\"']?\s*[:=]\s*[\"']?([^\s\"',;&]{{4,}})"
    ),
    re.compile(r"[?&](?:key|link|token|code)=([\w.~-]{8,})"),
)
_SHAPES = (
    re.compile(r"(?i)\b(?:bearer|basic|link)\s+((?=[\w.~+/=-]*\d)[\w.~+/=-]{16,})"),
    re.compile(r"\b((?:sk|pk|rk|whsec|xox[a-z]|gh[a-z]|ya29)[-_.][\w-]{12,})"),
    re.compile(r"://[^\s/@:]*:([^\s/@]{3,})@"),
)
_WORLD = re.compile(r"/w/([a-z0-9-]{1,32})/|\.([a-z0-9-]{1,32})\.localhost")
_COLUMNS = re.compile(r"(?i)(?:^|_)(?:password|digest|secret|token|hash)(?:_|$)")


class Hiding:
    """Prints text without secrets. `known` are secrets by their text, beside what looks like one."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = sorted({word for word in known if len(word) >= 6}, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text without them."""
        for word in self._known:  # looking for each is faster than one pattern of them all
            if word in text:
                text = text.replace(word, HIDDEN)
        return _by_shape(text, (*_SHAPES, *_NAMED_VALUES))

    def code(self, text: str) -> str:
        """A program's text without them: `token: bytes` is not one."""
        return _by_shape(text, _SHAPES)

    def row(self, values: Mapping[str, object] | None) -> dict[str, object] | None:
        """A row's values without them; columns that keep digests and the like say nothing at all."""
        if values is None:
            return None
        return {name: self._value(name, value) for name, value in values.items()}

    def _value(self, name: str, value: object) -> object:
        if not isinstance(value, str) or not value:
            return value
        return HIDDEN if _COLUMNS.search(name) and len(value) >= 16 else self.text(value)


def _by_shape(text: str, shapes: Iterable[re.Pattern[str]]) -> str:
    for shape in shapes:
        text = shape.sub(_without, text)
    return text


def _without(found: re.Match[str]) -> str:
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    return found[0] if HIDDEN in found[0] else f"{found[0][:start]}{HIDDEN}{found[0][end:]}"


def secrets_of(world: World, requests: Iterable[LoggedRequest] = ()) -> Iterator[str]:
    """What follows from a world's secret, as texts.

    Those of log-ins are bound to the name that a world went by, which its requests tell.
    """
    for service in world.services.values():
        for secret in (service.secrets(world) if service.secrets else {}).values():
            yield from (secret, digest(secret))
    for person in world.all(Person):
        yield from (password(world, person.email), auth.totp_secret(world, person), person.password_hash)
    counted = counters_of(world)
    for name in sorted({world.name, *_names(requests)}):
        for kind in ("session", "token"):
            count = min(counted.get(kind, 0), MOST)
            yield from (world.secrets.token(f"{kind}/{name}", n) for n in range(1, count + 1))
        yield from (world.secrets.token(f"csrf/{name}", session.id) for session in world.all(Session))
        yield from (world.secrets.digits(f"code/{name}", code.id) for code in world.all(Code))


def _names(requests: Iterable[LoggedRequest]) -> Iterator[str]:
    for request in requests:
        for found in _WORLD.finditer(f"{request.host}{request.path}"):
            yield found[1] or found[2]
