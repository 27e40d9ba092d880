"""A town that listens, for the tests of pages in Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page

from fakes.core.seeding import Base
from fakes.core.world import World
from harness.app import FIXED_SECRET, Server
from tests.fakes.gmail.town import SERVICES


@pytest.fixture
async def listening(base: Base) -> AsyncIterator[Server]:
    """A server with world `main` on a port."""
    async with Server(services=SERVICES, secret=FIXED_SECRET) as server:
        server.worlds.create("main", base.image)
        yield server


@pytest.fixture
def town(listening: Server) -> World:
    """World `main`."""
    return listening.worlds.get("main")


@pytest.fixture
async def lawful(page: Page) -> AsyncIterator[Page]:
    """A page. The test fails if one that it showed broke its own policy."""
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    yield page
    assert not [text for text in said if "Content Security Policy" in text]
