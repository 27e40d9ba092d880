"""The one port: plain HTTP and WebSockets, a forward proxy, and a listening address for each lease.

A browser is told apart by the local address its connection was made to, so every lease gets a loopback
address of its own on the same port and uses it as its proxy: `scope["server"][0]` names the lease whatever
kind of request it is, and whatever host or address the page asked for. `Port` serves an ASGI app in the
caller's event loop; `PortProtocol` adds to uvicorn's HTTP/1.1 protocol what a proxy has to understand:

    GET http://host/path         absolute-form: the URL's host becomes the Host header (RFC 9112, 3.2.2)
    CONNECT name.localhost:PORT  a tunnel back to this port; plain HTTP and WebSockets run inside it
    CONNECT anything.else:443    refused and reported: nothing leaves the machine

Responses carry neither a Date nor a Server header: the run clock is the only time.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import ipaddress
from collections.abc import Callable
from typing import Any

import httptools
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request, Response

from fakes.core.listeners import Listener

HEAD_LIMIT = 64 * 1024  # bytes of request line and header fields
UNFINISHED_LIMIT = 512 * 1024  # bytes without a complete head; a read may begin with the end of a body
KEEP_ALIVE = 75  # seconds; longer than the pools of common clients, so that they never meet a closing socket
TLS_HANDSHAKE = 0x16  # the first byte of a TLS connection (RFC 8446, 5.1)
SLASH = ord("/")

OnRefused = Callable[[str, str, str], None]


class BadRequest(Exception):
    """The request cannot be served as it was framed; answered with `status` and the sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Port:
    """The one port. `on_refused(local address, host named, reason)` hears of what was not served; the host
    is as it was named, `slack.com:443`, or empty where the client named none.

    `host` may also be an address that carries no identity (0.0.0.0 in a container); leases cannot have
    addresses of their own there.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        on_refused: OnRefused | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self.config = Config(
            _ending_quietly(app),
            interface="asgi3",
            http=PortProtocol,
            ws=UndatedWebSocket,
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,  # X-Forwarded-For is a claim, and no front process makes it true
            server_header=False,
            date_header=False,
            timeout_keep_alive=KEEP_ALIVE,
            reset_contextvars=True,  # else a pipelined request starts out as the one before it
        )
        self._on_refused = on_refused
        self._listeners: set[Listener] = set()

    async def start(self) -> None:
        """Listen on `host`; `port` becomes the number bound. Raises OSError when it is taken."""
        self.config.load()
        listener = Listener(self.host, self._listeners.discard)
        self.port = await listener.open(self.port, self._connect)
        self._listeners.add(listener)

    async def listen(self, address: str) -> Listener:
        """Listen on a lease's own loopback address as well, `127.x.y.z`, on the same port.

        Raises ValueError for any other address and OSError when it is taken.
        """
        if not is_loopback(address):
            raise ValueError(f"A lease listens on an address of 127.0.0.0/8, not on {address!r}.")
        listener = Listener(address, self._listeners.discard)
        await listener.open(self.port, self._connect)
        self._listeners.add(listener)
        return listener

    async def stop(self, grace: float = 0.25) -> None:
        """Close every listener and connection. Requests being answered get `grace` seconds to finish."""
        await asyncio.gather(*(listener.close(grace) for listener in tuple(self._listeners)))

    def _connect(self, listener: Listener) -> asyncio.Protocol:
        return PortProtocol(self.config, listener, self._on_refused)


class PortProtocol(HttpToolsProtocol):
    """A connection to the port: HTTP/1.1 in origin or absolute form, WebSocket upgrades, CONNECT.

    `tunnel` is the authority of the CONNECT that this connection is the inside of.
    """

    def __init__(
        self, config: Config, listener: Listener, on_refused: OnRefused | None, tunnel: str | None = None
    ) -> None:
        super().__init__(config, listener.state, app_state={})
        self.listener = listener
        self.on_refused = on_refused
        self.tunnel = tunnel
        self._first = True
        self._in_head = False
        self._received = 0  # bytes since the last head that was complete when a read ended
        self._answering: RequestResponseCycle | None = None

    # Connection
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.listener.closed:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unset_keepalive_if_required()
        # uvicorn tells the newest pipelined request; the one being answered has to hear of it too.
        if self._answering is not None and self._is_answering():
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._first:
            self._first = False
            if data[0] == TLS_HANDSHAKE:
                return self._start_tls()
        self._unset_keepalive_if_required()
        try:
            while data:
                data = self._feed(data)
        except BadRequest as error:
            self._answer(error.status, str(error))

    def _feed(self, data: bytes) -> bytes:
        """Parse `data`; returns what is still to be parsed: nothing, unless it offered another protocol."""
        self._received += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._received = 0
            return self._switch(data[upgrade.args[0] :])
        except httptools.HttpParserError as error:
            # What our callbacks raise comes back as the context of the parser's own error.
            if isinstance(error.__context__, BadRequest):
                raise error.__context__ from None
            raise BadRequest(400, "This is not a valid HTTP request.") from None
        if not self._in_head:
            self._received = 0
        elif self._received > UNFINISHED_LIMIT:
            raise BadRequest(431, f"The request has no end of its head within {UNFINISHED_LIMIT} bytes.")
        return b""

    def _switch(self, rest: bytes) -> bytes:
        """The client asked to leave HTTP: for a tunnel, a WebSocket, or something that we do not speak."""
        method = self.scope["method"]
        if method == "CONNECT":
            switch = self._open_tunnel
        elif method == "GET" and super()._should_upgrade():
            switch = self._open_websocket
        else:
            return self._head_without_upgrade() + rest
        if self._is_answering():
            raise BadRequest(400, "The request before this one has not been answered yet.")
        switch(rest)
        return b""

    def _head_without_upgrade(self) -> bytes:
        """The head to be parsed once more. We need not switch (RFC 9110, 7.8), but the parser ends there."""
        fields = [b"%b: %b\r\n" % (name, value) for name, value in self.headers if name != b"upgrade"]
        line = f"{self.scope['method']} {self.url.decode()} HTTP/{self.scope['http_version']}\r\n"
        return line.encode() + b"".join(fields) + b"\r\n"

    def _open_websocket(self, rest: bytes) -> None:
        self.handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        if rest and isinstance(socket, UndatedWebSocket):
            socket.data_received(rest)

    # Parser callbacks
    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        if self._received > HEAD_LIMIT:  # a body or other requests may have come with it
            self._check_size()
        if self.url[0] != SLASH:
            self._read_absolute_form()
        super().on_headers_complete()

    def _should_upgrade(self) -> bool:
        return True  # uvicorn then leaves the message to `_switch`

    def _check_size(self) -> None:
        if len(self.url) > HEAD_LIMIT:
            raise BadRequest(414, f"The URL is longer than {HEAD_LIMIT} bytes.")
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > HEAD_LIMIT:
            raise BadRequest(431, f"The header fields are larger than {HEAD_LIMIT} bytes.")

    def _read_absolute_form(self) -> None:
        """Turn `GET http://host/path` into `GET /path` with that host, as if it had come directly."""
        if self.parser.get_method() == b"CONNECT" or self.url == b"*":
            return
        url = httptools.parse_url(self.url)
        authority = b"[%b]" % url.host if b":" in url.host else url.host
        if url.port:
            authority += b":%d" % url.port
        if url.schema.lower() != b"http":
            asked = self.url.decode()
            self._report(authority.decode(), f"a plain proxy request for {asked}")
            raise BadRequest(400, f"A plain proxy request can only be for http://, not {asked}.")
        self.url = (url.path or b"/") + (b"?" + url.query if url.query else b"")
        # Fields for the proxy end here (RFC 9110, 7.6.1); a client's credentials would be read here.
        kept = [h for h in self.headers if h[0] != b"host" and not h[0].startswith(b"proxy-")]
        self.headers[:] = [(b"host", authority), *kept]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _is_answering(self) -> bool:
        return self._answering is not None and not self._answering.response_complete

    # Tunnels
    def _open_tunnel(self, rest: bytes) -> None:
        """Serve what follows as a connection of its own, or refuse. Credentials (407) would be asked here."""
        target = self.url.decode()
        host, _, port = target.rpartition(":")
        if not host or not port.isdecimal() or self.tunnel is not None:
            raise BadRequest(400, f"CONNECT takes host:port, outside any other tunnel, not {target}.")
        assert self.server is not None
        if not (_is_ours(host) and int(port) == self.server[1]):
            self._answer(403, f"{target} is not served here, and nothing leaves the machine.")
            return self._report(target, "a tunnel to a host and port that are not ours")
        self.transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self.connections.discard(self)
        inner = PortProtocol(self.config, self.listener, self.on_refused, tunnel=target)
        inner.connection_made(self.transport)
        self.transport.set_protocol(inner)
        if rest:
            inner.data_received(rest)

    def _start_tls(self) -> None:
        """A TLS client hello, made directly or inside a tunnel. TLS would start here."""
        self.transport.close()
        self._report(self.tunnel or "", "TLS is not spoken on this port")

    # Refusals
    def _report(self, host: str, reason: str) -> None:
        if self.on_refused is not None:
            assert self.server is not None
            self.on_refused(self.server[0], host, reason)

    def _answer(self, status: int, sentence: str) -> None:
        """Answer without the app and close. In the middle of another answer, only close."""
        if self._answering is None or not self._is_answering() or not self._answering.response_started:
            body = sentence.encode() + b"\n"
            head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % len(body)
            self.transport.write(STATUS_LINE[status] + head + b"connection: close\r\n\r\n" + body)
        self.transport.close()


class UndatedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, without the wall clock's date on handshakes that the app turns down."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        send_response = self.conn.send_response

        def send_undated(response: Response) -> None:
            response.headers.pop("Date", None)
            send_response(response)

        self.conn.send_response = send_undated  # type: ignore[method-assign]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # The library refused the head (a line over 8 KiB, say); uvicorn leaves its answer unsent.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_connect(self, event: Request) -> None:
        # As `reset_contextvars` does for HTTP: a socket starts out as no request of its own connection.
        contextvars.Context().run(super().handle_connect, event)


def _ending_quietly(app: ASGIApp) -> ASGIApp:
    """`app`, whose cancelled requests just end: uvicorn would log each of them as an error of the app."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():
                raise

    return served


@functools.lru_cache(maxsize=1024)
def is_loopback(host: str) -> bool:
    """Whether this is an address of 127.0.0.0/8; a name that only begins like one (127.example) is not."""
    try:
        return ipaddress.IPv4Address(host).is_loopback
    except ValueError:
        return False


def _is_ours(host: str) -> bool:
    """Whether a name can only mean this machine: `localhost`, a name below it, or 127.0.0.0/8."""
    name = host.lower().removesuffix(".")
    return name == "localhost" or name.endswith(".localhost") or is_loopback(name)
