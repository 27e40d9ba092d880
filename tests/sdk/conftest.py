"""Google's own Python client, built as a program builds it, from the document that a world serves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import anyio.to_thread
import google.oauth2.credentials
import googleapiclient.discovery
import pytest

from fakes.core import auth
from fakes.core.world import World
from harness.app import FIXED_SECRET, Server
from tests.fakes.gmail import town
from tests.fakes.gmail.validation import answers_are_valid

__all__ = ["answers_are_valid"]


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(services=town.SERVICES, secret=FIXED_SECRET) as listening:
        listening.worlds.create("main", town.base().image)
        yield listening


@pytest.fixture
def world(server: Server) -> World:
    return server.worlds.get("main")


@pytest.fixture
def built(server: Server) -> Callable[[str], Awaitable[Any]]:
    """Builds the client with a token; close what comes of it."""

    async def build(token: str) -> Any:
        where = f"{server.url}/w/main/discovery/v1/apis/{{api}}/{{apiVersion}}/rest"
        credentials = google.oauth2.credentials.Credentials(token=token)  # type: ignore[no-untyped-call]
        return await anyio.to_thread.run_sync(
            lambda: googleapiclient.discovery.build(
                "gmail", "v1", credentials=credentials, discoveryServiceUrl=where,
                static_discovery=False, cache_discovery=False,
            )
        )  # fmt: skip

    return build


@pytest.fixture
def token_of(world: World) -> Callable[[str], str]:
    """A person's token for Gmail."""

    def token(email: str) -> str:
        person = world.person(email)
        assert person is not None
        return auth.issue_token(world, person, "gmail")

    return token
