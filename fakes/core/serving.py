"""The app of one service: its routes, found by how their paths begin, and one way out for errors.

It does what a plain Starlette app does with these routes, in fewer layers: every request of every world comes
through here.
"""

from __future__ import annotations

import html
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import apsw
import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Match, Router
from starlette.types import Message, Receive, Scope, Send

from fakes.core.mcp.routes import mcp_routes
from fakes.core.requests import Overtaken
from fakes.core.ui import kit_routes

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.core.service import Service


def service_app(service: Service) -> Starlette:
    """One app for a service in every world: the kit's routes, then its own, with its own error dialect."""
    return ServiceApp(service)


class ServiceApp(Starlette):
    """Answers http requests of a service; WebSockets go through Starlette's own layers."""

    def __init__(self, service: Service) -> None:
        self._refuse = refusal_of(service)
        handlers: dict[Any, Any] = dict.fromkeys((*_SAYINGS, HTTPException), self._on_error)
        super().__init__(exception_handlers={**handlers, Exception: self._on_error})
        self.router = ServiceRouter([*kit_routes(), *mcp_routes(service), *service.routes()])
        self._handlers: tuple[dict[Any, Any], dict[int, Any]] = (handlers, {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request. What an endpoint raises is answered too; a defect of ours is raised again."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        scope["starlette.exception_handlers"] = self._handlers  # for routes that are not LoggedRoutes
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.router(scope, receive, sending)
        except Exception as error:
            if not started:
                response = await self._on_error(Request(scope, receive, send), error)
                await response(scope, receive, send)
            if started or not isinstance(error, (HTTPException, *_SAYINGS)):
                raise
            error.__traceback__ = None  # an exception that is raised again and again would keep them all

    async def _on_error(self, request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return self._refuse(request, error)
        saying = next((_SAYINGS[kind] for kind in _SAYINGS if isinstance(error, kind)), _CRASH)
        return self._refuse(request, HTTPException(*saying))


_SAYINGS: dict[type[Exception], tuple[int, str]] = {
    Overtaken: (409, "The world was reset meanwhile; nothing was changed"),
    apsw.ConnectionClosedError: (404, "The world is gone"),
}
_CRASH = (500, "Internal error")


class ServiceRouter(Router):
    """Routes in their order, as Starlette tries them, but only those that a path's beginning allows."""

    def __init__(self, routes: list[BaseRoute]) -> None:
        super().__init__(routes)
        literal = [_literal(route) for route in routes]
        self._candidates = {
            beginning: [
                each for each, known in zip(routes, literal, strict=True) if known == beginning[: len(known)]
            ]
            for beginning in {(), *literal, *(known[:1] for known in literal)}
        }

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands a request to its route; one that finds none takes Starlette's way to 404, 405 or a slash."""
        for route in self._beginning_like(scope["path"].removeprefix(scope.get("root_path", ""))):
            match, child = route.matches(scope)
            if match is Match.FULL:
                scope.setdefault("router", self)
                scope["route"] = route
                scope.update(child)
                await route.handle(scope, receive, send)
                return
        await super().app(scope, receive, send)

    def _beginning_like(self, path: str) -> list[BaseRoute]:
        first, _, rest = path[1:].partition("/")
        found = self._candidates.get((first, rest.partition("/")[0]))
        if found is None:
            found = self._candidates.get((first,))
        return self._candidates[()] if found is None else found


def _literal(route: BaseRoute) -> tuple[str, ...]:
    """The first parts of a route's path, two at most, that are no parameters."""
    parts = getattr(route, "path", "").split("/")[1:3]
    return tuple(takewhile(lambda part: "{" not in part, parts))


def refusal_of(service: Service) -> Callable[[Request, HTTPException], Response]:
    """How a service tells errors: in its own dialect, but plainly to those who call its tools."""
    own = service.refuse or plain_refusal
    if service.mcp is None:
        return own

    def refuse(request: Request, error: HTTPException) -> Response:
        record = request.scope.get("state", {}).get("record")
        by_tools = record is not None and record.surface == "mcp"
        return (plain_refusal if by_tools else own)(request, error)

    return refuse


def plain_refusal(request: Request, error: HTTPException) -> Response:
    """The default error dialect: JSON for programs, a small page for browsers."""
    if "text/html" in request.headers.get("accept", ""):
        sentence = html.escape(str(error.detail))
        return HTMLResponse(f"<!doctype html><title>{sentence}</title><h1>{sentence}</h1>", error.status_code)
    body = {"error": {"code": error.status_code, "message": str(error.detail)}}
    return Response(orjson.dumps(body), error.status_code, media_type="application/json")
