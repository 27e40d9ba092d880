"""Leases that say user and password to the proxy, where addresses carry no identity: who is whom."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import websockets
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from fakes.core.browsers import Lease
from fakes.core.proxy import HEAD_LIMIT
from fakes.core.seeding import Seed
from fakes.core.service import Service, route
from harness import app as composition
from harness.app import FIXED_SECRET, Server, Start

from .toy_port import closed, status

pytestmark = pytest.mark.usefixtures("nothing_logged")
MIRA, TOM = "mira@harborlight.example", "tom@harborlight.example"
CHALLENGE = b'proxy-authenticate: Basic realm="paracosm"'


async def echo(request: Request) -> Response:
    lease = request.state.lease
    body = (await request.body()).decode()
    return JSONResponse({
        "lease": lease and lease.id, "headers": [name for name, _ in request.headers.items()], "body": body,
        "link": f"{request.url.scheme}://{request.headers['host']}{request.scope['root_path']}",
    })  # fmt: skip


async def stream(request: Request) -> Response:
    async def messages() -> AsyncIterator[str]:
        yield "data: 1\n\n"
        await asyncio.Event().wait()

    return StreamingResponse(messages(), media_type="text/event-stream")


async def socket(opened: WebSocket) -> None:
    await opened.accept()
    await opened.send_text(opened.state.lease.id if opened.state.lease else "nobody")
    async for text in opened.iter_text():
        await opened.send_text(text)


def routes() -> list[Any]:
    return [
        route("GET", "/echo", echo), route("POST", "/echo", echo), route("GET", "/events", stream),
        WebSocketRoute("/ws", socket),
    ]  # fmt: skip


SITE = Service(name="toy", title="Toy", summary="", kind="site", tables=(), routes=routes)


def seed(w: Seed) -> None:
    """One person."""
    w.person(MIRA, "Mira Okafor")


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """A portal, or a control plane."""
    await Response("portal")(scope, receive, send)


def serving(monkeypatch: pytest.MonkeyPatch, **options: Any) -> Server:
    monkeypatch.setattr(composition, "discover_scenarios", lambda: {"toy": seed})
    return Server(
        services={"toy": SITE},
        secret=FIXED_SECRET,
        portal=lambda _: answer,
        control=lambda _: answer,
        **options,
    )


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server in which leases have no addresses."""
    async with serving(monkeypatch, proxy_auth=True, hosts=["fakes"]) as server:
        server.create_world("main", Start("toy"))
        server.create_world("other", Start("toy"))
        yield server


async def lease(server: Server, world: str = "main", holder: str = MIRA) -> Lease:
    return await server.lease(world, kind="agent", medium="browser", holder=holder)


def basic(user: str, password: str, encoding: str = "utf-8") -> str:
    text = base64.b64encode(f"{user}:{password}".encode(encoding)).decode()
    return f"Proxy-Authorization: Basic {text}\r\n"


def credentials(server: Server, lease: Lease) -> str:
    return basic(lease.id, server.leases.password(lease))


def request(server: Server, fields: str = "", *, path: str = "/echo", close: bool = True) -> bytes:
    """A request in absolute form."""
    end = "Connection: close\r\n" if close else ""
    host = f"toy.main.localhost:{server.port}"
    return f"GET http://{host}{path} HTTP/1.1\r\nHost: {host}\r\n{fields}{end}\r\n".encode()


def inside(server: Server, path: str = "/echo", close: bool = True) -> bytes:
    """A request in a tunnel."""
    end = "Connection: close\r\n" if close else ""
    return f"GET {path} HTTP/1.1\r\nHost: toy.main.localhost:{server.port}\r\n{end}\r\n".encode()


def connect(server: Server, fields: str = "", host: str = "toy.main.localhost") -> bytes:
    return f"CONNECT {host}:{server.port} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n".encode()


async def exchange(server: Server, *sent: bytes, address: str = "127.0.0.1") -> bytes:
    """All that comes back for these bytes, each written on its own, until the server closes."""
    reader, writer = await asyncio.open_connection(address, server.port)
    for piece in sent:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.01)
    try:
        return await asyncio.wait_for(reader.read(), 30)
    finally:
        await closed(writer)


def who(response: bytes) -> Any:
    """The lease that the last answer in these bytes was made for."""
    return json.loads(re.findall(rb'\{"lease":[^}]*\}', response)[-1])["lease"]


def proxy(server: Server, lease: Lease) -> httpx.Proxy:
    return httpx.Proxy(server.url, auth=(lease.id, server.leases.password(lease)))


# who it is


async def test_a_lease_has_no_address_and_is_known_by_its_password(server: Server) -> None:
    mira, tom = await lease(server), await lease(server, holder=TOM)
    assert mira.address == "" and server.leases.password(mira) != server.leases.password(tom)
    assert who(await exchange(server, request(server, credentials(server, mira)))) == mira.id
    assert who(await exchange(server, request(server, credentials(server, tom)))) == tom.id
    rows = server.worlds.get("main").log.rows()
    assert [row.lease for row in rows] == [mira.id, tom.id]


async def test_a_tunnel_is_its_leases_with_all_that_runs_in_it(server: Server) -> None:
    mira = await lease(server)
    sent = connect(server, credentials(server, mira)), inside(server, close=False), inside(server)
    received = await exchange(server, *sent)
    assert received.count(f'"lease":"{mira.id}"'.encode()) == 2
    assert who(await exchange(server, b"".join(sent))) == mira.id  # in one piece too


async def test_credentials_count_for_the_one_request_that_they_came_with(server: Server) -> None:
    mira, tom = await lease(server), await lease(server, holder=TOM)
    mine = request(server, credentials(server, mira), close=False)
    theirs = request(server, credentials(server, tom), close=False)
    direct = inside(server, close=False)
    for together in (False, True):
        pieces = [mine, theirs, direct, request(server)]
        received = await exchange(server, *([b"".join(pieces)] if together else pieces))
        assert [part.partition(b",")[0] for part in received.split(b'"lease":')[1:]] == [
            f'"{mira.id}"'.encode(), f'"{tom.id}"'.encode(), b"null",
        ]  # fmt: skip
        assert received.count(b"407 Proxy") == 1 and received.rindex(b"407") > received.rindex(b'"lease"')


async def test_without_credentials_proxy_requests_are_asked_for_some(server: Server) -> None:
    connects = connect(server) + b"x", connect(server, "Proxy-Connection: close\r\n")
    for sent in (request(server), *connects, b"CONNECT slack.com:443 HTTP/1.0\r\n\r\n"):
        received = await exchange(server, sent)
        assert status(received) == 407 and CHALLENGE in received
    assert server.refusals.all() == [] and server.worlds.get("main").log.rows() == []


@pytest.mark.parametrize(
    "fields",
    [
        basic("mira-1", "wrong"),
        basic("mira-1", ""),
        basic("", ""),
        basic("nobody", ""),
        basic("mira-1", "pässwörd"),
        basic("mira-1", "pässwörd", "latin-1"),
        basic("\x00", "\x00"),
        "Proxy-Authorization: Basic !!!\r\n",
        "Proxy-Authorization: Basic\r\n",
        "Proxy-Authorization:\r\n",
        "Proxy-Authorization: Bearer mira-1\r\n",
    ],
)
async def test_what_is_no_leases_password_is_asked_for_again_and_recorded(
    server: Server, fields: str
) -> None:
    await lease(server)
    for sent in (request(server, fields), connect(server, fields) + b"x"):
        received = await exchange(server, sent)
        assert status(received) == 407 and CHALLENGE in received
    refusals = server.refusals.all()
    assert [refusal.reason for refusal in refusals] == ["wrong user or password at the proxy"] * 2
    assert {refusal.lease for refusal in refusals} == {None}
    assert all("wrong" not in f"{refusal.host}{refusal.path}" for refusal in refusals)


async def test_two_credentials_are_none(server: Server) -> None:
    mira, tom = await lease(server), await lease(server, holder=TOM)
    both = credentials(server, mira) + credentials(server, tom)
    assert status(await exchange(server, request(server, both))) == 407
    assert status(await exchange(server, connect(server, both) + b"x")) == 407


async def test_the_scheme_goes_in_any_case(server: Server) -> None:
    mira = await lease(server)
    fields = credentials(server, mira).replace("Basic", "bAsIc").replace("Proxy-", "PROXY-")
    assert who(await exchange(server, request(server, fields))) == mira.id


async def test_fields_for_the_proxy_never_reach_the_app(server: Server) -> None:
    mira = await lease(server)
    extra = credentials(server, mira) + "Proxy-Connection: keep-alive\r\nProxy-X: 1\r\n"
    for sent in (
        request(server, extra),
        inside(server).replace(b"\r\n\r\n", f"\r\n{extra}\r\n".encode()),
        connect(server, extra) + inside(server).replace(b"\r\n\r\n", f"\r\n{extra}\r\n".encode()),
    ):
        received = await exchange(server, sent)
        assert b"200 OK" in received and b"proxy-" not in received.partition(b'{"lease"')[2]


async def test_a_request_that_is_none_for_a_proxy_is_nobodys(server: Server) -> None:
    mira = await lease(server)
    sent = inside(server).replace(b"\r\n\r\n", f"\r\n{credentials(server, mira)}\r\n".encode())
    assert who(await exchange(server, sent)) is None


async def test_a_lease_of_another_world_is_refused_there(server: Server) -> None:
    other = await lease(server, "other")
    received = await exchange(server, request(server, credentials(server, other)))
    assert status(received) == 403 and b"foreign_lease" in received
    assert [refusal.lease for refusal in server.refusals.all()] == [other.id]


@pytest.mark.parametrize("host", ["control.localhost", "127.0.0.1", "localhost", "fakes"])
async def test_a_lease_finds_neither_control_plane_nor_portal(server: Server, host: str) -> None:
    mira = await lease(server)
    absolute = (
        f"GET http://{host}:{server.port}/ HTTP/1.1\r\n{credentials(server, mira)}Connection: close\r\n\r\n"
    )
    tunnel = connect(server, credentials(server, mira), host)
    tunnelled = f"GET / HTTP/1.1\r\nHost: {host}:{server.port}\r\nConnection: close\r\n\r\n".encode()
    for sent in ((absolute.encode(),), (tunnel, tunnelled)):
        received = await exchange(server, *sent)
        assert b" 404 " in received and b"portal" not in received
    assert [refusal.lease for refusal in server.refusals.all()] == [mira.id] * 2


async def test_what_a_lease_is_refused_is_recorded_as_its_own(server: Server) -> None:
    mira = await lease(server)
    fields = credentials(server, mira)
    received = await exchange(server, f"CONNECT slack.com:443 HTTP/1.1\r\n{fields}\r\n".encode())
    assert status(received) == 403
    await exchange(server, f"GET https://slack.com/ HTTP/1.1\r\n{fields}\r\n".encode())
    await exchange(server, connect(server, fields), b"\x16\x03\x01\x02\x00\x01\x00")
    assert [refusal.lease for refusal in server.refusals.all()] == [mira.id] * 3


async def test_a_holder_with_a_colon_gets_a_name_without(server: Server) -> None:
    odd = await lease(server, holder="zoë:x y@harborlight.example")
    assert odd.id == "zo-x-y-1"
    assert who(await exchange(server, request(server, credentials(server, odd)))) == odd.id


# connections


async def test_a_connection_goes_on_after_a_challenge(server: Server) -> None:
    mira = await lease(server)
    fields = credentials(server, mira)
    received = await exchange(server, request(server, close=False), request(server, fields))
    assert received.startswith(b"HTTP/1.1 407") and who(received) == mira.id
    received = await exchange(server, connect(server), connect(server, fields), inside(server))
    assert received.startswith(b"HTTP/1.1 407") and who(received) == mira.id


async def test_what_hurries_after_a_connect_that_is_challenged_is_not_read_as_a_request(
    server: Server,
) -> None:
    received = await exchange(server, connect(server) + inside(server))
    assert received.count(b"HTTP/1.1 ") == 1 and status(received) == 407


@pytest.mark.parametrize("known", [False, True])
async def test_a_body_is_no_trouble(server: Server, known: bool) -> None:
    mira = await lease(server)
    fields = credentials(server, mira) if known else ""
    host = f"toy.main.localhost:{server.port}"
    head = f"POST http://{host}/echo HTTP/1.1\r\nHost: {host}\r\n{fields}"
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + b"2\r\nhi\r\n3\r\n yo\r\n0\r\n\r\n"
    plain = f"{head}Content-Length: 200000\r\n\r\n".encode() + b"x" * 200_000
    waits = f"{head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n".encode()
    last = request(server, fields)
    received = await exchange(server, chunked, plain, last)
    assert received.count(b"HTTP/1.1 200" if known else b"HTTP/1.1 407") == 3
    assert (b'"body":"hi yo"' in received) is known
    received = await exchange(server, waits, b"hi", last)
    assert (b"100 Continue" in received) is known


async def test_trailers_give_no_credentials_and_no_other_fields(server: Server) -> None:
    mira = await lease(server)
    host = f"toy.main.localhost:{server.port}"
    for trailer in (credentials(server, mira), "Host: toy.other.localhost\r\n"):
        head = (
            f"POST /echo HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        received = await exchange(server, f"{head}2\r\nhi\r\n0\r\n{trailer}\r\n".encode())
        assert status(received) == 200 and who(received) is None


async def test_a_head_request_is_challenged_without_a_body(server: Server) -> None:
    received = await exchange(server, request(server).replace(b"GET", b"HEAD"))
    assert status(received) == 407 and received.endswith(b"\r\n\r\n")


async def test_credentials_count_for_the_size_of_the_head(server: Server) -> None:
    sent = request(server, "Proxy-Authorization: Basic " + "x" * HEAD_LIMIT + "\r\n")
    assert status(await exchange(server, sent)) == 431


async def test_an_upgrade_that_is_not_made_keeps_its_lease(server: Server) -> None:
    mira = await lease(server)
    h2c = "Upgrade: h2c\r\nConnection: upgrade\r\n"
    received = await exchange(
        server, request(server, credentials(server, mira) + h2c, close=False), request(server)
    )
    assert who(received) == mira.id
    received = await exchange(server, request(server, h2c, close=False), request(server))
    assert received.count(b"HTTP/1.1 407") == 2


# WebSockets


async def test_a_websocket_in_a_tunnel_is_its_leases(server: Server) -> None:
    mira = await lease(server)
    url, password = f"ws://127.0.0.1:{server.port}/w/main/sites/toy/ws", server.leases.password(mira)
    through = f"http://{mira.id}:{password}@127.0.0.1:{server.port}"
    async with websockets.connect(url, proxy=through) as opened:
        assert await opened.recv() == mira.id
    with pytest.raises(websockets.InvalidProxyStatus, match="407"):
        await websockets.connect(url, proxy=f"http://127.0.0.1:{server.port}")


async def test_a_websocket_in_absolute_form_is_its_leases(server: Server) -> None:
    mira = await lease(server)
    fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    fields += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    assert status(await exchange(server, request(server, fields, path="/ws"))) == 407
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request(server, fields + credentials(server, mira), path="/ws", close=False))
    assert status(await reader.readuntil(b"\r\n\r\n")) == 101
    assert mira.id.encode() in await reader.readexactly(2 + len(mira.id))
    await server.leases.close(mira)
    await asyncio.wait_for(reader.read(), 10)
    await closed(writer)


# the end of a lease


async def test_a_lease_that_ended_opens_nothing_and_its_connections_are_closed(server: Server) -> None:
    mira, tom = await lease(server), await lease(server, holder=TOM)
    fields, theirs = credentials(server, mira), credentials(server, tom)
    opened = [
        (connect(server, fields), b"established\r\n\r\n"),
        (connect(server, fields) + inside(server, close=False), b'"lease"'),
        (connect(server, fields) + inside(server, "/events", close=False), b"data: 1"),
        (request(server, fields, path="/events", close=False), b"data: 1"),
    ]
    connections = []
    for sent, expected in [*opened, (request(server, theirs, path="/events", close=False), b"data: 1")]:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(sent)
        await reader.readuntil(expected)
        connections.append((reader, writer))
    await server.leases.close(mira)
    *ours, (reader, writer) = connections
    for ended, _ in ours:
        await asyncio.wait_for(ended.read(), 10)
    assert not reader.at_eof()
    assert status(await exchange(server, request(server, fields))) == 407
    for _, each in connections:
        await closed(each)


async def test_a_request_that_waited_behind_another_is_not_served_to_a_lease_that_ended(
    server: Server,
) -> None:
    mira, tom = await lease(server), await lease(server, holder=TOM)
    first = request(server, credentials(server, tom), path="/events", close=False)
    second = request(server, credentials(server, mira))
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(first + second)
    await reader.readuntil(b"data: 1")
    await server.leases.close(mira)
    assert server.leases.all() == [tom]
    writer.close()
    while not (rows := server.worlds.get("main").log.rows()):
        await asyncio.sleep(0.005)
    assert [row.lease for row in rows] == [tom.id]


async def test_a_connection_that_a_lease_left_is_anybodys(server: Server) -> None:
    mira, tom = await lease(server), await lease(server, holder=TOM)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request(server, credentials(server, mira), close=False))
    await reader.readuntil(b"}")
    await server.leases.close(mira)
    writer.write(request(server, credentials(server, tom)))
    assert who(await reader.read()) == tom.id
    await closed(writer)


async def test_a_server_stops_with_tunnels_open(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(monkeypatch, proxy_auth=True) as server:
        server.create_world("main", Start("toy"))
        mira = await lease(server)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(connect(server, credentials(server, mira)) + inside(server, "/events", close=False))
        await reader.readuntil(b"data: 1")
    await asyncio.wait_for(reader.read(), 10)
    await closed(writer)


# where leases have addresses


async def test_an_own_address_needs_no_credentials_and_heeds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(monkeypatch) as server:
        server.create_world("main", Start("toy"))
        mira, tom = await lease(server), await lease(server, holder=TOM)
        theirs = credentials(server, tom)
        assert who(await exchange(server, request(server, theirs), address=mira.address)) == mira.id
        sent = connect(server, theirs), inside(server)
        assert who(await exchange(server, *sent, address=mira.address)) == mira.id


async def test_the_servers_address_takes_credentials_and_does_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving(monkeypatch) as server:
        server.create_world("main", Start("toy"))
        mira = await lease(server)
        assert who(await exchange(server, request(server, credentials(server, mira)))) == mira.id
        assert (
            who(await exchange(server, connect(server, credentials(server, mira)), inside(server))) == mira.id
        )
        assert who(await exchange(server, request(server))) is None
        assert who(await exchange(server, connect(server), inside(server))) is None
        assert status(await exchange(server, request(server, basic(mira.id, "wrong")))) == 407


# other hosts


@pytest.mark.parametrize(("host", "challenged"), [("127.0.0.1", False), ("0.0.0.0", True)])
async def test_a_host_that_others_reach_has_leases_by_password(
    monkeypatch: pytest.MonkeyPatch, host: str, challenged: bool
) -> None:
    async with serving(monkeypatch, host=host) as server:
        server.create_world("main", Start("toy"))
        opened = await lease(server)
        assert (opened.address == "") is challenged
        assert (status(await exchange(server, request(server))) == 407) is challenged


async def test_a_name_that_the_server_goes_by_is_its_own_by_path(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        for host in (f"fakes:{server.port}", "FAKES", "fakes:9000"):
            answer = await client.get("/w/main/sites/toy/echo", headers={"Host": host})
            assert answer.json()["link"] == f"http://{host.lower()}/w/main/sites/toy" or host == "FAKES"
        assert (await client.get("/", headers={"Host": "fakes"})).text == "portal"
        for host in ("faker", "fakes.example", "xfakes", "main.fakes"):
            assert (await client.get("/", headers={"Host": host})).status_code == 403


async def test_a_tunnel_to_a_name_that_the_server_goes_by_is_served(server: Server) -> None:
    mira = await lease(server)
    sent = f"GET /w/main/sites/toy/echo HTTP/1.1\r\nHost: fakes:{server.port}\r\nConnection: close\r\n\r\n"
    tunnel = connect(server, credentials(server, mira), "Fakes")
    assert who(await exchange(server, tunnel, sent.encode())) == mira.id
    other = connect(server, credentials(server, mira), "app")
    assert status(await exchange(server, other)) == 403


# clients


async def test_httpx_goes_through_with_user_and_password(server: Server) -> None:
    mira = await lease(server)
    async with httpx.AsyncClient(proxy=proxy(server, mira), trust_env=False) as client:
        for _ in range(2):
            answer = await client.post(f"http://toy.main.localhost:{server.port}/echo", content=b"hello")
            assert (answer.json()["lease"], answer.json()["body"]) == (mira.id, "hello")
    async with httpx.AsyncClient(proxy=server.url, trust_env=False) as client:
        assert (await client.get(f"http://toy.main.localhost:{server.port}/echo")).status_code == 407
