"""The portal's app: who gets in, where each page is, and what becomes of an error."""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from fakes.core.errors import Refused
from fakes.core.ui import kit_routes
from harness.app import Server
from harness.fields import BadInput
from harness.portal import actions, connect, deliveries, faults, mail, open_as, overview, snapshots, views
from harness.portal.live import live_server
from harness.portal.page import pages, sorry
from harness.snapshots import UNWRITABLE, no_room

CLOSED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not open</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>:root{color-scheme:light dark}h1{font-size:1.3rem}code{font-family:ui-monospace,monospace}
body{font:1.05rem/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}</style></head>
<body><main><h1>Not open here</h1>
<p>This page opens by a one-time link, and this browser has not used one. <code>paracosm serve</code> printed
a link when it started; <code>paracosm portal</code> prints a new one.</p></main></body></html>
"""
_CLOSED_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
PARTS = (views, actions, open_as, connect, mail, deliveries, faults, snapshots)
"""Modules of pages and forms of one world, each with its ROUTES."""
_INNOCENT = frozenset({"/", "/favicon.ico"})  # what any browser asks for on its own; the rest is an attempt


def portal_app(server: Server) -> ASGIApp:
    """The portal of one server. Whoever holds no session of its door gets a 404 that says how to open it."""
    return behind_the_door(server, _pages(server))


def behind_the_door(server: Server, app: ASGIApp) -> ASGIApp:
    """Pages for browsers that hold a session of the server's door, which one-time links give."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope)
        session = request.cookies.get(server.door.cookie)
        if "authorization" in request.headers:  # a program's token, never a person's browser
            answer = _closed(server, request)
        elif session is not None and server.door.knows(session):
            scope["state"] = {"server": server, "session": session, "csrf": server.door.csrf(session)}
            return await app(scope, receive, send)
        elif scope["path"] == "/open" and request.method == "GET":
            answer = _open(server, request)
        else:
            answer = _closed(server, request)
        await answer(scope, receive, send)

    return guarded


def _open(server: Server, request: Request) -> Response:
    session = server.door.spend(request.query_params.get("key", ""))
    if session is None:
        return _closed(server, request)
    answer = RedirectResponse(
        _aim(request), 303, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    )
    answer.set_cookie(server.door.cookie, session, httponly=True, samesite="strict")
    return answer


def _closed(server: Server, request: Request) -> Response:
    if request.url.path not in _INNOCENT or request.method not in ("GET", "HEAD"):
        server.refusals.add(
            lease=None, world=None, method=request.method, host=request.headers.get("host", ""),
            path=request.url.path, reason="the portal, without a session of it",
        )  # fmt: skip
    return HTMLResponse(CLOSED, 404, headers=_CLOSED_HEADERS)


def _pages(server: Server) -> Starlette:
    async def in_world(scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"]["name"]
        scope["state"] = {**scope["state"], "world": server.worlds.get(name)}
        await world_pages(scope, receive, send)

    world_pages = Router([*(route for part in PARTS for route in part.ROUTES), *kit_routes()])
    routes = [
        Route("/open", _already_open),
        Route("/", overview.overview),
        Route("/compare", overview.compare),
        Route("/refusals", views.refusals),
        Route("/worlds", actions.create_world, methods=["POST"]),
        Route("/_live", live_server),
        Mount("/worlds/{name}", app=in_world),
        pages.static(),
        *kit_routes(),
    ]
    return Starlette(routes=routes, exception_handlers=handlers())


def handlers() -> dict[Any, Any]:
    """What becomes of an error on a page of the portal."""
    found: dict[Any, Any] = {Refused: _on_refused, BadInput: _on_refused, HTTPException: _on_http_error}
    return found | dict.fromkeys(UNWRITABLE, _on_no_room)


async def _already_open(request: Request) -> Response:
    """The link again, in a browser that used one: there is nothing left to do."""
    return RedirectResponse(_aim(request), 303)


def _aim(request: Request) -> str:
    """Where a link leads once the portal is open: to the page of a world that it names, or to all worlds."""
    to = request.query_params.get("to", "")
    return to if to.startswith("/worlds/") else "/"


async def _on_refused(request: Request, error: Exception) -> Response:
    return sorry(request, str(error), error.status if isinstance(error, Refused) else 400)


async def _on_no_room(request: Request, error: Exception) -> Response:
    return sorry(request, no_room(error), 507)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.status_code == 404 else f"{error.detail}."
    return sorry(request, sentence, error.status_code)
