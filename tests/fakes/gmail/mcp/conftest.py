"""Mira's tools, called as the endpoint calls them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.requests import Request

from fakes.core.mcp.tools import Said, ToolCall
from fakes.core.world import World
from fakes.gmail.mcp import tools
from tests.fakes.gmail.town import Cast

Use = Callable[..., Said]


@pytest.fixture
def use(world: World, cast: Cast) -> Use:
    """Calls a tool as Mira: `use("read_email", messageId=…)`."""
    scope = {"type": "http", "headers": [(b"host", b"127.0.0.1:8080")], "state": {"world": world}}
    call = ToolCall(Request(scope), world, cast.mira)
    return lambda tool, /, **given: tools().use(tool, call, given)
