"""The Connect page: tokens and leases by click, and snippets that do what they say when they are run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from fakes.core.auth import Token
from harness.app import FIXED_SECRET, Server, Start
from harness.portal.app import portal_app
from harness.portal.live import Ticking
from tests.harness.notes import client
from tests.harness.portal_pages import MIRA, at_portal, said, send, text_of


@pytest.fixture
async def office() -> AsyncIterator[Server]:
    """A server with every service."""
    async with Server(secret=FIXED_SECRET, portal=portal_app) as server:
        server.create_world("main", Start("office"))
        yield server


def shown(page: str, id: str) -> str:
    """The text of the element that a copy button copies."""
    found = re.search(rf'id="{id}"[^>]*>([^<]*)<', page)
    assert found, id
    assert f'data-copy="{id}"' in page
    return unescape(found[1])


async def token_page(portal: httpx.AsyncClient, service: str = "notes", email: str = MIRA) -> str:
    """The page after a token was issued."""
    answer = await send(portal, "/worlds/main/tokens", service=service, email=email)
    assert answer.status_code == 303, answer.text
    return (await portal.get(answer.headers["location"])).text


# tokens


async def test_a_token_is_shown_once_and_opens_what_it_says(
    server: Server, portal: httpx.AsyncClient
) -> None:
    page = await token_page(portal)
    token, base = shown(page, "token-text"), shown(page, "base-url")
    assert token in shown(page, "snippet-dotenv")
    async with client(server, Authorization=f"Bearer {token}") as program:
        assert (await program.post(f"{base}/notes")).status_code == 201
    again = await portal.get("/worlds/main/connect")
    assert token not in again.text
    assert "tok_1" in again.text


async def test_clients_of_tools_are_told_an_address_that_answers_their_token(office: Server) -> None:
    async with at_portal(office) as portal:
        page = await token_page(portal, "gmail", MIRA)
    token, address = shown(page, "token-text"), shown(page, "snippet-mcp-address").strip()
    cursor = json.loads(shown(page, "snippet-mcp-cursor"))["mcpServers"]["gmail-main"]
    assert cursor == {"url": address, "headers": {"Authorization": f"Bearer {token}"}}
    assert f"{address} " in shown(page, "snippet-mcp-claude-code")
    launched = json.loads(shown(page, "snippet-mcp-desktop"))["mcpServers"]["gmail-main"]
    assert launched["args"] == ["mcp", "--world", "main", "--as", MIRA, "--service", "gmail"]
    async with client(office, **cursor["headers"]) as program:
        answer = await program.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert answer.json()["result"] == {}


async def test_a_live_refresh_does_not_use_the_one_showing_up(portal: httpx.AsyncClient) -> None:
    answer = await send(portal, "/worlds/main/tokens", service="notes", email=MIRA)
    live = await portal.get(answer.headers["location"], headers={"X-Live": "1"})
    assert "token-text" not in live.text
    assert "token-text" in (await portal.get(answer.headers["location"])).text


async def test_issuing_and_revoking_are_the_harnesss_requests(
    server: Server, portal: httpx.AsyncClient
) -> None:
    token = shown(await token_page(portal), "token-text")
    revoked = await send(portal, "/worlds/main/tokens/revoke", token="tok_1")
    assert await said(portal, revoked) == "Token tok_1 opens nothing any more."
    async with client(server, Authorization=f"Bearer {token}") as program:
        assert (await program.post("/w/main/sites/notes/notes")).status_code == 401
    world = server.worlds.get("main")
    kinds = [(row.kind, row.route, token in str(row)) for row in world.log.rows("WHERE kind = 'harness'")]
    assert kinds == [
        ("harness", "POST /worlds/{name}/tokens", False),
        ("harness", "POST /worlds/{name}/tokens/revoke", False),
    ]
    assert "tok_1 mira@harborlight.example notes" in await text_of(portal, "/worlds/main/connect")


@pytest.mark.parametrize("fields", [{}, {"service": "notes"}, {"service": "no", "email": MIRA},
                                    {"service": "notes", "email": "hana@harborlight.example"}])  # fmt: skip
async def test_a_token_that_would_open_nothing_is_not_issued(
    server: Server, portal: httpx.AsyncClient, fields: dict[str, str]
) -> None:
    assert (await send(portal, "/worlds/main/tokens", **fields)).status_code == 400
    assert server.worlds.get("main").count(Token) == 0


@pytest.mark.parametrize("token", ["", "tok_9", "tok_1"])
async def test_what_is_no_live_token_is_not_revoked(portal: httpx.AsyncClient, token: str) -> None:
    await token_page(portal)
    await send(portal, "/worlds/main/tokens/revoke", token="tok_1")
    assert (await send(portal, "/worlds/main/tokens/revoke", token=token)).status_code == 400


@pytest.mark.parametrize("query", ["?as=nobody@x.example", "?service=nope", "?as=&service="])
async def test_whoever_or_whatever_is_not_there_falls_back_on_the_first(
    portal: httpx.AsyncClient, query: str
) -> None:
    assert "Mira Okafor at Notes" in await text_of(portal, f"/worlds/main/connect{query}")


# leases


@pytest.mark.parametrize("medium", ["browser", "client"])
async def test_a_lease_is_opened_used_and_ended(
    server: Server, portal: httpx.AsyncClient, medium: str
) -> None:
    opened = await send(portal, "/worlds/main/leases", medium=medium, kind="agent", holder=MIRA)
    assert await said(portal, opened) == "Lease mira-1 is open."
    page = (await portal.get("/worlds/main/connect")).text
    address = shown(page, "address-mira-1")
    async with client(server) as agent:
        await agent.get(f"{address}/w/main/sites/notes/")
    assert server.worlds.get("main").log.rows()[-1].lease == "mira-1"
    assert (f'proxy={{"server": "{address}"}}' in unescape(page)) == (medium == "browser")
    ended = await send(portal, "/worlds/main/leases/end", lease="mira-1")
    assert await said(portal, ended) == "Lease mira-1 is ended."
    assert server.leases.all() == []


async def test_a_page_hears_of_a_lease_that_came_and_went_between_two_looks(server: Server) -> None:
    watching = Ticking(server.worlds.get("main"), server).subscribe()
    assert "leases" in await watching.next()
    await server.leases.close(await server.lease("main", kind="agent", medium="browser", holder=MIRA))
    assert "leases" in await watching.next()
    watching.close()


async def test_a_lease_without_an_address_shows_its_password(tmp_path: Path) -> None:
    async with Server(secret=FIXED_SECRET, portal=portal_app, proxy_auth=True) as server:
        server.create_world("main", Start("office"))
        async with at_portal(server) as portal:
            await send(portal, "/worlds/main/leases", medium="browser", kind="agent", holder=MIRA)
            page = unescape((await portal.get("/worlds/main/connect")).text)
        (lease,) = server.leases.all()
        wanted = {"server": server.url, "username": lease.id, "password": server.leases.password(lease)}
        assert f"proxy={json.dumps(wanted)}" in page


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"medium": "browser"},
        {"medium": "tv", "kind": "agent"},
        {"medium": "browser", "kind": "harness"},
        {"medium": "browser", "kind": "agent", "holder": "x@y.example"},
    ],
)
async def test_a_lease_put_wrongly_is_refused(
    server: Server, portal: httpx.AsyncClient, fields: dict[str, str]
) -> None:
    assert (await send(portal, "/worlds/main/leases", **fields)).status_code == 400
    assert server.leases.all() == []


async def test_a_lease_of_another_world_is_not_ended_from_here(
    server: Server, portal: httpx.AsyncClient
) -> None:
    server.create_world("other", Start("office"))
    lease = await server.lease("other", kind="agent", medium="client")
    assert (await send(portal, "/worlds/main/leases/end", lease=lease.id)).status_code == 400
    assert server.leases.all() == [lease]


# snippets


async def run(*command: str, env: dict[str, str], cwd: Path) -> str:
    """What a program prints; fails with what it complains of."""
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **env}, cwd=cwd, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, problems = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, problems.decode()
    return out.decode()


def variables(dotenv: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in dotenv.splitlines())


@pytest.mark.parametrize(("service", "answers"), [("gmail", "messages"), ("claims_desk", "claims")])
@pytest.mark.parametrize("language", ["curl", "python", "node"])
async def test_a_snippet_runs_and_gets_its_answer(
    office: Server, tmp_path: Path, service: str, answers: str, language: str
) -> None:
    program = sys.executable if language == "python" else shutil.which(language)
    if program is None:
        pytest.skip(f"no {language} here")
    async with at_portal(office) as portal:
        page = await token_page(portal, service)
    dotenv, text = shown(page, "snippet-dotenv"), shown(page, f"snippet-{language}")
    (tmp_path / ".env").write_text(dotenv)
    if language == "curl":
        shell = f"set -a; . ./.env; set +a\n{text}"
        printed = await run("sh", "-c", shell, env={}, cwd=tmp_path)
    elif language == "python":
        printed = await run(program, "-W", "ignore", "-c", text, env=variables(dotenv), cwd=tmp_path)
    else:
        (tmp_path / "call.mjs").write_text(text)
        printed = await run(program, "--env-file=.env", "call.mjs", env={}, cwd=tmp_path)
    assert answers in printed
    logged = office.worlds.get("main").log.rows("ORDER BY id DESC LIMIT 1")[0]
    assert (logged.service, logged.person, logged.status) == (service, MIRA, 200)


async def test_gmails_python_snippet_takes_the_served_discovery_document(office: Server) -> None:
    async with at_portal(office) as portal:
        page = (await portal.get("/worlds/main/connect?service=gmail")).text
    assert "/discovery/v1/apis/{api}/{apiVersion}/rest" in shown(page, "snippet-python")
