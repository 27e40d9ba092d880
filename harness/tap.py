"""Listens in on the writes of an attempt's leases, whole bodies included, so that they can be sent once more.

The request log redacts and bounds what it keeps; this is kept in memory, for the length of one attempt.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fakes.core.proxy import Port
from fakes.core.requests import READS
from fakes.core.service import Service
from harness.app import Server

QUIET = 2.0
REFUSED = 409


@dataclass(frozen=True)
class Sent:
    """A write request as it came in. `request` is its number in the request log, 0 until it was answered.

    `status` is REFUSED where a tool refused: that is an answer like any other.
    """

    method: str
    host: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    request: int = 0
    status: int = 0


class Tap:
    """Stands in front of the gateway; hears the addresses that it was told to."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._heard: dict[str, list[Sent]] = {}
        self._pending: defaultdict[str, int] = defaultdict(int)

    def hear(self, address: str) -> None:
        """Starts to keep what comes in at this address."""
        self._heard[address] = []

    def forget(self, address: str) -> None:
        """Stops, and drops what was kept."""
        self._heard.pop(address, None)
        self._pending.pop(address, None)

    def sent(self, address: str, after: int = 0, until: int | None = None) -> list[Sent]:
        """The writes with a request number above `after` and up to `until`, in order."""
        kept = self._heard.get(address, [])
        return sorted(
            (s for s in kept if s.request > after and (until is None or s.request <= until)), key=_number
        )

    async def quiet(self, address: str) -> None:
        """Waits until no write of this address is unanswered, for two seconds at most."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + QUIET
        while self._pending.get(address) and loop.time() < deadline:
            await asyncio.sleep(0.002)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a connection on to the gateway."""
        address = scope["server"][0] if scope["type"] == "http" and scope.get("server") else ""
        if address not in self._heard or scope["method"] in READS:
            await self._app(scope, receive, send)
            return
        await self._listen(address, scope, receive, send)

    async def _listen(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()
        status = 0

        async def receiving() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                body.extend(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        sent = _sent(scope)
        self._pending[address] += 1
        try:
            await self._app(scope, receiving, sending)
        finally:
            if address in self._heard:
                self._pending[address] -= 1
                state = scope.get("state", {})
                record, outcome = state.get("record"), state.get("outcome")
                if outcome != "read":  # by tools, reads are posted too
                    number = record.id if record is not None else 0
                    status = REFUSED if outcome == "refused" else status
                    kept = replace(sent, body=bytes(body), request=number, status=status)
                    self._heard[address].append(kept)


def _number(sent: Sent) -> int:
    return sent.request


def _sent(scope: Scope) -> Sent:
    headers = tuple((n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"])
    query = scope["query_string"].decode("latin-1")
    target = scope["raw_path"].decode("latin-1") + (f"?{query}" if query else "")
    return Sent(scope["method"], dict(headers).get("host", ""), target, headers, b"")


class HeardServer(Server):
    """A server whose gateway has a tap in front of it; the other arguments are `Server`'s."""

    def __init__(
        self, *, services: dict[str, Service] | None = None, secret: bytes | None = None, port: int = 0,
        portal: Callable[[Server], ASGIApp] | None = None,
        control: Callable[[Server], ASGIApp] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(services=services, secret=secret, port=port, portal=portal, control=control)
        self.tap = Tap(self.gateway)
        self.listening = Port(self.tap, port=port, on_refused=self._on_refused)
