"""Listening addresses: each is one lease, and ends as one thing."""

from __future__ import annotations

import asyncio

import httpx
import pytest
import websockets

from .toy_port import GET, LAST, A, B, Served, closed, seen, started, until

pytestmark = pytest.mark.usefixtures("nothing_logged")


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": request.param}


# Leases


async def test_a_request_is_attributed_to_the_address_it_came_to(served: Served) -> None:
    await served.port.listen(A)
    await served.port.listen(B)
    found = [seen(await served.exchange(LAST, address=a))["server"] for a in (A, B, "127.0.0.1")]
    assert found == [A, B, "127.0.0.1"]


async def test_a_request_through_a_lease_to_another_leases_address_is_the_first_ones(served: Served) -> None:
    await served.port.listen(A)
    await served.port.listen(B)
    async with httpx.AsyncClient(proxy=f"http://{A}:{served.port.port}") as client:
        response = await client.get(f"http://{B}:{served.port.port}/x")
    found = response.json()
    assert (found["server"], found["host"]) == (A, f"{B}:{served.port.port}")


async def test_an_address_without_a_listener_is_not_served(served: Served) -> None:
    with pytest.raises(ConnectionRefusedError):
        await served.connect(A)


@pytest.mark.parametrize("address", ["0.0.0.0", "10.0.0.1", "::1", "localhost", ""])
async def test_a_lease_listens_on_loopback_only(served: Served, address: str) -> None:
    with pytest.raises(ValueError, match=r"127\.0\.0\.0/8"):
        await served.port.listen(address)


async def test_an_address_is_leased_once_at_a_time(served: Served) -> None:
    listener = await served.port.listen(A)
    with pytest.raises(OSError, match="in use"):
        await served.port.listen(A)
    await listener.close()
    await served.port.listen(A)
    assert seen(await served.exchange(LAST, address=A))["server"] == A


async def test_two_hundred_listeners_open_and_close_at_once(served: Served) -> None:
    listeners = [await served.port.listen(f"127.81.1.{n}") for n in range(1, 201)]
    assert seen(await served.exchange(LAST, address="127.81.1.200"))["server"] == "127.81.1.200"
    await asyncio.gather(*(listener.close() for listener in listeners))
    with pytest.raises(OSError):
        await served.connect("127.81.1.1")


async def test_closing_a_listener_closes_its_idle_connections_and_no_others(served: Served) -> None:
    listener = await served.port.listen(A)
    await served.port.listen(B)
    (ours, writer), (others, other) = await served.connect(A), await served.connect(B)
    for w in (writer, other):
        w.write(GET)
    for r in (ours, others):
        await r.readuntil(b"}")
    await listener.close()
    assert await ours.read() == b""
    other.write(LAST)
    assert seen(await others.read())["server"] == B
    await closed(writer)
    await closed(other)


@pytest.mark.parametrize("path", [b"/events", b"/stuck", b"/big"])
async def test_closing_a_listener_cuts_what_is_in_flight(served: Served, path: bytes) -> None:
    listener = await served.port.listen(A)
    reader, writer = await served.connect(A)
    writer.write(GET.replace(b"/hello", path))
    await until(lambda: served.app.began != [])
    await asyncio.wait_for(listener.close(), 60)
    with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
        await reader.readexactly(20_000_000)
    assert served.app.ended == [path.decode()]
    await closed(writer)


async def test_closing_a_listener_closes_websockets_with_a_close_frame(served: Served) -> None:
    listener = await served.port.listen(A)
    async with websockets.connect(f"ws://{A}:{served.port.port}/ws", proxy=None) as socket:
        await socket.recv()
        await listener.close()
        with pytest.raises(websockets.ConnectionClosed) as error:
            await socket.recv()
    assert error.value.rcvd is not None and error.value.rcvd.code == 1012


async def test_closing_a_listener_closes_its_tunnels(served: Served) -> None:
    listener = await served.port.listen(A)
    reader, writer = await served.connect(A)
    writer.write(served.tunnel())
    await reader.readuntil(b"\r\n\r\n")
    await listener.close()
    assert await reader.read() == b""
    await closed(writer)


async def test_closing_a_listener_twice_is_harmless(served: Served) -> None:
    listener = await served.port.listen(A)
    await asyncio.gather(listener.close(), listener.close())
    await listener.close()


# The end


@pytest.mark.parametrize("path", [b"/events", b"/stuck", b"/big"])
async def test_stop_ends_requests_that_would_not_end(path: bytes) -> None:
    async with started() as served:
        await served.port.listen(A)
        _, writer = await served.connect(A)
        writer.write(GET.replace(b"/hello", path) + GET)
        await until(lambda: served.app.began != [])
        await served.port.stop(grace=0.01)
        assert served.app.ended[0] == path.decode()
        await closed(writer)


async def test_stop_lets_a_request_finish_within_its_grace() -> None:
    async with started() as served:
        reader, writer = await served.connect()
        writer.write(GET.replace(b"/hello", b"/later"))
        await until(lambda: served.app.began != [])
        await served.port.stop(grace=2)
        assert seen(await reader.read())["path"] == "/later"
        await closed(writer)


async def test_stop_ends_websockets_inside_tunnels() -> None:
    async with started() as served:
        await served.port.listen(A)
        url = f"ws://a.localhost:{served.port.port}/ws"
        socket = await websockets.connect(url, proxy=f"http://{A}:{served.port.port}")
        await served.port.stop()
        with pytest.raises(websockets.ConnectionClosed):
            await socket.recv()
            await socket.recv()
        await socket.close()


async def test_a_connection_that_stop_has_not_seen_is_cut_on_arrival() -> None:
    async with started() as served:
        connections = [await served.connect() for _ in range(20)]
        for _, writer in connections:
            writer.write(GET)
        await served.port.stop(grace=0)
        for reader, writer in connections:
            with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
                await reader.readexactly(100_000)
            await closed(writer)


async def test_nothing_listens_after_stop() -> None:
    async with started() as served:
        await served.port.listen(A)
        await served.port.stop()
        for address in (A, "127.0.0.1"):
            with pytest.raises(ConnectionRefusedError):
                await served.connect(address)
