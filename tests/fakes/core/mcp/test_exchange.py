"""The protocol at the gateway: who may call, what is no message, and what the log keeps."""

from __future__ import annotations

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from fakes.core import faults
from fakes.core.world import World
from harness.app import Server
from tests.fakes.core.mcp.conftest import HOST, PATH, Post
from tests.harness.toy import Box

EMPTY = "{}"


def logged(world: World) -> list[tuple[str, str | None, int | None, str | None]]:
    return [(row.surface, row.route, row.status, row.person) for row in world.log.rows()]


async def call(post: Post, name: str, **arguments: object) -> dict[str, object]:
    answer = await post("tools/call", name=name, arguments=arguments)
    assert answer.status_code == 200
    told: dict[str, object] = answer.json()
    return told


@pytest.mark.parametrize(("mode", "opening"), [("auto", "server/discover"), ("legacy", "initialize")])
async def test_the_librarys_own_client_finds_and_calls_tools(
    server: Server, world: World, token: str, mode: str, opening: str
) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    transport = httpx2.ASGITransport(server.gateway)
    async with httpx2.AsyncClient(transport=transport, base_url=HOST, headers=headers) as http:
        session = streamable_http_client(f"{HOST}{PATH}", http_client=http)
        async with Client(session, mode=mode) as client:
            assert client.server_info is not None and client.server_info.title == "Toy"
            assert client.instructions == "A shelf."
            offered = {tool.name: tool for tool in (await client.list_tools()).tools}
            done = await client.call_tool("put_box", {"label": "Lamps", "weight": 2})
            refused = await client.call_tool("put_box", {"label": "Anvil", "weight": 200})
    assert offered["put_box"].input_schema["required"] == ["label"]
    hints = offered["list_boxes"].annotations
    assert hints is not None and hints.read_only_hint and not hints.open_world_hint
    assert done.structured_content == {"id": world.all(Box, "ORDER BY seq DESC")[0].id}
    assert refused.is_error and "no more than 100" in str(refused.content)
    assert logged(world)[0][1] == f"MCP {opening}"


async def test_an_older_client_gets_the_revision_that_it_asks_for(post: Post) -> None:
    about = {"capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    answer = (await post("initialize", protocolVersion="2024-11-05", **about)).json()
    assert answer["result"]["protocolVersion"] == "2024-11-05"
    answer = (await post("initialize", protocolVersion="1999-01-01", **about)).json()
    assert answer["result"]["protocolVersion"] == "2025-11-25"
    assert (await post(headers={"MCP-Protocol-Version": "1999-01-01"})).status_code == 400
    assert (await post("ping")).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_tools_are_found_at_the_services_own_host_too(post: Post, world: World) -> None:
    url = "http://toy.main.localhost:8080/mcp"
    assert (await post("ping", url=url)).json()["result"] == {}
    assert logged(world) == [("mcp", "MCP ping", 200, "mira@toy.example")]


async def test_who_has_no_token_or_a_wrong_one_is_told_what_is_needed(post: Post, world: World) -> None:
    for given, told in (
        ("", 'Bearer realm="main"'),
        ("Bearer x", 'Bearer realm="main", error="invalid_token"'),
    ):
        answer = await post(headers={"Authorization": given})
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, told)
    assert [row[0] for row in logged(world)] == ["mcp", "mcp"]


@pytest.mark.parametrize("verb", ["GET", "DELETE"])
async def test_there_are_no_sessions_and_no_streams(post: Post, verb: str) -> None:
    answer = await post(verb=verb, content="")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:6274", 200),
        ("http://127.0.0.1:8080", 200),
        ("http://toy.main.localhost:8080", 403),
        ("https://elsewhere.example", 403),
        ("null", 403),
        ("http://[", 403),
    ],
)
async def test_pages_of_elsewhere_call_no_tools(post: Post, origin: str, status: int) -> None:
    assert (await post(headers={"Origin": origin})).status_code == status


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        ("{", 400, -32700),
        ("[" * 100_000, 400, -32700),
        ("[]", 400, -32600),
        ("7", 400, -32600),
        (EMPTY, 400, -32600),
        ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', 400, -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": 7}', 400, -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', 400, -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "no/such"}', 200, -32601),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}', 200, -32602),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "no"}}', 200, -32602),
    ],
)
async def test_what_is_no_message_is_an_error_of_the_protocol(
    post: Post, content: str, status: int, code: int
) -> None:
    answer = await post(content=content)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


async def test_other_media_types_are_turned_away(post: Post) -> None:
    assert (await post(headers={"Content-Type": "text/plain"})).status_code == 415
    assert (await post(headers={"Accept": "text/html"})).status_code == 406
    big = await post(content=EMPTY, headers={"Content-Length": "99999999"})
    assert big.status_code == 413


async def test_what_needs_no_answer_gets_none(post: Post) -> None:
    answer = await post(content='{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    assert (answer.status_code, answer.content) == (202, b"")


async def test_arguments_that_do_not_fit_are_told_in_words_and_change_nothing(
    post: Post, world: World
) -> None:
    told = await call(post, "put_box", weight="heavy", colour="red")
    result = told["result"]
    assert isinstance(result, dict) and result["isError"]
    [said] = result["content"]
    assert said["text"].startswith("put_box was not called as it must be: 'label' is missing; 'weight': ")
    assert said["text"].endswith("it has no 'colour'.")
    assert world.count(Box) == 1


async def test_a_call_is_one_request_of_the_surface_and_its_writes_name_it(post: Post, world: World) -> None:
    before = world.journal.head()
    await call(post, "put_box", label="Lamps")
    await call(post, "list_boxes")
    assert logged(world) == [
        ("mcp", "TOOL put_box", 200, "mira@toy.example"), ("mcp", "TOOL list_boxes", 200, "mira@toy.example"),
    ]  # fmt: skip
    changes = world.diff(since=before)
    assert {change.table for change in changes} == {"toy_boxes", "toy_log"}
    assert {request for change in changes for request in change.requests} == {world.log.rows()[0].id}


async def test_the_log_keeps_no_secrets_of_a_call(post: Post, world: World) -> None:
    await post("tools/call", name="put_box", arguments={"label": "x", "token": "tok_1234567890"})
    assert "tok_1234567890" not in str(world.log.rows()[0].body)


async def test_planned_failures_strike_tools_in_plain_words(post: Post, world: World) -> None:
    faults.plan(world, service="toy", route="POST /mcp/toy", answer="503", times=1)
    struck = await post("ping")
    assert (struck.status_code, struck.json()["error"]["message"]) == (503, "Service unavailable")
    assert (await post("ping")).status_code == 200
    assert [row[0] for row in logged(world)] == ["mcp", "mcp"]


async def test_a_body_without_a_size_is_read_no_further_than_it_may_go(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.core.mcp.exchange.MOST_BODY", 10)
    answer = await post("ping", headers={"Content-Length": "1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, -32600)
