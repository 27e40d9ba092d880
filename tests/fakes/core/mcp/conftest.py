"""A world of the toy with tools, and somebody who may call them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest

from fakes.core import auth
from fakes.core.seeding import Base, build_base
from fakes.core.world import Genesis, World
from harness.app import FIXED_SECRET, Server
from tests.harness.toy import seed
from tests.harness.toy_tools import SERVICES

HOST = "http://127.0.0.1:8080"
PATH = "/w/main/mcp/toy"
Post = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(scope="session")
def base() -> Base:
    return build_base(SERVICES, Genesis(1, FIXED_SECRET, 1_761_053_400_000), seed)


@pytest.fixture
def server(base: Base) -> Iterator[Server]:
    """It is not listening: clients call its gateway."""
    made = Server(services=SERVICES, secret=FIXED_SECRET)
    made.worlds.create("main", base.image)
    yield made
    made.worlds.close()


@pytest.fixture
def world(server: Server) -> World:
    return server.worlds.get("main")


@pytest.fixture
def token(world: World, base: Base) -> str:
    """Mira's."""
    return auth.issue_token(world, base.facts.mira, "toy")


@pytest.fixture
async def post(server: Server, token: str) -> AsyncIterator[Post]:
    """Sends a request of the protocol, or whatever else is `content`, with Mira's token."""
    transport = httpx.ASGITransport(server.gateway)
    async with httpx.AsyncClient(transport=transport, base_url=HOST) as http:

        async def send(method: str = "ping", *, content: Any = None, url: str = PATH, verb: str = "POST",
                       headers: dict[str, str] | None = None, **params: Any) -> httpx.Response:  # fmt: skip
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **(headers or {})}
            body = {"json": message} if content is None else {"content": content}
            return await http.request(verb, url, headers=sent, **body)

        yield send
