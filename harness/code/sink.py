"""A sink: an HTTP server on loopback that takes what a solution sends. It refuses by count, never by time.

A window of so many refusals can't be outlasted by a loop that sleeps and tries again.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

HOST = "127.0.0.1"
LARGEST = 1 << 20  # bytes of a request's body
SLOWEST = 10.0  # seconds that a request may take to arrive
BACKLOG = 64


@dataclass(frozen=True)
class Received:
    """One request, and what it was answered with. `json` is None for a body that is none."""

    method: str
    path: str
    headers: Mapping[str, str]
    json: Any
    status: int


class Sink:
    """Takes requests. `with bench.sink() as sink:`; it is closed with the bench, too."""

    def __init__(self) -> None:
        # Bound, but never listening: it keeps the port while the sink is down.
        self._place = _bound(0)
        self._port: int = self._place.getsockname()[1]
        self._lock = threading.Lock()
        self._received: list[Received] = []
        self._failing, self._failure = 0, 503
        self._rejects: Callable[[Received], bool] | None = None
        self._rejection = 400
        self._broken: Exception | None = None
        self._listener: socket.socket | None = None
        self._accepting: threading.Thread | None = None
        self._under_way: set[threading.Thread] = set()
        self.come_up()

    def __enter__(self) -> Sink:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://{HOST}:{self._port}"

    @property
    def received(self) -> list[Received]:
        """Every request in order, refused ones too."""
        self._settle()
        if self._broken is not None:
            raise self._broken
        with self._lock:
            return list(self._received)

    @property
    def accepted(self) -> list[Received]:
        """Those that were answered with success."""
        return [each for each in self.received if 200 <= each.status < 300]

    @property
    def refused(self) -> int:
        """How many requests were refused; connections to a sink that is down can't be counted."""
        return len(self.received) - len(self.accepted)

    def fail_next(self, n: int, status: int = 503) -> None:
        """Refuses the next n requests, and no more."""
        with self._lock:
            self._failing, self._failure = n, status

    def reject(self, matches: Callable[[Received], bool] | None, status: int = 400) -> None:
        """Refuses whatever matches, always, until it is told `reject(None)`."""
        with self._lock:
            self._rejects, self._rejection = matches, status

    def go_down(self) -> None:
        """Refuses connections from now on."""
        if self._listener is None:
            return
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes what accepts
        self._listener.close()
        self._listener = None
        if self._accepting is not None:
            self._accepting.join()
        self._settle()

    def come_up(self) -> None:
        """Answers again, at the same address."""
        if self._listener is None:
            self._listener = _bound(self._port)
            self._listener.listen(BACKLOG)
            self._accepting = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
            self._accepting.start()

    def close(self) -> None:
        """Ends it."""
        self.go_down()
        self._place.close()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._answer, args=(connection,), daemon=True)
            with self._lock:
                self._under_way.add(thread)
            thread.start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(SLOWEST)
            with connection, suppress(OSError, ValueError):
                _Exchange(connection, self._take)
        finally:
            with self._lock:
                self._under_way.discard(threading.current_thread())

    def _take(self, received: Received) -> int:
        """Notes a request; the status that it is answered with."""
        with self._lock:
            status = self._status(received)
            self._received.append(Received(**{**vars(received), "status": status}))
            return status

    def _status(self, received: Received) -> int:
        if self._failing > 0:
            self._failing -= 1
            return self._failure
        try:
            return self._rejection if self._rejects is not None and self._rejects(received) else 200
        except Exception as error:  # the grader's own mistake, told where it looks at what came
            self._broken = error
            return 500

    def _settle(self) -> None:
        """Waits for requests that are under way."""
        with self._lock:
            under_way = list(self._under_way)
        for thread in under_way:
            thread.join(SLOWEST)


class _Exchange(BaseHTTPRequestHandler):
    """One request and its answer; the connection is closed then."""

    timeout = SLOWEST

    def __init__(self, connection: socket.socket, take: Callable[[Received], int]) -> None:
        self._take = take
        super().__init__(connection, (HOST, 0), None)  # type: ignore[arg-type]  # it asks its server nothing

    def _exchange(self) -> None:
        length = min(int(self.headers.get("content-length") or 0), LARGEST)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = _json(self.rfile.read(length))
        status = self._take(Received(self.command, self.path, headers, body, 0))
        said = b'{"ok": true}' if status < 300 else b'{"ok": false}'
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_PUT = do_PATCH = do_GET = do_DELETE = _exchange

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


def _bound(port: int) -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((HOST, port))
    return made


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
