"""Leases: identified browsers and clients. Each has a loopback address of its own, so every request names its
maker.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from fakes.core.ids import draw_address
from fakes.core.requests import Kind


class Listening(Protocol):
    """A bound address that can be closed with all its connections."""

    async def close(self) -> None: ...


Listen = Callable[[str], Coroutine[Any, Any, Listening]]


@dataclass(frozen=True)
class Lease:
    """One browser or client, handed to one holder for one world; `id` is its name in the log ("mira-1").

    `address` is the loopback address it connects through: a proxy for a browser, the host itself for a
    client.
    """

    id: str
    world: str
    kind: Kind
    medium: Literal["browser", "client"]
    address: str
    holder: str | None = None


class Leases:
    """The leases of one server. Addresses are drawn at random, so nobody guesses another's."""

    def __init__(self) -> None:
        self._by_address: dict[str, Lease] = {}
        self._listeners: dict[str, Listening] = {}
        self._count = 0

    def at(self, address: str) -> Lease | None:
        """The lease whose address a connection came in at; None for the server's own address."""
        return self._by_address.get(address)

    def all(self) -> list[Lease]:
        """The open leases, oldest first."""
        return list(self._by_address.values())

    async def open(
        self,
        listen: Listen,
        *,
        world: str,
        kind: Kind,
        medium: Literal["browser", "client"],
        holder: str | None = None,
    ) -> Lease:
        """Binds an address and hands out the lease. An address in use is drawn again."""
        for attempt in range(8):
            address = draw_address()
            if address in self._by_address:
                continue
            try:
                listener = await listen(address)
            except OSError:
                if attempt == 7:
                    raise
                continue
            break
        self._count += 1
        name = holder.partition("@")[0] if holder else kind
        lease = Lease(f"{name}-{self._count}", world, kind, medium, address, holder)
        self._by_address[address] = lease
        self._listeners[address] = listener
        return lease

    async def close(self, lease: Lease) -> None:
        """Ends a lease: its address stops answering and its open connections are closed."""
        self._by_address.pop(lease.address, None)
        listener = self._listeners.pop(lease.address, None)
        if listener is not None:
            await listener.close()

    async def close_world(self, world: str) -> None:
        """Ends every lease of a world."""
        for lease in [lease for lease in self.all() if lease.world == world]:
            await self.close(lease)
