"""What planned failures do to requests: an ASGI layer between the gateway and a service's app.

The gateway asks `in_the_way` only in a world with faults that may strike yet. A fault answers *instead* of
the service: the request's body is read, then it is refused in the service's own dialect, or hung up on. Or it
is *around* the service, which works, and changes what the client gets to see: half of the answer, a refusal
though the write was kept, or all of it, late.

Lateness is told by the run clock. A running clock gets there by itself, a frozen one when somebody moves it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fakes.core import auth, faults
from fakes.core.faults import CUT, HANG_UP, OWN, SENTENCES, Fault
from fakes.core.service import LoggedRoute

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fakes.core.requests import RequestRecord
    from fakes.core.service import Service
    from fakes.core.world import World

    Refuse = Callable[[Request, HTTPException], Response]


def in_the_way(
    world: World, service: Service, app: ASGIApp, refuse: Refuse, scope: Scope, record: RequestRecord
) -> ASGIApp:
    """What answers this request: `app`, or a fault in its way. Counts it for the faults that it fits."""
    if not isinstance(app, Starlette):  # what the kernel itself answers
        return app
    path = scope["path"].removeprefix(scope["root_path"]) or "/"
    found, child = _route_of(app, scope)
    template = found.path if isinstance(found, LoggedRoute) else None
    kept: list[Fault] = []
    for fault in faults.live(world):
        if not faults.fits(fault, record, path, template) or (fault.route is None and _is_furniture(found)):
            continue
        if fault.person is not None and fault.person != _person(service, scope, record):
            continue
        if fault.kept:
            kept.append(fault)  # counted once the request is known to have written
        elif (counted := faults.count(world, fault)) is not None:
            record.fault = counted.mark
            strike = _Strike(world, app, counted, [], refuse, record)
            return strike.around if fault.answer in (CUT, OWN) else strike.instead(found, child)
    if kept and scope["type"] == "http":
        return _Strike(world, app, kept[0], kept, refuse, record).around
    return app


def _route_of(app: Starlette, scope: Scope) -> tuple[BaseRoute | None, Scope]:
    """The route that will answer, and what it adds to the scope."""
    for route in app.routes:
        match, child = route.matches(scope)
        if match is Match.FULL:
            return route, child
    return None, {}


def _is_furniture(route: BaseRoute | None) -> bool:
    """Whether this is a static file or the stream of live pages: only faults with a route are for these."""
    name = getattr(route, "name", "")
    return name == "live" or (isinstance(route, Mount) and name in ("static", "ui"))


def _person(service: Service, scope: Scope, record: RequestRecord) -> str | None:
    """The address of whoever this request's credential belongs to; the log notes it too."""
    request = Request(_as_http(scope))
    if auth.token_of(request, service.name) is None:
        auth.session_of(request, service.name)
    return record.person


def _as_http(scope: Scope) -> Scope:
    """The scope of a WebSocket's opening request, as that of the GET that it is."""
    return scope if scope["type"] == "http" else {**scope, "type": "http", "method": "GET"}


class _Strike:
    """One request in the way of which there is a fault, or several that keep what it writes."""

    def __init__(
        self, world: World, app: ASGIApp, fault: Fault, kept: Sequence[Fault], refuse: Refuse,
        record: RequestRecord,
    ) -> None:  # fmt: skip
        self.fault = fault
        self._world, self._log, self._app = world, world.log, app
        self._kept, self._refuse, self._record = kept, refuse, record
        self._begun = world.now()

    def instead(self, route: BaseRoute | None, child: Scope) -> ASGIApp:
        """What answers in place of the service, which does not hear of the request."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if isinstance(route, LoggedRoute):
                route.note({**scope, **child})
            if self._record.credential is None:
                _person(self._world.services[self._record.service or ""], scope, self._record)
            try:
                whole = await _read(receive)
            except HTTPException as error:  # more than a body may hold
                await self._refuse(Request(_as_http(scope)), error)(scope, receive, send)
                return
            if whole and not await self.answer(scope, receive, send):
                await _gone(receive)

        return answer

    async def around(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The service works; its client sees what the fault lets through."""
        if scope["type"] == "websocket":
            await self._around_socket(scope, receive, send)
            return
        through = _Through(self, scope, receive, send)
        await self._app(scope, receive, through.send)
        if through.hung_up:
            await _gone(receive)

    async def _around_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket is held before the service hears of it, and dropped with the first that is sent."""
        opening = await receive()
        if not await self.held(receive):
            hang_up(scope)
            await _gone(receive)
            return
        dropped = False

        async def sending(message: Message) -> None:
            nonlocal dropped
            if message["type"] == "websocket.send" and self.fault.answer == CUT and not dropped:
                dropped = True
                hang_up(scope)
            if not dropped:
                await send(message)

        await self._app(scope, _first(opening, receive), sending)

    def strikes(self, status: int) -> bool:
        """Whether the request is struck that is being answered with this status: by faults that keep what was
        written, only if it wrote."""
        if not self._kept:
            return True
        if status >= 400 or self._world.log is not self._log or not self._log.holds(self._record):
            return False
        counted = next(filter(None, (faults.count(self._world, fault) for fault in self._kept)), None)
        if counted is None:
            return False
        self.fault, self._record.fault = counted, counted.mark
        return True

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Refuses, when that is due, or hangs up; whether there was an answer."""
        if not await self.held(receive) or self.fault.answer == HANG_UP:
            hang_up(scope)
            return False
        status, sentence = int(self.fault.answer), SENTENCES[self.fault.answer]
        headers = {} if self.fault.retry_after is None else {"Retry-After": str(self.fault.retry_after)}
        error = HTTPException(status, sentence, headers)
        response = self._refuse(Request(_as_http(scope)), error)
        response.status_code = status
        response.headers.update(headers)
        await response(scope, receive, send)
        return True

    async def held(self, receive: Receive) -> bool:
        """Waits until an answer is due; False when the client went away, or the state that it is of."""
        if not self.fault.late_ms:
            return True
        world, until = self._world, self._begun + self.fault.late_ms
        subscription = world.subscribe()
        gone = asyncio.ensure_future(_gone(receive))
        moved = asyncio.ensure_future(subscription.next())
        try:
            while not gone.done() and world.log is self._log and not world.is_closed:
                left = until - world.now()
                if left <= 0:
                    return True
                timeout = left / 1000 if world.clock.mode == "running" else None
                await asyncio.wait((moved, gone), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
                if moved.done():
                    moved = asyncio.ensure_future(subscription.next())
            return False
        finally:
            subscription.close()
            moved.cancel()
            gone.cancel()
            await asyncio.gather(moved, gone, return_exceptions=True)


class _Through:
    """The way of a service's HTTP answer to its client, with a fault in it."""

    def __init__(self, strike: _Strike, scope: Scope, receive: Receive, send: Send) -> None:
        self.hung_up = False
        self._strike, self._scope, self._receive, self._send = strike, scope, receive, send
        self._start: Message | None = None
        self._passes = False  # whether the service's own answer goes through

    async def send(self, message: Message) -> None:
        """Takes a message of the service."""
        if self._start is None:
            self._start = message
            await self._begin(message)
        elif self._passes:
            await self._send(message)
        elif self._strike.fault.answer == CUT and not self.hung_up:
            await self._cut(self._start, message)

    async def _begin(self, start: Message) -> None:
        strike = self._strike
        if not strike.strikes(start["status"]):
            self._passes = True
        elif strike.fault.answer not in (CUT, OWN):
            self.hung_up = not await strike.answer(self._scope, self._receive, self._send)
        elif not await strike.held(self._receive):
            self._drop()
        else:
            self._passes = strike.fault.answer == OWN
        if self._passes:
            await self._send(start)

    async def _cut(self, start: Message, message: Message) -> None:
        """Lets half of the first bytes through; of an answer without any, nothing."""
        body = message.get("body", b"")
        if not body and message.get("more_body"):
            return
        if body and self._scope["method"] != "HEAD":
            await self._send(start)
            await self._send({**message, "body": body[: len(body) // 2], "more_body": True})
        self._drop()

    def _drop(self) -> None:
        self.hung_up = True
        hang_up(self._scope)


async def _read(receive: Receive) -> bool:
    """Reads a request to its end; False when its client goes away before that."""
    while (message := await receive())["type"] == "http.request":
        if not message.get("more_body"):
            return True
    return bool(message["type"] == "websocket.connect")


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] not in ("http.disconnect", "websocket.disconnect"):
        pass


def _first(opening: Message, receive: Receive) -> Receive:
    kept = [opening]

    async def receiving() -> Message:
        return kept.pop() if kept else await receive()

    return receiving


def hang_up(scope: Scope) -> None:
    """Closes the connection, once what was sent is through."""
    scope["state"]["transport"].close()
