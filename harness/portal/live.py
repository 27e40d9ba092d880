"""What keeps the portal's pages live: the kit's stream of changed tables, and what changes without a write.

Beside tables, a page's region may name `tick` (a second of a running clock has passed), `totp` (the
authenticators show new codes) and `requests` (something was logged, reads too).
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.journal import Journal
from fakes.core.ui.live import live as kit_live
from fakes.core.world import World

TICK = 1.0  # seconds
TOTP_MS = 30_000


async def live(request: Request) -> Response:
    """Server-sent events of the world that the page shows."""
    request.state.world = Ticking(request.state.world)
    return await kit_live(request)


class Ticking:
    """A world as the kit's stream sees it, whose subscriptions also hear of time and of reads."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def journal(self) -> Journal:
        """The world's journal."""
        return self._world.journal

    def subscribe(self) -> TickingSubscription:
        """A subscription; close it when done."""
        return TickingSubscription(self._world)


class TickingSubscription:
    """Changed tables, and once a second whatever else has moved on.

    All of that is said once at the start: since the page was rendered some of it may have moved, and unlike
    changes it leaves no mark in the journal by which a page would know.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables = world.subscribe()
        self._seen = dict.fromkeys(self._standing(), -1)

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

    def _standing(self) -> dict[str, int]:
        now = self._world.now()
        return {"tick": now // 1000, "totp": now // TOTP_MS, "requests": self._world.log.newest}

    def _moved(self) -> frozenset[str]:
        before, self._seen = self._seen, self._standing()
        return frozenset(name for name, value in self._seen.items() if value != before[name])
