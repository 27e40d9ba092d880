"""Live pages: a stream that names the tables that changed, and the kit's own static files.

`live.js` listens at `/_live` and fetches the regions of the page that show one of the tables anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from fakes.core.ui.static import KIT, Static

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Accel-Buffering": "no"}


class _Subscription(Protocol):
    async def next(self) -> frozenset[str]: ...
    def close(self) -> None: ...


class _Journal(Protocol):
    def head(self) -> int: ...


class _World(Protocol):
    """What a stream asks of `fakes.core.world.World`."""

    @property
    def journal(self) -> _Journal: ...
    def subscribe(self) -> _Subscription: ...


_open: set[asyncio.Event] = set()


def kit_routes() -> list[BaseRoute]:
    """Routes for every host that serves pages: `/_live`, and `/_ui` with the kit's scripts, styles, icons."""
    return [
        Route("/_live", live, name="live"),
        Mount("/_ui", app=_kit_files(), name="ui"),
    ]


@cache
def _kit_files() -> Static:
    return Static(KIT / "static", KIT / "vendor")


async def live(request: Request) -> StreamingResponse:
    """Server-sent events: `here` at once, then a message for each change, its data the changed tables.

    Tables are sorted, with spaces between. An event's id is the journal's head: how far the world has come.
    """
    messages = _messages(request.state.world)
    return StreamingResponse(messages, media_type="text/event-stream", headers=_HEADERS)


def close_streams() -> None:
    """End every open stream. Call it when the server begins to stop.

    The server waits for its connections to close, and a stream would stay open for ever.
    """
    for ended in _open:
        ended.set()


async def _messages(world: _World) -> AsyncIterator[str]:
    subscription = world.subscribe()
    ended = asyncio.Event()
    _open.add(ended)
    ending = asyncio.ensure_future(ended.wait())
    changing = asyncio.ensure_future(subscription.next())
    try:
        yield f"retry: 1000\nevent: here\nid: {world.journal.head()}\ndata: here\n\n"
        while await _first(changing, ending) is changing:
            tables = " ".join(sorted(changing.result()))
            changing = asyncio.ensure_future(subscription.next())
            yield f"id: {world.journal.head()}\ndata: {tables}\n\n"
    finally:
        changing.cancel()
        ending.cancel()
        subscription.close()
        _open.discard(ended)


async def _first(*futures: asyncio.Future[Any]) -> asyncio.Future[Any]:
    """The first of these to be done; of several done at once, the last."""
    done, _ = await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    return next(future for future in reversed(futures) if future in done)
