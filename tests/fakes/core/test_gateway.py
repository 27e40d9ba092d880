"""The gateway: which world and service a request is for, who sent it, and what is turned away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from fakes.core import auth
from fakes.core.browsers import Lease
from fakes.core.links import resolve, stored_link
from fakes.core.people import Person
from fakes.core.service import Service, route
from harness import app as composition
from harness.app import FIXED_SECRET, Server, Start

from .conftest import Note, add_note, seed

pytestmark = pytest.mark.anyio


async def show(request: Request) -> Response:
    found = auth.token_of(request, "toy")
    if found is None:
        return JSONResponse({"error": "sign in"}, 401)
    return JSONResponse({"me": found[1].email, "link": resolve(request, stored_link("toy", "/q/x"))})


async def write(request: Request) -> Response:
    world = request.state.world
    body = await request.json()
    with world.tx() as tx:
        note = add_note(tx, world, text=body["text"], owner=request.path_params.get("owner"))
    return JSONResponse({"id": note.id}, 201)


async def crash(request: Request) -> Response:
    raise RuntimeError("a defect")


async def half_crash(request: Request) -> Response:
    world = request.state.world
    with world.tx() as tx:
        add_note(tx, world, text="kept")
    raise RuntimeError("after the write")


def routes() -> list[Any]:
    return [
        route("GET", "/show", show),
        route("POST", "/notes", write),
        route("GET", "/q/{token}", show),
        route("POST", "/crash", crash),
        route("POST", "/half", half_crash),
    ]


site = Service(name="toy", title="Toy", summary="", kind="site", tables=(Note,), routes=routes)
fake = Service(
    name="mail_fake", title="Mail", summary="", kind="fake", tables=(), api_paths=("mail/v1/", "batch/mail"),
    routes=lambda: [route("GET", "/mail/v1/me", show), route("GET", "/batch/mail", show)],
)  # fmt: skip


def plain(text: str) -> Any:
    async def answer(request: Request) -> Response:
        return PlainTextResponse(text)

    return lambda server: Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    monkeypatch.setattr(composition, "discover_scenarios", lambda: {"toy": seed})
    services = {"toy": site, "mail_fake": fake}
    async with Server(
        services=services, secret=FIXED_SECRET, portal=plain("portal"), control=plain("control")
    ) as server:
        server.create_world("main", Start("toy"))
        server.create_world("other", Start("toy"))
        yield server


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False) as client:
        yield client


async def lease(server: Server, world: str = "main", medium: Any = "client") -> Lease:
    return await server.lease(world, kind="agent", medium=medium, holder="mira@harborlight.example")


def token(server: Server, world: str = "main") -> dict[str, str]:
    opened = server.worlds.get(world)
    person = opened.one(Person)
    assert person is not None
    return {"authorization": f"Bearer {auth.issue_token(opened, person, 'toy')}"}


def base(server: Server, address: str = "127.0.0.1") -> str:
    return f"http://{address}:{server.port}"


async def test_a_site_by_path_and_by_host(server: Server, client: httpx.AsyncClient) -> None:
    headers = token(server)
    by_path = await client.get(base(server) + "/w/main/sites/toy/show", headers=headers)
    by_host = await client.get(
        base(server) + "/show", headers={**headers, "host": f"toy.main.localhost:{server.port}"}
    )
    assert by_path.json()["me"] == by_host.json()["me"] == "mira@harborlight.example"


async def test_links_are_made_for_the_reader(server: Server, client: httpx.AsyncClient) -> None:
    headers = token(server)
    by_path = await client.get(base(server) + "/w/main/sites/toy/show", headers=headers)
    by_host = await client.get(
        base(server) + "/show", headers={**headers, "host": f"toy.main.localhost:{server.port}"}
    )
    assert by_path.json()["link"] == base(server) + "/w/main/sites/toy/q/x"
    assert by_host.json()["link"] == f"http://toy.main.localhost:{server.port}/q/x"


async def test_a_fake_is_found_by_its_vendors_path(server: Server, client: httpx.AsyncClient) -> None:
    assert (await client.get(base(server) + "/w/main/mail/v1/me")).status_code == 401
    assert (await client.get(base(server) + "/w/main/batch/mail")).status_code == 401
    assert (await client.get(base(server) + "/w/main/batch/mailing")).json()["error"][
        "code"
    ] == "unknown_service"


async def test_a_bare_service_host_leads_to_the_main_world(server: Server, client: httpx.AsyncClient) -> None:
    answer = await client.get(
        base(server) + "/show?a=1", headers={"host": f"mail-fake.localhost:{server.port}"}
    )
    assert answer.headers["location"] == f"http://mail-fake.main.localhost:{server.port}/show?a=1"


@pytest.mark.parametrize(
    ("host", "path", "status", "code"),
    [
        ("127.0.0.1", "/w/nope/sites/toy/show", 404, "unknown_world"),
        ("127.0.0.1", "/w/main/sites/nope/show", 404, "unknown_service"),
        ("127.0.0.1", "/w/main/", 404, "unknown_service"),
        ("127.0.0.1", "/w", 404, "unknown_world"),
        ("toy.nope.localhost", "/show", 404, "unknown_world"),
        ("nope.main.localhost", "/show", 403, "unknown_host"),
        ("a.toy.main.localhost", "/show", 403, "unknown_host"),
        ("nope.localhost", "/show", 403, "unknown_host"),
        ("www.google.com", "/", 403, "unknown_host"),
        ("evil.example:80", "/w/main/sites/toy/show", 403, "unknown_host"),
    ],
)
async def test_what_is_not_here_is_refused_and_recorded(
    server: Server, client: httpx.AsyncClient, host: str, path: str, status: int, code: str
) -> None:
    answer = await client.get(base(server) + path, headers={"host": host})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert [(r.host, r.path) for r in server.refusals.all()] == [(host, path)]


async def test_a_lease_of_another_world_is_refused(server: Server, client: httpx.AsyncClient) -> None:
    ours = await lease(server, "other")
    answer = await client.get(base(server, ours.address) + "/w/main/sites/toy/show", headers=token(server))
    assert answer.json()["error"]["code"] == "foreign_lease"
    (refusal,) = server.refusals.of(ours.id)
    assert refusal.world == "other" and server.worlds.get("main").log.rows() == []


async def test_a_token_of_another_world_is_unknown(server: Server, client: httpx.AsyncClient) -> None:
    answer = await client.get(base(server) + "/w/main/sites/toy/show", headers=token(server, "other"))
    assert answer.status_code == 401
    (row,) = server.worlds.get("main").log.rows()
    assert (row.status, row.person) == (401, None)


@pytest.mark.parametrize("medium", ["client", "browser"])
@pytest.mark.parametrize("host", ["control.localhost", "127.0.0.1", "localhost", None])
async def test_a_lease_finds_neither_control_plane_nor_portal(
    server: Server, client: httpx.AsyncClient, medium: str, host: str | None
) -> None:
    ours = await lease(server, medium=medium)
    headers = {"host": f"{host}:{server.port}"} if host else {}
    answer = await client.get(base(server, ours.address) + "/worlds", headers=headers)
    assert answer.status_code == 404 and answer.text not in ("portal", "control")
    assert [r.lease for r in server.refusals.all()] == [ours.id]


async def test_attempts_survive_a_reset(server: Server, client: httpx.AsyncClient) -> None:
    ours = await lease(server)
    await client.post(
        base(server, ours.address) + "/worlds/main/reset", headers={"host": "control.localhost"}
    )
    server.worlds.get("main").reset()
    assert len(server.refusals.of(ours.id)) == 1


async def test_without_a_lease_portal_and_control_plane_answer(
    server: Server, client: httpx.AsyncClient
) -> None:
    assert (await client.get(base(server) + "/")).text == "portal"
    assert (await client.get(base(server) + "/", headers={"host": "control.localhost"})).text == "control"


async def test_a_request_is_logged_with_its_lease_and_route(
    server: Server, client: httpx.AsyncClient
) -> None:
    ours = await lease(server)
    await client.post(
        base(server, ours.address) + "/w/main/sites/toy/notes?code=7", json={"text": "x", "token": "t"}
    )
    (row,) = server.worlds.get("main").log.rows()
    assert (row.lease, row.kind, row.surface, row.route) == (ours.id, "agent", "api", "POST /notes")
    assert (row.status, row.query, row.body) == (201, "code=[redacted]", '{"text":"x","token":"[redacted]"}')


async def test_a_secret_in_a_path_is_not_logged(server: Server, client: httpx.AsyncClient) -> None:
    await client.get(base(server) + "/w/main/sites/toy/q/s3cret")
    (row,) = server.worlds.get("main").log.rows()
    assert row.path == "/w/main/sites/toy/q/[redacted]"


async def test_a_browser_without_fetch_headers_counts_as_api(
    server: Server, client: httpx.AsyncClient
) -> None:
    ours = await lease(server, medium="browser")
    url = base(server, ours.address) + "/w/main/sites/toy/show"
    await client.get(url)
    await client.get(url, headers={"sec-fetch-mode": "cors", "sec-fetch-dest": "empty"})
    assert [r.surface for r in server.worlds.get("main").log.rows()] == ["api", "browser"]


async def test_a_program_with_a_token_can_not_pass_for_a_page(
    server: Server, client: httpx.AsyncClient
) -> None:
    ours = await lease(server, medium="browser")
    headers = {**token(server), "sec-fetch-mode": "cors"}
    await client.get(base(server, ours.address) + "/w/main/sites/toy/show", headers=headers)
    assert [r.surface for r in server.worlds.get("main").log.rows()] == ["api"]


async def test_a_document_by_path_is_sent_to_the_services_own_host(
    server: Server, client: httpx.AsyncClient
) -> None:
    headers = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    answer = await client.get(base(server) + "/w/main/sites/toy/show?a=1", headers=headers)
    assert answer.headers["location"] == f"http://toy.main.localhost:{server.port}/show?a=1"


async def test_two_hosts_are_refused(server: Server) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /show HTTP/1.1\r\nHost: toy.main.localhost\r\nHost: toy.other.localhost\r\n\r\n")
    assert b"403" in await reader.readline()
    writer.close()


async def test_a_lease_is_not_told_which_other_worlds_there_are(
    server: Server, client: httpx.AsyncClient
) -> None:
    ours = await lease(server)
    answers = [await client.get(base(server, ours.address) + f"/w/{name}/x") for name in ("other", "nope")]
    assert [answer.json()["error"]["code"] for answer in answers] == ["foreign_lease"] * 2


async def test_a_write_that_a_reset_overtook_changes_nothing(server: Server) -> None:
    world = server.worlds.get("main")
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    body = b'{"text":"late"}'
    head = f"POST /w/main/sites/toy/notes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body[:5])
    while world.log.newest == 0:
        await asyncio.sleep(0.01)
    pristine = world.reset()
    writer.write(body[5:])
    assert b"409" in await reader.readline() and world.state_hash() == pristine
    writer.close()


async def test_a_client_can_not_pass_for_a_browser(server: Server, client: httpx.AsyncClient) -> None:
    ours = await lease(server, medium="client")
    await client.get(
        base(server, ours.address) + "/w/main/sites/toy/show", headers={"sec-fetch-mode": "navigate"}
    )
    assert [r.surface for r in server.worlds.get("main").log.rows()] == ["api"]


async def test_a_defect_is_answered_in_the_services_dialect(
    server: Server, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await client.post(base(server) + "/w/main/sites/toy/crash", json={})
    assert answer.status_code == 500 and answer.json()["error"]["code"] == 500
    assert "a defect" in caplog.text and "a defect" not in answer.text
    (row,) = server.worlds.get("main").log.rows()
    assert row.status == 500


async def test_a_defect_after_a_write_completes_its_row(server: Server, client: httpx.AsyncClient) -> None:
    await client.post(base(server) + "/w/main/sites/toy/half", json={})
    (row,) = server.worlds.get("main").log.rows()
    assert row.status == 500 and server.worlds.get("main").diff()[0].requests == (row.id,)


async def test_an_ended_lease_answers_nobody(server: Server, client: httpx.AsyncClient) -> None:
    ours = await lease(server)
    await client.get(base(server, ours.address) + "/w/main/sites/toy/show")
    await server.leases.close(ours)
    with pytest.raises(httpx.TransportError):
        await client.get(base(server, ours.address) + "/w/main/sites/toy/show")


async def test_removing_a_world_ends_its_leases(server: Server, client: httpx.AsyncClient) -> None:
    ours = await lease(server)
    await server.remove_world("main")
    assert server.leases.all() == [] and server.worlds.names() == ["other"]
    with pytest.raises(httpx.TransportError):
        await client.get(base(server, ours.address) + "/")


async def test_a_browser_gets_a_page_that_names_what_is_missing(
    server: Server, client: httpx.AsyncClient
) -> None:
    answer = await client.get(base(server) + "/<b>", headers={"host": "<b>.example", "accept": "text/html"})
    assert answer.status_code == 403 and "&lt;b&gt;.example is not faked" in answer.text


async def test_a_body_beyond_all_limits_is_refused(
    server: Server, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.core.gateway.MOST", 1000)
    answer = await client.post(base(server) + "/w/main/sites/toy/notes", content=b"x" * 1001)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, 413)
    (row,) = server.worlds.get("main").log.rows()
    assert row.status == 413
