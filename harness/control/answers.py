"""What every part of the control plane answers with, and how it finds the world that it is asked about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.journal import encode
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput

HOST = "control.localhost"
Endpoint = Callable[[Server, Request], Awaitable[Any]]
Routes = tuple[tuple[str, str, Endpoint], ...]


_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def to_json(body: Any, status: int = 200) -> Response:
    """A body as JSON; dates and instants as the journal writes them."""
    return Response(encode(body), status, headers=_HEADERS, media_type="application/json")


def to_file(image: bytes, name: str) -> Response:
    """A whole state as the SQLite file NAME.sqlite, to be kept."""
    headers = {**_HEADERS, "Content-Disposition": f'attachment; filename="{name}.sqlite"'}
    return Response(image, headers=headers, media_type="application/vnd.sqlite3")


def to_error(status: int, code: str, message: str) -> Response:
    """A refusal; `code` is for programs, the message is a sentence."""
    return to_json({"error": {"code": code, "message": message}}, status)


class Missing(BadInput):
    """Something named in the request that the world does not have: 404."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def world_of(server: Server, request: Request) -> World:
    """The world that the path names. Raises UnknownWorld."""
    return server.worlds.get(request.path_params["name"])
