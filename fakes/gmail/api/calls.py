"""What all endpoints share: who calls, whose mailbox, the parameters, and the one renderer of errors."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from fakes.core import auth
from fakes.core.people import Person
from fakes.core.world import World
from fakes.gmail.errors import (
    DelegationDenied,
    GoogleError,
    InvalidCredentials,
    InvalidJson,
    InvalidUser,
    InvalidValue,
    LoginRequired,
    NotFaked,
    TooLarge,
)
from fakes.gmail.rules.addresses import is_address

SERVICE = "gmail"
MOST_BODY = 36_700_160
"""Bytes of a request; the discovery document's maxSize of an upload."""
_REALM = 'Bearer realm="https://accounts.google.com/"'
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_UINT32 = 1 << 32
_DIGITS = re.compile(r"[0-9]{1,20}")


@dataclass(frozen=True)
class Call:
    """A call of one method by somebody who may make it: `person` is both caller and owner of the mailbox."""

    request: Request
    world: World
    person: Person

    @property
    def is_upload(self) -> bool:
        """Whether this came by the method's upload path."""
        below = self.request.url.path.removeprefix(self.request.scope.get("root_path", ""))
        return below.startswith(("/upload/", "/resumable/"))

    def path(self, name: str) -> str:
        """A parameter in the path."""
        return str(self.request.path_params[name])

    def text(self, name: str, default: str = "") -> str:
        """A parameter of the query."""
        return self.request.query_params.get(name, default)

    def texts(self, name: str) -> list[str]:
        """A repeated parameter of the query."""
        return self.request.query_params.getlist(name)

    def flag(self, name: str) -> bool:
        """A boolean parameter, false where it is missing. Raises InvalidValue."""
        given = self.text(name, "false")
        if given.lower() not in _BOOLEANS:
            raise InvalidValue(name, "TYPE_BOOL", f'"{given}"')
        return _BOOLEANS[given.lower()]

    def count(self, name: str, default: int, most: int) -> int:
        """A number of results: 0 means the default, more than `most` means `most`. Raises InvalidValue."""
        given = self.text(name, "0")
        if not (_DIGITS.fullmatch(given) and int(given) < _UINT32):
            raise InvalidValue(name, "TYPE_UINT32", f'"{given[:80]}"')
        return min(int(given) or default, most)

    async def body(self) -> bytes:
        """The body. Raises TooLarge before more is read than a mail may hold."""
        chunks, size = [], 0
        async for chunk in self.request.stream():
            size += len(chunk)
            if size > MOST_BODY:
                raise TooLarge()
            chunks.append(chunk)
        return b"".join(chunks)

    async def json(self) -> dict[str, Any]:
        """The body as a JSON object; {} where there is none. Raises InvalidJson, TooLarge."""
        return json_object(await self.body())


def json_object(body: bytes) -> dict[str, Any]:
    """A JSON object. Raises InvalidJson."""
    try:
        given = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError:
        raise InvalidJson() from None
    if not isinstance(given, dict):
        raise InvalidJson()
    return given


Verb = Callable[[Call], Awaitable[Mapping[str, Any] | None]]
"""A faked method: returns the resource that it answers, or None for an answer without a body."""


def method(verb: Verb) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a method: admits the caller, renders what the verb returns or refuses."""

    async def endpoint(request: Request) -> Response:
        try:
            told = await verb(_admitted(request))
            return Response(status_code=204) if told is None else answer(told)
        except GoogleError as error:
            return refusal(error)

    return endpoint


def not_faked(name: str) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a method that real Gmail has and this fake does not; only for those who may call it."""

    async def endpoint(request: Request) -> Response:
        try:
            _admitted(request)
        except GoogleError as error:
            return refusal(error)
        return refusal(NotFaked(name))

    return endpoint


def _admitted(request: Request) -> Call:
    if auth.bearer_text(request) is None:
        raise LoginRequired()
    found = auth.token_of(request, SERVICE)
    if found is None:
        raise InvalidCredentials()
    person = found[1]
    user = request.path_params.get("userId", "me")
    if user != "me" and user.lower() != person.email:
        raise DelegationDenied(person.email) if is_address(user) else InvalidUser()
    return Call(request, request.state.world, person)


def answer(body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    sent = {"Content-Type": "application/json; charset=UTF-8", "Cache-Control": "private", **(headers or {})}
    return Response(orjson.dumps(body), status, headers=sent)


def refusal(error: GoogleError) -> Response:
    """An error in Google's envelope."""
    headers = {}
    if isinstance(error, LoginRequired | InvalidCredentials):
        wrong = ', error="invalid_token"' if isinstance(error, InvalidCredentials) else ""
        headers["WWW-Authenticate"] = _REALM + wrong
    return answer(error.envelope(), error.status, headers)
