"""A started port with a toy app behind it, for the tests of the port and its listeners."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from starlette.types import Receive, Scope, Send

from fakes.core.proxy import Port

A, B = "127.81.0.1", "127.81.0.2"
GET = b"GET /hello HTTP/1.1\r\nHost: a.main.localhost\r\n\r\n"
LAST = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")

current: ContextVar[str] = ContextVar("current", default="nobody")


class Toy:
    """Answers with what it saw; `/events` streams until the client goes, `/stuck` waits for ever."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.ended: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen = {
            "type": scope["type"],
            "server": scope["server"][0],
            "client": scope["client"][0],
            "path": scope["path"],
            "query": scope["query_string"].decode(),
            "headers": [[n.decode(), v.decode()] for n, v in scope["headers"]],
            "host": dict(scope["headers"]).get(b"host", b"").decode(),
            "context": current.get(),
        }
        current.set(scope["path"])
        self.began.append(scope["path"])
        try:
            if scope["type"] == "websocket":
                await self.socket(seen, receive, send)
            elif scope["path"] == "/events":
                await self.events(receive, send)
            elif scope["path"] == "/stuck":
                await asyncio.Event().wait()
            elif scope["path"] == "/big":
                await answer(send, b"x" * 20_000_000)
            else:
                if scope["path"] == "/later":
                    await asyncio.sleep(0.05)
                seen["body"] = (await receive())["body"].decode()
                await answer(send, json.dumps(seen).encode())
        finally:
            self.ended.append(scope["path"])

    async def socket(self, seen: dict[str, Any], receive: Receive, send: Send) -> None:
        await receive()
        if scope_denies(seen):
            return await send({"type": "websocket.close"})
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": json.dumps(seen)})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})

    async def events(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass


def scope_denies(seen: dict[str, Any]) -> bool:
    return str(seen["path"]) == "/no"


async def answer(send: Send, body: bytes) -> None:
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Served:
    """A started port with its app and the refusals it reported."""

    def __init__(self) -> None:
        self.app = Toy()
        self.refused: list[tuple[str, str, str]] = []
        self.lent: list[Any] = []  # the lease of each refusal
        self.port = Port(self.app, on_refused=self._refuse)

    def _refuse(self, address: str, host: str, reason: str, lease: Any) -> None:
        self.refused.append((address, host, reason))
        self.lent.append(lease)

    async def connect(self, address: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(address, self.port.port)

    async def exchange(self, *sent: bytes, address: str = "127.0.0.1") -> bytes:
        """All that comes back for these bytes, each written on its own, until the server closes."""
        reader, writer = await self.connect(address)
        try:
            for piece in sent:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.005)
            return await asyncio.wait_for(reader.read(), 60)
        finally:
            await closed(writer)

    def tunnel(self, host: str = "a.main.localhost") -> bytes:
        return f"CONNECT {host}:{self.port.port} HTTP/1.1\r\nHost: {host}:{self.port.port}\r\n\r\n".encode()


async def until(happened: Callable[[], bool]) -> None:
    """Waits for something that is on its way."""
    while not happened():
        await asyncio.sleep(0.005)


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    try:
        await writer.wait_closed()
    except OSError:
        pass


def seen(response: bytes) -> dict[str, Any]:
    """What the app saw, from the last response in these bytes."""
    head, _, body = response.rpartition(b"\r\n\r\n")
    assert b"200 OK" in head, response
    found: dict[str, Any] = json.loads(body)
    return found


def status(response: bytes) -> int:
    return int(response.split(b" ", 2)[1])


@asynccontextmanager
async def started() -> AsyncIterator[Served]:
    served = Served()
    await served.port.start()
    try:
        yield served
    finally:
        await asyncio.wait_for(served.port.stop(), 5)
        assert [task for task in asyncio.all_tasks() if "run_asgi" in repr(task)] == []
