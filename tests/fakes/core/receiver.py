"""A real receiver on loopback: it takes deliveries, or fails, hangs, answers late or dies in mid-answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone"
BUSY = b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy"
HALF = b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\nhalf of it"
AWAY = b"HTTP/1.1 307 Away\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
HUGE = b"HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n" + b"x" * 5000
NOTHING = b""
HANG = b"hang"
PLAIN_TEXT = b"this is no HTTP at all\r\n\r\n"


@dataclass(frozen=True)
class Got:
    """A request that came in whole."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def id(self) -> str:
        """The delivery's."""
        return str(self.body["id"])


@dataclass
class Receiver:
    """What it got, and what it answers: by request and by how many of that path came before."""

    answer: Callable[[Got, int], bytes] = lambda got, n: OK
    got: list[Got] = field(default_factory=list)
    port: int = 0
    meanwhile: Callable[[Got], None] = lambda got: None
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str = "/hook") -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}{path}"

    def of(self, path: str) -> list[Got]:
        """The requests for a path."""
        return [got for got in self.got if got.path == path]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers["content-length"]))
            got = Got(head[0].split(" ")[1], headers, orjson.loads(body))
            n = len(self.of(got.path))
            self.got.append(got)
            self.meanwhile(got)
            answer = self.answer(got, n)
            if answer == HANG:
                await self.gate.wait()
                answer = OK
            writer.write(answer)
            if answer == HUGE:
                await self.gate.wait()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving(answer: Callable[[Got, int], bytes] = lambda got, n: OK) -> AsyncIterator[Receiver]:
    """A receiver on a free port."""
    receiver = Receiver(answer)
    server = await asyncio.start_server(receiver._serve, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        receiver.gate.set()
        server.close()
        await asyncio.sleep(0)
