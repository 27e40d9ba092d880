"""One listening address with every connection made to it, so that a lease can end as one thing.

A lease that is known by its credentials has no address; its connections are gathered in a listener all the
same, which was never opened.

Each listener keeps a `ServerState` of its own: uvicorn's protocols enter their connections and the tasks
that answer requests there, and closing the listener closes exactly those.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from uvicorn.server import ServerState

FLUSH = 0.02  # seconds for close frames and finished answers to reach a peer that reads
NOTICE = 0.1  # seconds for a handler to end by itself once its client is gone
CANCEL = 1.0  # seconds for a cancelled handler to give up
BACKLOG = 512
ACCEPTING = 6  # turns of the loop from accepting a connection to having cut it


class Listener:
    """Listens on `address`; made by `Port.listen` and closed for good by `close`.

    `own`: whoever connects here is one lease, and has to say no more.
    """

    def __init__(self, address: str, on_closed: Callable[[Listener], None], *, own: bool = False) -> None:
        self.address = address
        self.own = own
        self.state = ServerState()
        self.closed = False
        self._on_closed = on_closed
        self._server: asyncio.Server | None = None

    async def open(self, port: int, connect: Callable[[Listener], asyncio.Protocol]) -> int:
        """Bind `address:port` and serve each connection with `connect(self)`; returns the port bound.

        Raises OSError when the address is taken or is not one of this machine's.
        """
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: connect(self), self.address, port, backlog=BACKLOG)
        bound: int = self._server.sockets[0].getsockname()[1]
        return bound

    async def close(self, grace: float = FLUSH) -> None:
        """Stop listening and close every connection made here, idle, in flight, WebSocket or tunnel.

        Requests that are being answered get `grace` seconds; then their connections are cut, and handlers
        that do not end on hearing `http.disconnect` are cancelled. May be called again, and never hangs.
        """
        self.closed = True  # a connection that was accepted but not yet handed to us is cut on arrival
        if self._server is not None:
            await self._accept_no_more(self._server)
            self._server.close()
        for connection in tuple(self.state.connections):
            connection.shutdown()
        await self._quiet(grace)
        for connection in tuple(self.state.connections):
            connection.transport.abort()
        await self._quiet(NOTICE)
        for task in tuple(self.state.tasks):
            task.cancel()
        await self._quiet(CANCEL)
        self._on_closed(self)

    def gather(self, connection: asyncio.Protocol, task: asyncio.Task[None]) -> None:
        """Takes in a connection of another address, while it answers one request of this lease."""
        self.state.connections.add(connection)  # type: ignore[arg-type]
        self.state.tasks.add(task)

    def let_go(self, connection: asyncio.Protocol) -> None:
        """The request is answered, and the connection anybody's again."""
        self.state.connections.discard(connection)

    async def _accept_no_more(self, server: asyncio.Server) -> None:
        """Lets accepted connections arrive: asyncio leaks those that its server's close overtakes."""
        for socket in server.sockets:
            asyncio.get_running_loop().remove_reader(socket.fileno())
        for _ in range(ACCEPTING):
            await asyncio.sleep(0)

    async def _quiet(self, seconds: float) -> None:
        """Wait until no connection and no task is left, at most this long."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        pause = 0.0
        while (self.state.connections or self.state.tasks) and loop.time() < deadline:
            await asyncio.sleep(pause)
            pause = min(pause + 0.001, 0.01)
