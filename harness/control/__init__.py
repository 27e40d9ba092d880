"""The control plane: JSON over host `control.localhost`, for the harness and the command line.

Whoever comes without the server's secret (every agent token, every page) gets the 404 of a page that does not
exist, and the attempt is recorded outside the worlds. Leases do not get here at all: the gateway answers them
so by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fakes.core.errors import Refused, UnknownService
from fakes.core.ids import same
from harness.app import Server, UnknownScenario
from harness.control import access, clock, deliveries, faults, leases, people, snapshots, worlds
from harness.control import server as server_itself
from harness.control.answers import HOST, Endpoint, Missing, to_error, to_json
from harness.fields import BadInput
from harness.snapshots import UNWRITABLE, no_room

PARTS = (server_itself, worlds, snapshots, clock, deliveries, faults, people, access, leases)
ROUTES = tuple(route for part in PARTS for route in part.ROUTES)
"""Every way in: method, path and what answers."""


def control_app(server: Server) -> ASGIApp:
    """The control plane of one server, closed to whoever lacks its secret."""
    routes = [Route(path, _answering(server, call), methods=[method]) for method, path, call in ROUTES]
    handlers: dict[Any, Any] = {
        Refused: _on_refused, BadInput: _on_bad_input, UnknownScenario: _on_bad_input,
        HTTPException: _on_http_error, **dict.fromkeys(UNWRITABLE, _on_no_room), Exception: _on_crash,
    }  # fmt: skip
    app = Starlette(routes=routes, exception_handlers=handlers)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _holds_secret(server, scope):
            await app(scope, receive, send)
        else:
            await _turn_away(server, scope, receive, send)

    return guarded


def _holds_secret(server: Server, scope: Scope) -> bool:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    wanted = f"Bearer {server.control_secret}"
    return len(given) == 1 and same(given[0].decode("latin-1"), wanted)


async def _turn_away(server: Server, scope: Scope, receive: Receive, send: Send) -> None:
    server.refusals.add(
        lease=None, world=None, method=scope.get("method", "WEBSOCKET"), host=HOST, path=scope["path"],
        reason="the control plane, without its secret",
    )  # fmt: skip
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    refusal = UnknownService("There is nothing here.")
    await to_json(refusal.body(), refusal.status)(scope, receive, send)


def _answering(server: Server, call: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        answer = await call(server, request)
        return answer if isinstance(answer, Response) else to_json(answer)

    return endpoint


async def _on_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return to_json(error.body(), error.status)


async def _on_bad_input(request: Request, error: Exception) -> Response:
    status, code = (404, error.code) if isinstance(error, Missing) else (400, "bad_input")
    return to_error(status, code, str(error))


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "unknown_path", 405: "wrong_method"}.get(error.status_code, "refused")
    return to_error(error.status_code, code, f"{request.method} {request.url.path}: {error.detail}.")


async def _on_no_room(request: Request, error: Exception) -> Response:
    return to_error(507, "no_room", no_room(error))


async def _on_crash(request: Request, error: Exception) -> Response:
    return to_error(500, "internal", f"{type(error).__name__}: {error}")


__all__ = ["HOST", "ROUTES", "control_app"]
