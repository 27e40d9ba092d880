"""`paracosm mcp`: a person's tools at the running server, for clients that launch a command and speak by its
standard input and output.

A line is a message. Each is passed on by HTTP as it is, so both sides of the protocol are those of the client
and of the server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, BinaryIO
from urllib.parse import urlsplit

import typer

from harness.cli.dial import DATA, DATA_VARIABLE, Control, running_server, world_path
from harness.cli.words import WrongUse

EXAMPLE = "Example: paracosm mcp --world main --as mira@harborlight.example --service gmail"
SECONDS = 120.0
_ENVELOPE = "io.modelcontextprotocol/protocolVersion"
_FAILED = -32603
"""The code of JSON-RPC for an answer that could not be had."""


def mcp(
    email: Annotated[str, typer.Option("--as", metavar="EMAIL", help="Whose tools.")],
    world: Annotated[str, typer.Option(help="The world's name.")] = "main",
    service: Annotated[str, typer.Option(help="The service whose tools they are.")] = "gmail",
    data: Annotated[Path, typer.Option(envvar=DATA_VARIABLE, help="The data folder of the server.")] = DATA,
) -> None:
    """Serve a person's tools by standard input and output, for clients of MCP that launch a command.

    Clients that take an address need no command: the portal's page Connect has it, and what they are to be
    told.
    """
    server = Bridge(running_server(data), world, email, service)
    server.enter()
    for line in sys.stdin.buffer:
        if line.strip():
            server.pass_on(line, sys.stdout.buffer)


class Bridge:
    """Passes messages on to a service's tools, with a token of its own."""

    def __init__(self, control: Control, world: str, email: str, service: str) -> None:
        self._control, self._world, self._email, self._service = control, world, email, service
        self._path = self._token = self._version = ""

    def enter(self) -> None:
        """Gets in. Raises WrongUse where there is nobody of that address, or the service has no tools."""
        path = world_path(self._world, "access")
        given = self._control.post(path, email=self._email, service=self._service)["services"]
        [(name, access)] = given.items()
        if "tools" not in access:
            raise WrongUse(f"{name} has no tools.")
        self._path, self._token = access["tools"], access["token"]

    def pass_on(self, line: bytes, out: BinaryIO) -> None:
        """Sends a message, and writes the answer if there is one."""
        message = _read(line)
        try:
            status, text = self._send(line, message)
            if status == 401:  # its time is over, or the world was reset
                self.enter()
                status, text = self._send(line, message)
        except (OSError, WrongUse) as error:
            status, text = 0, str(error).encode()
        self._answer(message, status, text, out)

    def _send(self, line: bytes, message: dict[str, Any]) -> tuple[int, bytes]:
        from http.client import HTTPConnection, HTTPException

        where = urlsplit(self._control.url)
        connection = HTTPConnection(where.hostname or "", where.port or 80, timeout=SECONDS)
        try:
            connection.request("POST", self._path, line.strip(), self._headers(message))
            answer = connection.getresponse()
            return answer.status, answer.read()
        except HTTPException as error:
            raise OSError(f"The server broke off: {error}") from None
        finally:
            connection.close()

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        """What the HTTP transport says beside a message: since 2026-07-28 also its method and name."""
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        stated = meta.get(_ENVELOPE) if isinstance(meta, dict) else None
        if isinstance(stated, str) and _is_plain(stated):
            headers |= {"MCP-Protocol-Version": stated, "Mcp-Method": str(message.get("method"))}
            if isinstance(name := params.get("name"), str) and _is_plain(name):
                headers["Mcp-Name"] = name
        elif self._version:
            headers["MCP-Protocol-Version"] = self._version
        return headers

    def _answer(self, message: dict[str, Any], status: int, text: bytes, out: BinaryIO) -> None:
        told = _read(text)
        if message.get("method") == "initialize" and isinstance(result := told.get("result"), dict):
            self._version = str(result.get("protocolVersion", ""))
        if "jsonrpc" not in told:  # no message: a failure on the way
            if "id" not in message or status == 202:
                return
            said = f"HTTP {status}: {text.decode(errors='replace')}" if status else text.decode()
            told = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": _FAILED, "message": said}}
        out.write(json.dumps(told).encode() + b"\n")
        out.flush()


def _read(text: bytes) -> dict[str, Any]:
    """A message as values; {} for what is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_plain(value: str) -> bool:
    """Whether this can stand in a header."""
    return value.isascii() and value.isprintable()
