"""What all endpoints share: who calls, whose mailbox, the parameters of the query, and the way out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from fakes.core import auth
from fakes.core.google.asked import answer, asked, refusal
from fakes.core.google.binding import TRUE, check_query
from fakes.core.google.fields import mask_for, masked
from fakes.core.google.methods import Method
from fakes.core.google.receiving import body_of
from fakes.core.google.resources import resource
from fakes.core.people import Person
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.api.allowing import allow
from fakes.gmail.api.methods import METHODS
from fakes.gmail.api.schemas import SCHEMAS
from fakes.gmail.errors import (
    DelegationDenied,
    GoogleError,
    InvalidCredentials,
    InvalidJson,
    InvalidUser,
    LoginRequired,
    NotFaked,
    TooLarge,
)
from fakes.gmail.rules.addresses import is_address

SERVICE = "gmail"
MOST_BODY = 36_700_160
"""Bytes of a request; the discovery document's maxSize of an upload."""


@dataclass(frozen=True)
class Call:
    """A call of one method by somebody who may make it: `person` owns the mailbox."""

    request: Request
    world: World
    person: Person
    method: Method

    @property
    def is_upload(self) -> bool:
        """Whether this came by the method's upload path."""
        scope = self.request.scope
        below = str(scope["path"]).removeprefix(scope.get("root_path", ""))
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
        """A boolean parameter, false where it is missing."""
        return self.text(name).lower() in TRUE

    def count(self, name: str, default: int, most: int) -> int:
        """A number of results: 0 means the default, more than `most` means `most`."""
        return min(self.uint64(name) or default, most)

    def uint64(self, name: str) -> int:
        """A number, 0 where it is missing."""
        return int(self.text(name, "0"))

    async def body(self) -> bytes:
        """The body. Raises TooLarge before more is read than a mail may hold."""
        return await body_of(self.request, MOST_BODY, TooLarge)

    def resource(self, body: bytes) -> dict[str, Any]:
        """The resource that a JSON body holds, by its schema. Raises InvalidJson, Malformed."""
        return resource(json_object(body), SCHEMAS, self.method.takes, self.method.body)

    async def json(self) -> dict[str, Any]:
        """The resource in the body, {} where there is none. Raises InvalidJson, Malformed, TooLarge."""
        return self.resource(await self.body())


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


def method(name: str, verb: Verb) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a method: admits the caller, renders what the verb returns or refuses."""
    described = METHODS[name]

    async def endpoint(request: Request) -> Response:
        form = asked(request)
        try:
            form.check()
            call = _admitted(request, name)
            check_query(described, request.query_params.multi_items(), uploads=call.is_upload)
            masks = form.fields and described.answers
            mask = mask_for(form.fields, SCHEMAS, described.answers) if masks else None
            told = await verb(call)
        except GoogleError as error:
            return refusal(error, form)
        if told is None:
            return Response(status_code=204)
        return answer(told if mask is None else masked(mask, told), form=form)

    return endpoint


def not_faked(name: str) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a method that real Gmail has and this fake does not; only for those who may call it."""

    async def endpoint(request: Request) -> Response:
        form = asked(request)
        try:
            form.check()
            _admitted(request, name)
        except GoogleError as error:
            return refusal(error, form)
        return refusal(NotFaked(name), form)

    return endpoint


def admit(name: str) -> Callable[[Request], Person]:
    """Whose mailbox a request of this method is for, if its caller may use it. Raises GoogleError."""
    return lambda request: _admitted(request, name).person


def _admitted(request: Request, name: str) -> Call:
    if auth.bearer_text(request) is None:
        raise LoginRequired()
    found = auth.token_of(request, SERVICE)
    if found is None:
        raise InvalidCredentials()
    token, person = found
    if token.scopes:
        allow(name, token.scopes.split(), request.query_params)
    return Call(request, request.state.world, _owner(request, person), METHODS[name])


def _owner(request: Request, caller: Person) -> Person:
    """Whose mailbox is named: the caller's, or that of somebody who made them their delegate.

    Raises InvalidUser, DelegationDenied.
    """
    user = request.path_params.get("userId", "me").lower()
    if user in ("me", caller.email):
        return caller
    if not is_address(user):
        raise InvalidUser()
    world: World = request.state.world
    owner = world.person(user)
    if owner is None or not store.is_delegate(world, owner.id, caller):
        raise DelegationDenied(caller.email)
    return owner
