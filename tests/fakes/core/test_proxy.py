"""The one port: what it serves, to whom it attributes it, and what it refuses."""

from __future__ import annotations

import json

import httpx
import pytest
import websockets

from fakes.core.proxy import HEAD_LIMIT, UNFINISHED_LIMIT, Port

from .toy_port import GET, LAST, A, B, Served, closed, seen, status, until

pytestmark = pytest.mark.usefixtures("nothing_logged")


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": request.param}


# Plain requests


async def test_a_request_arrives_with_path_query_and_host(served: Served) -> None:
    found = seen(await served.exchange(LAST.replace(b"/hello", b"/a%20b?c=d")))
    assert (found["path"], found["query"], found["host"]) == ("/a b", "c=d", "a.main.localhost")


async def test_a_response_carries_no_date_and_no_server_header(served: Served) -> None:
    async with httpx.AsyncClient() as client:
        response = await client.get(f"http://127.0.0.1:{served.port.port}/")
    assert list(response.headers) == ["content-length"]


async def test_port_zero_picks_a_port_and_says_which(served: Served) -> None:
    assert served.port.port > 0


async def test_a_taken_port_raises(served: Served) -> None:
    with pytest.raises(OSError, match="in use"):
        await Port(served.app, port=served.port.port).start()


async def test_pipelined_requests_are_answered_in_order(served: Served) -> None:
    received = await served.exchange(GET.replace(b"/hello", b"/later") + GET + LAST)
    assert received.count(b"200 OK") == 3
    assert received.index(b'"/later"') < received.index(b'"/hello"')


async def test_a_pipelined_request_does_not_start_as_the_one_before_it(served: Served) -> None:
    received = await served.exchange(GET.replace(b"/hello", b"/later") + LAST)
    assert seen(received)["context"] == "nobody"


async def test_a_lost_client_is_noticed_by_the_request_being_answered_and_by_those_behind_it(
    served: Served,
) -> None:
    _, writer = await served.connect()
    writer.write(GET.replace(b"/hello", b"/events") + GET)
    await until(lambda: served.app.began == ["/events"])
    await closed(writer)
    await until(lambda: served.app.ended != [])
    assert served.app.ended == ["/events"]


async def test_forwarded_headers_change_nothing(served: Served) -> None:
    forged = LAST.replace(b"Host", b"X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\nHost")
    assert seen(await served.exchange(forged))["client"] == "127.0.0.1"


# Forward proxy


@pytest.mark.parametrize("host", ["a.main.localhost", "gmail.test", "127.81.0.2", "[::1]:8"])
async def test_an_absolute_url_gives_the_host_whatever_the_header_says(
    served: Served, host: str
) -> None:
    request = f"GET http://{host}/p?q=1 HTTP/1.1\r\nHost: forged\r\nHost: twice\r\nConnection: close\r\n\r\n"
    found = seen(await served.exchange(request.encode()))
    assert (found["host"], found["path"], found["query"]) == (host, "/p", "q=1")
    assert [n for n, _ in found["headers"]].count("host") == 1


async def test_an_absolute_url_without_a_path_is_the_root(served: Served) -> None:
    found = seen(await served.exchange(b"GET http://a.localhost?q HTTP/1.1\r\nConnection: close\r\n\r\n"))
    assert (found["path"], found["query"]) == ("/", "q")


async def test_user_and_fragment_of_an_absolute_url_are_dropped(served: Served) -> None:
    found = seen(await served.exchange(b"GET http://u:p@a.test:8/x#y HTTP/1.1\r\nConnection: close\r\n\r\n"))
    assert (found["host"], found["path"]) == ("a.test:8", "/x")


async def test_fields_for_the_proxy_do_not_reach_the_app(served: Served) -> None:
    request = b"GET http://a/ HTTP/1.1\r\nProxy-Connection: close\r\nProxy-Authorization: Basic eA==\r\n"
    found = seen(await served.exchange(request + b"Connection: close\r\n\r\n"))
    assert [n for n, _ in found["headers"]] == ["host", "connection"]


async def test_a_body_arrives_through_the_proxy(served: Served) -> None:
    await served.port.listen(A)
    async with httpx.AsyncClient(proxy=f"http://{A}:{served.port.port}") as client:
        response = await client.post("http://slack.test/api/x", content=b"hello")
    assert response.json()["body"] == "hello"
    assert response.json()["server"] == A


async def test_https_asked_of_a_plain_proxy_request_is_refused_and_named(served: Served) -> None:
    received = await served.exchange(b"GET https://slack.com/api HTTP/1.1\r\nHost: slack.com\r\n\r\n")
    assert status(received) == 400
    assert b"https://slack.com/api" in received
    assert [host for _, host, _ in served.refused] == ["slack.com"]


# Tunnels


@pytest.mark.parametrize("host", ["localhost", "a.main.localhost", "A.LocalHost.", "127.0.0.1", "127.81.9.9"])
async def test_a_tunnel_to_our_own_port_is_served(served: Served, host: str) -> None:
    await served.port.listen(A)
    received = await served.exchange(served.tunnel(host), LAST, address=A)
    assert received.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK")
    assert seen(received)["server"] == A


async def test_bytes_that_come_with_the_connect_head_are_served(served: Served) -> None:
    assert seen(await served.exchange(served.tunnel() + GET + LAST))["path"] == "/hello"


async def test_a_tunnel_is_served_when_every_byte_comes_alone(served: Served) -> None:
    sent = served.tunnel() + LAST
    assert seen(await served.exchange(*(sent[i : i + 1] for i in range(len(sent)))))["path"] == "/hello"


async def test_a_connection_that_served_requests_can_become_a_tunnel(served: Served) -> None:
    assert seen(await served.exchange(GET, served.tunnel(), GET, LAST))["path"] == "/hello"


@pytest.mark.parametrize("host", ["slack.com", "10.0.0.1", "localhost.evil.com", "notlocalhost", "[::1]"])
async def test_a_tunnel_elsewhere_is_refused_with_a_sentence_that_names_the_host(
    served: Served, host: str
) -> None:
    await served.port.listen(A)
    received = await served.exchange(f"CONNECT {host}:443 HTTP/1.1\r\n\r\n".encode(), address=A)
    assert status(received) == 403
    assert f"{host}:443 is not served here, and nothing leaves the machine.".encode() in received
    assert served.refused == [(A, f"{host}:443", "a tunnel to a host and port that are not ours")]


async def test_a_tunnel_to_another_port_of_this_machine_is_refused(served: Served) -> None:
    assert status(await served.exchange(b"CONNECT a.localhost:1 HTTP/1.1\r\n\r\n")) == 403


async def test_httpx_is_told_that_https_elsewhere_is_refused(served: Served) -> None:
    async with httpx.AsyncClient(proxy=f"http://127.0.0.1:{served.port.port}", trust_env=False) as client:
        with pytest.raises(httpx.ProxyError, match="403"):
            await client.get("https://slack.com/api")


@pytest.mark.parametrize("target", ["nowhere", "a.localhost:", "a.localhost:x", ":80", "http://x/"])
async def test_a_malformed_tunnel_is_a_bad_request(served: Served, target: str) -> None:
    assert status(await served.exchange(f"CONNECT {target} HTTP/1.1\r\n\r\n".encode())) == 400


async def test_a_tunnel_inside_a_tunnel_is_a_bad_request(served: Served) -> None:
    received = await served.exchange(served.tunnel() * 100)
    assert received.count(b"200 Connection") == 1
    assert b"400 Bad Request" in received


async def test_a_tunnel_behind_an_unanswered_request_is_a_bad_request(served: Served) -> None:
    received = await served.exchange(GET.replace(b"/hello", b"/stuck") + served.tunnel())
    assert status(received) == 400


# TLS


async def test_tls_on_the_port_is_closed_and_reported(served: Served) -> None:
    assert await served.exchange(b"\x16\x03\x01\x02\x00\x01\x00") == b""
    assert served.refused == [("127.0.0.1", "", "TLS is not spoken on this port")]


@pytest.mark.parametrize("together", [False, True])
async def test_tls_inside_a_tunnel_is_closed_and_reported(served: Served, together: bool) -> None:
    hello = b"\x16\x03\x01\x02\x00\x01\x00"
    sent = [served.tunnel() + hello] if together else [served.tunnel(), hello]
    assert await served.exchange(*sent) == b"HTTP/1.1 200 Connection established\r\n\r\n"
    assert served.refused[0][:2] == ("127.0.0.1", f"a.main.localhost:{served.port.port}")


# WebSockets


async def test_a_websocket_is_attributed_to_the_address_it_came_to(served: Served) -> None:
    await served.port.listen(A)
    async with websockets.connect(f"ws://{A}:{served.port.port}/ws?x=1", proxy=None) as socket:
        found = json.loads(await socket.recv())
        await socket.send("echo")
        assert await socket.recv() == "echo"
    assert (found["type"], found["server"], found["path"], found["query"]) == ("websocket", A, "/ws", "x=1")


async def test_a_websocket_inside_a_tunnel_is_the_tunnels(served: Served) -> None:
    await served.port.listen(A)
    await served.port.listen(B)
    url, proxy = f"ws://{B}:{served.port.port}/ws", f"http://{A}:{served.port.port}"
    async with websockets.connect(url, proxy=proxy) as socket:
        found = json.loads(await socket.recv())
    assert (found["server"], found["host"]) == (A, f"{B}:{served.port.port}")


async def test_a_websocket_asked_in_absolute_form_is_served(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(upgrade(b"GET http://a.test/ws HTTP/1.1"))
    assert status(await reader.readuntil(b"\r\n\r\n")) == 101
    found = await reader.readuntil(b"}")
    assert b'"path": "/ws"' in found and b'"host": "a.test"' in found
    await closed(writer)


async def test_a_frame_that_comes_with_the_websockets_head_is_not_lost(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(upgrade(b"GET /ws HTTP/1.1") + b"\x81\x85\0\0\0\0early")
    assert (await reader.readuntil(b"early")).startswith(b"HTTP/1.1 101")
    await closed(writer)


async def test_a_websocket_does_not_start_as_a_request_of_its_connection(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(GET)
    await reader.readuntil(b"}")
    writer.write(upgrade(b"GET /ws HTTP/1.1"))
    assert b'"context": "nobody"' in await reader.readuntil(b"}")
    await closed(writer)


async def test_a_websocket_that_the_app_denies_gets_403_without_a_date(served: Served) -> None:
    received = await served.exchange(upgrade(b"GET /no HTTP/1.1"))
    assert status(received) == 403
    assert b"date" not in received.lower()


async def test_a_websocket_with_a_head_too_large_for_the_library_is_told_so(served: Served) -> None:
    received = await served.exchange(upgrade(b"GET /ws HTTP/1.1", b"Cookie: " + b"x" * 9000))
    assert status(received) == 431


async def test_a_websocket_without_a_key_is_a_bad_request(served: Served) -> None:
    received = await served.exchange(b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n")
    assert status(received) == 400


async def test_an_upgrade_that_is_no_get_is_a_plain_request(served: Served) -> None:
    received = await served.exchange(upgrade(b"POST /x HTTP/1.1", b"Content-Length: 2") + b"hi" + LAST)
    assert received.count(b"200 OK") == 2
    assert b'"body": "hi"' in received


async def test_an_upgrade_to_another_protocol_is_answered_in_http(served: Served) -> None:
    h2c = b"GET /h2c HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
    received = await served.exchange(h2c * 200 + LAST)
    assert received.count(b"200 OK") == 201


async def test_an_upgrade_that_also_asks_to_close_is_answered_and_closed(served: Served) -> None:
    both = b"GET /h2c HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\nConnection: close\r\n\r\n"
    assert seen(await served.exchange(both))["path"] == "/h2c"


def upgrade(line: bytes, *fields: bytes) -> bytes:
    opening = [line, b"Host: a", b"Upgrade: websocket", b"Connection: Upgrade"]
    key = [b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    return b"\r\n".join([*opening, *key, *fields, b"", b""])


# Malformed requests and limits


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET hello HTTP/1.1\r\n\r\n",
        b"GET http:///x HTTP/1.1\r\n\r\n",
        b"GET http://a:99999999/x HTTP/1.1\r\n\r\n",
        b"GET ftp://a/x HTTP/1.1\r\n\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x00",
    ],
)
async def test_a_malformed_request_is_answered_with_400(served: Served, sent: bytes) -> None:
    assert status(await served.exchange(sent)) == 400


async def test_a_url_over_the_limit_is_refused(served: Served) -> None:
    assert status(await served.exchange(b"GET /" + b"x" * HEAD_LIMIT + b" HTTP/1.1\r\n\r\n")) == 414


@pytest.mark.parametrize("pieces", [1, 3])
async def test_header_fields_over_the_limit_are_refused_in_any_pieces(served: Served, pieces: int) -> None:
    sent = b"GET / HTTP/1.1\r\n" + b"X: 0123456789\r\n" * (HEAD_LIMIT // 12) + b"\r\n"
    size = len(sent) // pieces + 1
    assert status(await served.exchange(*(sent[i : i + size] for i in range(0, len(sent), size)))) == 431


async def test_a_head_that_never_ends_is_refused(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(b"GET / HTTP/1.1\r\nX: " + b"x" * (UNFINISHED_LIMIT + 1000))
    assert status(await reader.readuntil(b"\r\n\r\n")) == 431
    await closed(writer)


async def test_large_bodies_and_many_requests_are_no_large_head(served: Served) -> None:
    body = b"x" * (2 * UNFINISHED_LIMIT)
    post = b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    assert (await served.exchange(post + GET * 2000 + LAST)).count(b"200 OK") == 2002
