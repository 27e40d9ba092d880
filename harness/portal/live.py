"""What keeps the portal's pages live: the kit's stream of changed tables, and what changes without a write.

Beside tables, a region of a world's page may name `tick` (a second of a running clock has passed), `totp`
(the authenticators show new codes), `requests` (something was logged, reads too), `claims` (a browser was
opened as somebody, or is so no more), `leases` and `snapshots`.

On pages of the whole server a region names `worlds` (one came or went) or `world:NAME` (something moved
there).
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.journal import Journal
from fakes.core.ui.live import live as kit_live
from fakes.core.world import World
from harness.app import Server

TICK = 1.0  # seconds
TOTP_MS = 30_000


async def live(request: Request) -> Response:
    """Server-sent events of the world that the page shows."""
    request.state.world = Ticking(request.state.world, request.state.server)
    return await kit_live(request)


class Ticking:
    """A world as the kit's stream sees it, whose subscriptions also hear of what leaves no row."""

    def __init__(self, world: World, server: Server) -> None:
        self._world = world
        self._server = server

    @property
    def journal(self) -> Journal:
        """The world's journal."""
        return self._world.journal

    def subscribe(self) -> TickingSubscription:
        """A subscription; close it when done."""
        return TickingSubscription(self._world, self._server)


class TickingSubscription:
    """Changed tables, and once a second whatever else has moved on.

    All of that is said once at the start: since the page was rendered some of it may have moved, and unlike
    changes it leaves no mark in the journal by which a page would know.
    """

    def __init__(self, world: World, server: Server) -> None:
        self._world = world
        self._server = server
        self._tables = world.subscribe()
        self._seen: dict[str, object] = dict.fromkeys(self._standing(), None)

    async def next(self) -> frozenset[str]:
        """The names of what changed since the last call; waits until there are some."""
        found = self._moved()
        while not found:
            try:
                tables = await asyncio.wait_for(self._tables.next(), TICK)
            except TimeoutError:
                tables = frozenset()
            found = tables | self._moved()
        return found

    def close(self) -> None:
        """Stops listening."""
        self._tables.close()

    def _standing(self) -> dict[str, object]:
        now, leases = self._world.now(), self._server.leases
        return {
            "tick": now // 1000,
            "totp": now // TOTP_MS,
            "requests": self._world.log.newest,
            "claims": self._server.gateway.claims.count,
            # What is open alone would be as before once one has come and gone.
            "leases": (leases.opened, [lease.id for lease in leases.all()]),
            "snapshots": self._server.snapshots.moves,
        }

    def _moved(self) -> frozenset[str]:
        before, self._seen = self._seen, self._standing()
        return frozenset(name for name, value in self._seen.items() if value != before[name])


# the whole server


def head_of(server: Server) -> int:
    """How far all worlds together have come: what tells a page whether it missed something."""
    worlds = [server.worlds.get(name) for name in server.worlds.names()]
    return sum(world.journal.head() + world.log.newest for world in worlds)


async def live_server(request: Request) -> Response:
    """Server-sent events of every world, for pages that show more than one."""
    request.state.world = Watched(request.state.server)
    return await kit_live(request)


class Watched:
    """All worlds of a server as the kit's stream sees one; its own journal as well."""

    def __init__(self, server: Server) -> None:
        self._server = server

    @property
    def journal(self) -> Watched:
        """What `head` is asked of."""
        return self

    def head(self) -> int:
        """See `head_of`."""
        return head_of(self._server)

    def subscribe(self) -> WatchedSubscription:
        """A subscription; close it when done."""
        return WatchedSubscription(self._server)


class WatchedSubscription:
    """Looks once a second at what has moved."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._seen = self._standing()

    async def next(self) -> frozenset[str]:
        """`worlds` and `world:NAME` for what moved since the last call; waits until something has."""
        while True:
            before, self._seen = self._seen, self._standing()
            names = before.keys() | self._seen.keys()
            moved = {name for name in names if before.get(name) != self._seen.get(name)}
            if moved:
                return frozenset(moved)
            await asyncio.sleep(TICK)

    def close(self) -> None:
        """There is nothing to stop."""

    def _standing(self) -> dict[str, object]:
        found: dict[str, object] = {"worlds": (self._server.worlds.names(), self._server.snapshots.moves)}
        for name in self._server.worlds.names():
            world = self._server.worlds.get(name)
            clock = (world.clock.mode, world.now() // 1000)
            found[f"world:{name}"] = (id(world.log), world.journal.head(), world.log.newest, clock)
        return found
