"""`python -m harness.bench.served`: the server that is measured, and a bare Starlette app beside it.

Prints what a client has to know as a JSON line. Then each line on standard input is a JSON list: `["cpu"]`
answers the seconds of CPU so far, `["reset"]` puts the world back, `["bare", 1200]` sets how many bytes the
bare route answers. The end of the input ends it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from fakes.core import auth
from fakes.core.people import password
from fakes.core.service import Service, route
from fakes.core.ui import close_streams
from fakes.core.world import World
from fakes.gmail.schema import Message
from harness.app import FIXED_SECRET, Server, discover_services
from harness.bench.filler import LARGE, Filled, filled_base
from harness.control import control_app
from harness.loop import run
from harness.portal.app import portal_app

WORLD = "measured"
ECHO_BYTES = 1000


class Bare:
    """What everything is held against: one Starlette route on plain uvicorn, with an answer of any size."""

    def __init__(self) -> None:
        self.body = b"x" * ECHO_BYTES
        self.app = Starlette(routes=[Route("/bare", self.answer, methods=["GET", "POST"])])

    async def answer(self, request: Request) -> Response:
        """As many bytes as were set, once the request is read."""
        if request.method == "POST":
            await request.body()
        return Response(self.body, media_type="application/json")

    async def listen(self) -> int:
        """Serves on a free port; returns it."""
        config = Config(
            self.app, http="httptools", lifespan="off", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, date_header=False, timeout_keep_alive=75,
        )  # fmt: skip
        config.load()
        state = ServerState()
        listening = await asyncio.get_running_loop().create_server(
            lambda: HttpToolsProtocol(config, state, {}), "127.0.0.1", 0
        )
        port: int = listening.sockets[0].getsockname()[1]
        return port


def echo_service() -> Service:
    """A site with the bare route alone: what a request to it costs more is the gateway's."""

    async def answer(request: Request) -> Response:
        return Response(b"x" * ECHO_BYTES, media_type="application/json")

    def routes() -> list[BaseRoute]:
        return [route("GET", "/bare", answer)]

    return Service("echo", "Echo", "A route and nothing behind it", "site", (), routes)


async def serve() -> None:
    """Serves until standard input ends."""
    services = {**discover_services(), "echo": echo_service()}
    server = Server(services=services, secret=FIXED_SECRET, portal=portal_app, control=control_app)
    bare = Bare()
    async with server:
        base = filled_base(services, LARGE)
        world = server.worlds.create(WORLD, base.image)
        facts = await _facts(server, world, base.facts)
        world.pristine = world.image()  # with the sessions and tokens that requests come with
        _print({**facts, "port": server.port, "bare": await bare.listen()})
        await _obey(world, bare)
        close_streams()


async def _facts(server: Server, world: World, filled: Filled) -> dict[str, Any]:
    person = world.person(filled.mira.email)
    assert person is not None
    _, cookie = auth.start_session(world, "claims_desk", person)
    lease = await server.lease(WORLD, kind="harness", medium="client", holder=person.email)
    return {
        "lease": lease.address,
        "gmail": auth.issue_token(world, person, "gmail"),
        "desk": auth.issue_token(world, person, "claims_desk"),
        "session": f"{auth.cookie_name(world, 'claims_desk')}={cookie}",
        "portal": f"{server.door.cookie}={server.door.spend(server.door.new_key())}",
        "email": person.email,
        "password": password(world, person.email),
        "code": auth.totp_now(world, person),
        "message": world.all(Message, "WHERE owner = ? ORDER BY seq LIMIT 1", (person.id,))[0].id,
        "claims": [claim.id for claim in filled.claims],
        "papers": [paper.id for paper in filled.papers],
    }


async def _obey(world: World, bare: Bare) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while line := await reader.readline():
        match json.loads(line):
            case ["cpu"]:
                _print(time.process_time())
            case ["reset"]:
                _print(world.reset())
            case ["bare", int(size)]:
                bare.body = b"x" * size
                _print(size)


def _print(value: Any) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    run(serve)
