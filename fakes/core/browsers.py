"""Leases: identified browsers and clients. Each has a loopback address of its own, so every request names its
maker; or, where addresses carry no identity, a user and password for the proxy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

from fakes.core.ids import draw_address, draw_token, same
from fakes.core.listeners import Listener
from fakes.core.requests import Kind

Listen = Callable[[str | None], Coroutine[Any, Any, Listener]]
_NO_NAME = re.compile(r"[^A-Za-z0-9._+-]+")  # in a user name of Basic credentials, a colon would end it


@dataclass(frozen=True)
class Lease:
    """One browser or client, handed to one holder for one world; `id` is its name in the log ("mira-1").

    `address` is the loopback address it connects through: a proxy for a browser, the host itself for a
    client. It is empty where addresses carry no identity: there a lease goes by its id and password, at the
    server's own address.
    """

    id: str
    world: str
    kind: Kind
    medium: Literal["browser", "client"]
    address: str
    holder: str | None = None


class Leases:
    """The leases of one server. Addresses are drawn at random, so nobody guesses another's.

    `opened` counts all that ever were.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, Lease] = {}
        self._by_address: dict[str, Lease] = {}
        self._listeners: dict[str, Listener] = {}
        self._passwords: dict[str, str] = {}
        self.opened = 0

    def at(self, address: str) -> Lease | None:
        """The lease whose address a connection came in at; None for the server's own address."""
        return self._by_address.get(address)

    def get(self, lease: str) -> Lease | None:
        """The open lease of this id."""
        return self._by_id.get(lease)

    def all(self) -> list[Lease]:
        """The open leases, oldest first."""
        return list(self._by_id.values())

    def password(self, lease: Lease) -> str:
        """What an open lease tells the proxy beside its id. Raises KeyError when it has ended."""
        return self._passwords[lease.id]

    def identify(self, user: str, password: str) -> tuple[Lease, Listener] | None:
        """The open lease with this id and password, and where its connections are kept.

        An id that is none takes as long as a password that is wrong.
        """
        is_right = same(password, self._passwords.get(user, ""))
        return (self._by_id[user], self._listeners[user]) if is_right and user in self._by_id else None

    async def open(
        self,
        listen: Listen,
        *,
        world: str,
        kind: Kind,
        medium: Literal["browser", "client"],
        holder: str | None = None,
        addressed: bool = True,
    ) -> Lease:
        """Hands out a lease, bound to an address of its own unless it is to go by its password alone.

        An address in use is drawn again; raises OSError when there is none.
        """
        address, listener = await self._bind(listen) if addressed else ("", await listen(None))
        self.opened += 1
        name = _NO_NAME.sub("-", holder.partition("@")[0] if holder else kind)[:64]
        lease = Lease(f"{name}-{self.opened}", world, kind, medium, address, holder)
        self._by_id[lease.id] = lease
        if address:
            self._by_address[address] = lease
        self._listeners[lease.id] = listener
        self._passwords[lease.id] = draw_token(24)
        return lease

    async def _bind(self, listen: Listen) -> tuple[str, Listener]:
        for attempt in range(8):
            address = draw_address()
            if address in self._by_address:
                continue
            try:
                return address, await listen(address)
            except OSError:
                if attempt == 7:
                    raise
        raise OSError("every address that was drawn is in use")

    async def close(self, lease: Lease) -> None:
        """Ends a lease: address and password open nothing more, and its open connections are closed."""
        self._by_id.pop(lease.id, None)
        self._by_address.pop(lease.address, None)
        self._passwords.pop(lease.id, None)
        listener = self._listeners.pop(lease.id, None)
        if listener is not None:
            await listener.close()

    async def close_world(self, world: str) -> None:
        """Ends every lease of a world."""
        for lease in [lease for lease in self.all() if lease.world == world]:
            await self.close(lease)
