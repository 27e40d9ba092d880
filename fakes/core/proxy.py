"""The one port: plain HTTP and WebSockets, a forward proxy, and a listening address for each lease.

A browser is told apart by the local address its connection was made to, so every lease gets a loopback
address of its own on the same port and uses it as its proxy: `scope["server"][0]` names the lease whatever
kind of request it is, and whatever host or address the page asked for. Where addresses carry no identity (in
a container, from another machine) a lease says its user and password to the proxy instead. Then the scope's
state names it as `lease`: for all of a tunnel, or for the one request in absolute form that they came with.

`Port` serves an ASGI app in the caller's event loop; `PortProtocol` adds to uvicorn's HTTP/1.1 protocol what
a proxy has to understand:

    GET http://host/path         absolute-form: the URL's host becomes the Host header (RFC 9112, 3.2.2)
    CONNECT name.localhost:PORT  a tunnel back to this port; plain HTTP and WebSockets run inside it
    CONNECT anything.else:443    refused and reported: nothing leaves the machine
    Proxy-Authorization: Basic   at the server's own address; 407 where it is wrong, or has to be said

Responses carry neither a Date nor a Server header: the run clock is the only time. `Proxy-…` fields end here.
"""

from __future__ import annotations

import asyncio
import base64
import contextvars
import functools
import ipaddress
from collections.abc import Callable, Collection, Mapping
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

Visitor = tuple[Any, Listener]
"""A lease and the listener that holds its connections."""
OnRefused = Callable[[str, str, str, Any], None]
Identify = Callable[[str, str], Visitor | None]
CHALLENGE = b'Basic realm="paracosm"'
_SAY_WHO = "This proxy takes the user and password of a lease."


class BadRequest(Exception):
    """The request cannot be served as it was framed; answered with `status` and the sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Port:
    """The one port. `on_refused(local address, host named, reason, lease)` hears of what was not served; the
    host is as it was named, `slack.com:443`, or empty where the client named none, and the lease is None
    where no credentials told it.

    `host` may also be an address that carries no identity (0.0.0.0 in a container). `identify(user,
    password)` then tells who a proxy's credentials belong to; with `challenge` a proxy request needs some.
    `hosts` are further names of this server, such as `fakes` in a compose file.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        on_refused: OnRefused | None = None,
        identify: Identify | None = None,
        challenge: bool = False,
        hosts: Collection[str] = (),
    ) -> None:
        self.host = host
        self.port = port
        self.hosts = frozenset(hosts)
        self.on_refused, self.identify, self.challenge = on_refused, identify, challenge
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
        self._listeners: set[Listener] = set()

    async def start(self) -> None:
        """Listen on `host`; `port` becomes the number bound. Raises OSError when it is taken."""
        self.config.load()
        listener = Listener(self.host, self._listeners.discard)
        self.port = await listener.open(self.port, self._connect)
        self._listeners.add(listener)

    async def listen(self, address: str | None) -> Listener:
        """Listen on a lease's own loopback address as well, `127.x.y.z`, on the same port; with None, only
        gather the connections of a lease that is known by its credentials.

        Raises ValueError for any other address and OSError when it is taken.
        """
        if address is not None and not is_loopback(address):
            raise ValueError(f"A lease listens on an address of 127.0.0.0/8, not on {address!r}.")
        listener = Listener(address or "", self._listeners.discard, own=True)
        if address is not None:
            await listener.open(self.port, self._connect)
        self._listeners.add(listener)
        return listener

    async def stop(self, grace: float = 0.25) -> None:
        """Close every listener and connection. Requests being answered get `grace` seconds to finish."""
        await asyncio.gather(*(listener.close(grace) for listener in tuple(self._listeners)))

    def owns(self, host: str) -> bool:
        """Whether a name can only mean this server: `localhost` and below, 127.0.0.0/8, one of `hosts`."""
        name = host.lower().removesuffix(".")
        return name == "localhost" or name.endswith(".localhost") or name in self.hosts or is_loopback(name)

    def _connect(self, listener: Listener) -> asyncio.Protocol:
        return PortProtocol(self, listener)


class PortProtocol(HttpToolsProtocol):
    """A connection to the port: HTTP/1.1 in origin or absolute form, WebSocket upgrades, CONNECT.

    `tunnel` is the authority of the CONNECT that this connection is the inside of, `lease` whose it is.
    """

    def __init__(self, port: Port, listener: Listener, tunnel: str | None = None, lease: Any = None) -> None:
        super().__init__(port.config, listener.state, app_state={} if lease is None else {"lease": lease})
        self.port = port
        self.listener = listener
        self.tunnel = tunnel
        self._for_proxy: tuple[tuple[bytes, bytes], ...] = ()
        self._asked = b""  # the URL in absolute form, as it came
        self._visited: Listener | None = None  # of the lease whose credentials came with this request
        self._challenged = False
        self._first = True
        self._in_head = False
        self._received = 0  # bytes since the last head that was complete when a read ended
        self._answering: RequestResponseCycle | None = None

    # Connection
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state["transport"] = transport  # for planned failures that hang up
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
            switch = self._connect
        elif method == "GET" and super()._should_upgrade():
            switch = self._open_websocket
        else:
            return self._head_without_upgrade() + rest
        if self._is_answering():
            raise BadRequest(400, "The request before this one has not been answered yet.")
        switch(rest)
        return b""

    def _head_without_upgrade(self) -> bytes:
        """The head to be parsed once more. We need not switch (RFC 9110, 7.8), but the parser ends there.

        Another parser takes it: this one would read nothing more of a connection that is to be closed.
        """
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        given = (*self.headers, *self._for_proxy)
        fields = [b"%b: %b\r\n" % (name, value) for name, value in given if name != b"upgrade"]
        url = (self._asked or self.url).decode()
        line = f"{self.scope['method']} {url} HTTP/{self.scope['http_version']}\r\n"
        return line.encode() + b"".join(fields) + b"\r\n"

    def _open_websocket(self, rest: bytes) -> None:
        if self._challenged:
            return self._answer(407, _SAY_WHO)
        if self._visited is not None:
            self.server_state = self._visited.state
            self.app_state = {**self.app_state, "lease": self.scope["state"]["lease"]}
        self.handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        if rest and isinstance(socket, UndatedWebSocket):
            socket.data_received(rest)

    # Parser callbacks
    def on_message_begin(self) -> None:
        self._in_head = True
        self._for_proxy, self._asked, self._visited, self._challenged = (), b"", None, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer can't be told from a field of the head any more, so none is taken
        name = name.lower()
        if name[:6] == b"proxy-":
            self._for_proxy += ((name, value),)  # it ends here (RFC 9110, 7.6.1)
            return
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        self._in_head = False
        if self._received > HEAD_LIMIT:  # a body or other requests may have come with it
            self._check_size()
        if self.url[0] != SLASH:
            self._read_absolute_form()
        if not self._challenged:
            return super().on_headers_complete()
        app, self.app = self.app, _challenge
        try:
            super().on_headers_complete()
        finally:
            self.app = app

    def _should_upgrade(self) -> bool:
        return True  # uvicorn then leaves the message to `_switch`

    def _check_size(self) -> None:
        if len(self.url) > HEAD_LIMIT:
            raise BadRequest(414, f"The URL is longer than {HEAD_LIMIT} bytes.")
        fields = (*self.headers, *self._for_proxy)
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in fields) > HEAD_LIMIT:
            raise BadRequest(431, f"The header fields are larger than {HEAD_LIMIT} bytes.")

    def _read_absolute_form(self) -> None:
        """Turn `GET http://host/path` into `GET /path` with that host, as if it had come directly."""
        if self.parser.get_method() == b"CONNECT" or self.url == b"*":
            return
        url = httptools.parse_url(self.url)
        authority = b"[%b]" % url.host if b":" in url.host else url.host
        if url.port:
            authority += b":%d" % url.port
        self._challenged = not self._identify(authority.decode())
        if url.schema.lower() != b"http":
            asked = self.url.decode()
            self._report(authority.decode(), f"a plain proxy request for {asked}", self.scope["state"])
            raise BadRequest(400, f"A plain proxy request can only be for http://, not {asked}.")
        self._asked = self.url
        self.url = (url.path or b"/") + (b"?" + url.query if url.query else b"")
        self.headers[:] = [(b"host", authority), *(h for h in self.headers if h[0] != b"host")]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        visited: Listener | None = cycle.scope["state"].pop("visited", None)
        if visited is not None and visited.closed:  # while the request waited behind another
            app = _challenge
        self._answering = cycle
        task = self.loop.create_task(cycle.run_asgi(app), context=contextvars.Context())
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)
        if visited is not None:
            visited.gather(self, task)
            task.add_done_callback(functools.partial(self._answered, visited, cycle))

    def _answered(self, visited: Listener, cycle: RequestResponseCycle, task: asyncio.Task[None]) -> None:
        visited.state.tasks.discard(task)
        if self._answering is cycle:  # else the next one has begun already
            visited.let_go(self)

    def _is_answering(self) -> bool:
        return self._answering is not None and not self._answering.response_complete

    # Who it is
    def _identify(self, host: str) -> bool:
        """Reads the proxy's credentials; False when this request needs others than it has."""
        if self.listener.own or self.port.identify is None:
            return True
        given = [value for name, value in self._for_proxy if name == b"proxy-authorization"]
        if not given:
            return not self.port.challenge
        user, password = _basic(given[0]) if len(given) == 1 else ("", "")
        visitor = self.port.identify(user, password)
        if visitor is None:
            self._report(host, "wrong user or password at the proxy", {})
            return False
        lease, self._visited = visitor
        self.scope["state"].update(lease=lease, visited=self._visited)
        return True

    # Tunnels
    def _connect(self, rest: bytes) -> None:
        """Serve what follows as a connection of its own, or refuse."""
        target = self.url.decode()
        host, _, port = target.rpartition(":")
        if not host or not port.isdecimal() or self.tunnel is not None:
            raise BadRequest(400, f"CONNECT takes host:port, outside any other tunnel, not {target}.")
        if not self._identify(target):
            return self._ask_who(rest)
        assert self.server is not None
        if not (self.port.owns(host) and int(port) == self.server[1]):
            self._answer(403, f"{target} is not served here, and nothing leaves the machine.")
            reason = "a tunnel to a host and port that are not ours"
            return self._report(target, reason, self.scope["state"])
        self.transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self.connections.discard(self)
        lease = self.scope["state"].get("lease")
        inner = PortProtocol(self.port, self._visited or self.listener, target, lease)
        inner.connection_made(self.transport)
        self.transport.set_protocol(inner)
        if rest:
            inner.data_received(rest)

    def _ask_who(self, rest: bytes) -> None:
        """Answer a CONNECT with 407. The client may try again on this connection, unless it hurried ahead."""
        given = (*self.headers, *self._for_proxy)
        closing = any(name.endswith(b"connection") and b"close" in value.lower() for name, value in given)
        if rest or closing or self.scope["http_version"] != "1.1":
            return self._answer(407, _SAY_WHO)
        self.transport.write(_plainly(407, _SAY_WHO, b""))
        self.timeout_keep_alive_task = self.loop.call_later(KEEP_ALIVE, self.timeout_keep_alive_handler)

    def _start_tls(self) -> None:
        """A TLS client hello, made directly or inside a tunnel. TLS would start here."""
        self.transport.close()
        self._report(self.tunnel or "", "TLS is not spoken on this port", self.app_state)

    # Refusals
    def _report(self, host: str, reason: str, state: Mapping[str, Any]) -> None:
        if self.port.on_refused is not None:
            assert self.server is not None
            self.port.on_refused(self.server[0], host, reason, state.get("lease"))

    def _answer(self, status: int, sentence: str) -> None:
        """Answer without the app and close. In the middle of another answer, only close."""
        if self._answering is None or not self._is_answering() or not self._answering.response_started:
            self.transport.write(_plainly(status, sentence, b"connection: close\r\n"))
        self.transport.close()


class UndatedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, without the wall clock's date on handshakes that the app turns down, and without a
    complaint where it turns one down with an answer of its own.
    """

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

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True

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


def _basic(value: bytes) -> tuple[str, str]:
    """User and password of Basic credentials (RFC 7617); two empty ones where there are none.

    Bytes are read as Latin-1: whatever a client sends then compares as something, and right ones are ASCII.
    """
    scheme, _, text = value.partition(b" ")
    if scheme.lower() != b"basic":
        return "", ""
    try:
        user, _, password = base64.b64decode(text.strip(), validate=True).partition(b":")
    except ValueError:
        return "", ""
    return user.decode("latin-1"), password.decode("latin-1")


def _plainly(status: int, sentence: str, fields: bytes) -> bytes:
    """A whole answer in plain text."""
    if status == 407:
        fields += b"proxy-authenticate: %b\r\n" % CHALLENGE
    body = sentence.encode() + b"\n"
    head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % len(body)
    return STATUS_LINE[status] + head + fields + b"\r\n" + body


async def _challenge(scope: Scope, receive: Receive, send: Send) -> None:
    """Asks a request in absolute form who it is, in its turn; the connection goes on."""
    body = _SAY_WHO.encode() + b"\n"
    headers = [
        (b"proxy-authenticate", CHALLENGE),
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 407, "headers": headers})
    await send({"type": "http.response.body", "body": body})
