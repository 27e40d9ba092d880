"""`paracosm mcp`: the library's own client launches it, and speaks to the running server through it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client

from fakes.core.auth import Token
from fakes.core.seeding import build_base
from fakes.core.world import Genesis
from harness.app import FIXED_SECRET, Server
from harness.cli import run
from harness.cli.dial import Control
from harness.cli.mcp import Bridge
from harness.control import control_app
from tests.harness.toy import Box, seed
from tests.harness.toy_tools import SERVICES

ROOT = Path(__file__).parents[3]
MIRA = "mira@toy.example"


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(services=SERVICES, secret=FIXED_SECRET, control=control_app) as made:
        base = build_base(SERVICES, Genesis(1, FIXED_SECRET, 1_761_053_400_000), seed)
        made.worlds.create("main", base.image)
        yield made


def told(server: Bridge, **message: Any) -> Any:
    """What the bridge writes for a message."""
    out = io.BytesIO()
    server.pass_on(json.dumps({"jsonrpc": "2.0", **message}).encode(), out)
    return json.loads(out.getvalue()) if out.getvalue() else None


async def test_a_client_that_launches_it_calls_the_running_servers_tools(server: Server) -> None:
    command = StdioServerParameters(
        command=sys.executable, cwd=ROOT,
        args=["-m", "harness.cli", "mcp", "--world", "main", "--as", MIRA, "--service", "toy"],
        env={"PARACOSM_URL": server.url, "PARACOSM_SECRET": server.control_secret},
    )  # fmt: skip
    async with Client(command) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["list_boxes", "put_box"]
        done = await client.call_tool("put_box", {"label": "Lamps"})
    world = server.worlds.get("main")
    assert done.structured_content == {"id": world.all(Box, "ORDER BY seq DESC")[0].id}
    [written] = world.log.rows("WHERE route = 'TOOL put_box'")
    assert (written.surface, written.person) == ("mcp", MIRA)


async def test_messages_go_on_as_they_are_and_failures_become_answers(server: Server) -> None:
    bridge = Bridge(Control(server.url, server.control_secret), "main", MIRA, "toy")
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}

    def talk() -> list[Any]:
        bridge.enter()
        return [
            told(bridge, id=1, method="initialize", params=about),
            told(bridge, method="notifications/initialized"),
            told(bridge, id=2, method="ping"),
            told(bridge, id=True, method="ping"),
        ]

    opened, nothing, pong, wrong = await anyio.to_thread.run_sync(talk)
    assert opened["result"]["protocolVersion"] == "2025-06-18" and nothing is None
    assert pong == {"jsonrpc": "2.0", "id": 2, "result": {}} and wrong["error"]["code"] == -32600
    world = server.worlds.get("main")
    with world.tx() as tx:
        tx.execute("UPDATE tokens SET revoked_at = 1")
    assert (await anyio.to_thread.run_sync(lambda: told(bridge, id=3, method="ping")))["result"] == {}
    assert world.count(Token) == 2
    await server.remove_world("main")
    gone = await anyio.to_thread.run_sync(lambda: told(bridge, id=4, method="ping"))
    assert gone["error"]["code"] == -32603 and "unknown_world" in gone["error"]["message"]


async def test_wrong_use_is_told_in_a_sentence(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARACOSM_URL", server.url)
    monkeypatch.setenv("PARACOSM_SECRET", server.control_secret)
    for given, said in (
        (["--as", "nobody@toy.example", "--service", "toy"], "Nobody in world 'main' has the address"),
        (["--as", MIRA, "--service", "post"], "There is no service 'post'"),
        (["--as", MIRA, "--world", "other", "--service", "toy"], "There is no world 'other'"),
    ):
        assert await anyio.to_thread.run_sync(run, ["mcp", *given]) == 2
        assert said in capsys.readouterr().err
