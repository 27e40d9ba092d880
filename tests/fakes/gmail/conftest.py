"""Worlds with a mail system, and clients of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest

from fakes.core import auth, people
from fakes.core.seeding import Base
from fakes.core.world import World, open_world
from harness.app import FIXED_SECRET, Server
from tests.fakes.gmail import town
from tests.fakes.gmail.town import Cast
from tests.fakes.gmail.validation import answers_are_valid

__all__ = ["answers_are_valid"]

Client = Callable[[str], httpx.AsyncClient]


@pytest.fixture(scope="session")
def base() -> Base:
    """The pristine state that each test's world starts from."""
    return town.base()


@pytest.fixture
def cast(base: Base) -> Cast:
    """The people."""
    found: Cast = base.facts
    return found


@pytest.fixture
def server(base: Base) -> Iterator[Server]:
    """A server with world `main`; it is not listening: clients call its gateway."""
    made = Server(services=town.SERVICES, secret=FIXED_SECRET)
    made.worlds.create("main", base.image)
    yield made
    made.worlds.close()


@pytest.fixture
def world(server: Server) -> World:
    """World `main`."""
    return server.worlds.get("main")


@pytest.fixture
def lone_world(base: Base) -> Iterator[World]:
    """A world without a server."""
    made = open_world("main", town.SERVICES, image=base.image)
    yield made
    made.close()


@pytest.fixture
async def anyone(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A program without a token."""
    async with _client(server, "http://127.0.0.1:8080/w/main") as client:
        yield client


@pytest.fixture
async def api(server: Server, world: World, cast: Cast) -> AsyncIterator[httpx.AsyncClient]:
    """A program with Mira's token."""
    token = auth.issue_token(world, cast.mira, "gmail")
    headers = {"Authorization": f"Bearer {token}"}
    async with _client(server, "http://127.0.0.1:8080/w/main/gmail/v1/users/me", headers=headers) as client:
        yield client


@pytest.fixture
async def visitor(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that is not signed in."""
    async with _client(server, "http://gmail.main.localhost:8080", headers={"Accept": "text/html"}) as client:
        yield client


@pytest.fixture
async def mira(visitor: httpx.AsyncClient, world: World, cast: Cast) -> httpx.AsyncClient:
    """Mira's browser, signed in."""
    email = cast.mira.email
    answer = await visitor.post("/sign-in", data={"email": email, "password": people.password(world, email)})
    assert answer.status_code == 303
    return visitor


def _client(server: Server, url: str, **more: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(server.gateway), base_url=url, **more)
