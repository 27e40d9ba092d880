"""The two ends of a measured server: the process that serves, and raw sockets to it.

The server runs alone in its process, so its CPU is the server's and none of the client's. It is asked for
that on its standard input, and answers on its standard output, a JSON line each.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

_SECONDS = 30


@dataclass
class Answer:
    """What came back: status, head and body."""

    status: int
    head: bytes
    body: bytes

    def cookies(self) -> str:
        """A Cookie header's value with every cookie that was set."""
        lines = [line for line in self.head.split(b"\r\n") if line.lower().startswith(b"set-cookie:")]
        return "; ".join(
            line.partition(b":")[2].partition(b";")[0].strip().decode("latin-1") for line in lines
        )


class Dialed:
    """One kept-alive connection to a server."""

    def __init__(self, address: str, port: int) -> None:
        self._socket = socket.create_connection((address, port), _SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def ask(self, request: bytes) -> Answer:
        """Sends a request and reads its answer. Raises ConnectionError when none comes."""
        self._socket.sendall(request)
        return self.answer()

    def answer(self) -> Answer:
        """Reads one answer with a Content-Length; of one without, the head alone."""
        head = self.until(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2]
        size = int(length.partition(b"\r\n")[0]) if length else 0
        while len(self._rest) < size:
            self._rest += self._more()
        body, self._rest = self._rest[:size], self._rest[size:]
        return Answer(int(head[9:12]), head, body)

    def until(self, mark: bytes) -> bytes:
        """Reads to a mark, which stays out."""
        while mark not in self._rest:
            self._rest += self._more()
        found, _, self._rest = self._rest.partition(mark)
        return found

    def _more(self) -> bytes:
        data = self._socket.recv(262_144)
        if not data:
            raise ConnectionError("The server closed the connection.")
        return data

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()


class ServerProcess:
    """A server of its own process; `with ServerProcess() as server` starts and ends it."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "harness.bench.served"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.facts: dict[str, Any] = self._read()

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        stdin.close()
        try:
            self._process.wait(_SECONDS)
        finally:
            self._process.kill()
            stdout.close()

    def cpu(self) -> float:
        """Seconds of CPU that the process took so far."""
        return float(self.tell("cpu"))

    def tell(self, *words: Any) -> Any:
        """Has the server do something; returns what it answers."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ConnectionError("The measured server ended before its time.")
        return json.loads(line)
