"""Tells the sink of an event by one POST.

It speaks HTTP by itself: http.client takes longer to import than the rest of the program.
"""

from __future__ import annotations

import json
import socket

from relay.errors import SinkError

TIMEOUT = 2.0
"""Seconds."""


def notify(url: str, event: dict) -> None:
    """Posts an event as JSON; raises SinkError unless the sink answers 2xx."""
    host, _, path = url.removeprefix("http://").partition("/")
    body = json.dumps(event).encode()
    head = (
        f"POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    try:
        status = _status(host, head.encode() + body)
    except (OSError, ValueError, IndexError) as error:
        raise SinkError(f"the sink at {url} can't be reached: {error}") from error
    if not 200 <= status < 300:
        raise SinkError(f"the sink at {url} answered {status}", status)


def _status(host: str, request: bytes) -> int:
    name, _, port = host.partition(":")
    with socket.create_connection((name, int(port or 80)), timeout=TIMEOUT) as connection:
        connection.sendall(request)
        with connection.makefile("rb") as answer:
            line = answer.readline()
            answer.read()  # all of it, so that the sink is not cut off
    return int(line.split()[1])
