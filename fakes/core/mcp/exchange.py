"""One POST of the streamable HTTP transport: who calls, from where, one message in, one JSON answer out.

The library's own session manager starts a task and a transport for each request and lives in one event loop;
here the library gets the one message and answers it, which takes a third of the time and no task.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson
from mcp.server.connection import Connection
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
)
from mcp_types import DEFAULT_NEGOTIATED_VERSION, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from fakes.core import auth
from fakes.core.mcp.server import answer
from fakes.core.mcp.tools import ToolCall
from fakes.core.proxy import is_loopback

if TYPE_CHECKING:
    from fakes.core.service import Service

MOST_BODY = 36_700_160
"""Bytes of a message: a mail of 25 MB in base64."""


class Unserved(Exception):
    """A message that gets an error of JSON-RPC; `number` is that of the request, where there is one."""

    def __init__(self, status: int, code: int, sentence: str, number: Any = None, data: Any = None) -> None:
        super().__init__(sentence)
        self.status, self.code, self.number, self.data = status, code, number, data


async def exchange(request: Request, service: Service) -> Response:
    """Answers a POST."""
    refused = _turned_away(request)
    if refused is not None:
        return refused
    found = auth.token_of(request, service.name)
    if found is None:
        return _unauthorized(request)
    call = ToolCall(request, request.state.world, found[1])
    try:
        message = _message(await _body(request))
        if "method" not in message or "id" not in message:
            _note(request, str(message.get("method", "response")))
            return Response(status_code=202)
        return await _answered(request, service, call, message)
    except Unserved as error:
        body: dict[str, Any] = {"code": error.code, "message": str(error)}
        if error.data is not None:
            body["data"] = error.data
        return _json({"jsonrpc": "2.0", "id": error.number, "error": body}, error.status)


def _turned_away(request: Request) -> Response | None:
    """A refusal of the transport: a page of elsewhere, no JSON, more than may be."""
    if not _is_of_here(request):
        return Response("This origin may not call tools here.\n", 403, media_type="text/plain")
    if not request.headers.get("content-type", "").lower().startswith("application/json"):
        return Response("A message is application/json.\n", 415, media_type="text/plain")
    accepts = request.headers.get("accept", "*/*")
    if not any(kind in accepts for kind in ("application/json", "application/*", "*/*")):
        return Response("Answers are application/json.\n", 406, media_type="text/plain")
    if int(request.headers.get("content-length", "0")) > MOST_BODY:
        return Response(f"A message holds at most {MOST_BODY:,} bytes.\n", 413, media_type="text/plain")
    return None


def _is_of_here(request: Request) -> bool:
    """Whether no page of elsewhere sent this: a browser tells its origin, which must be this host or a
    machine's own name. A world's pages have names of their own, and may call their own service's tools alone.
    """
    origin = request.headers.get("origin")
    if origin is None:
        return True
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:  # brackets that hold no address
        return False
    own = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    return host in ("localhost", "::1", own.lower()) or is_loopback(host)


def _unauthorized(request: Request) -> Response:
    """No token, or a wrong one. There is no authorization server to point at: tokens come from the world."""
    wrong = ', error="invalid_token"' if auth.bearer_text(request) else ""
    headers = {"WWW-Authenticate": f'Bearer realm="{request.state.world.name}"{wrong}'}
    return Response("A bearer token of this service is needed.\n", 401, headers, "text/plain")


async def _body(request: Request) -> bytes:
    """The body, read no further than it may go. Raises Unserved."""
    read = bytearray()
    async for piece in request.stream():
        read += piece
        if len(read) > MOST_BODY:
            raise Unserved(413, INVALID_REQUEST, f"A message holds at most {MOST_BODY:,} bytes")
    return bytes(read)


def _message(body: bytes) -> dict[str, Any]:
    """The message of a body. Raises Unserved."""
    try:
        message = orjson.loads(body)
    except (orjson.JSONDecodeError, RecursionError):
        raise Unserved(400, PARSE_ERROR, "Parse error") from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise Unserved(400, INVALID_REQUEST, "A body is one JSON-RPC message; batches are not taken")
    number = message.get("id")
    if "id" in message and (isinstance(number, bool) or not isinstance(number, (str, int))):
        raise Unserved(400, INVALID_REQUEST, "The id of a request is a string or a number")
    if not isinstance(message.get("method", ""), str) or not isinstance(message.get("params", {}), dict):
        raise Unserved(400, INVALID_REQUEST, "A method is a string, its params an object", number)
    return message


async def _answered(request: Request, service: Service, call: ToolCall, message: dict[str, Any]) -> Response:
    number, method = message["id"], message["method"]
    params: Mapping[str, Any] | None = message.get("params")
    _note(request, method, params)
    connection, is_modern = _connection(request, message)
    try:
        result = await answer(service, call, number, method, params, connection)
    except MCPError as error:
        status = ERROR_CODE_HTTP_STATUS.get(error.error.code, 200) if is_modern else 200
        raise Unserved(status, error.error.code, error.error.message, number, error.error.data) from None
    except ValidationError:
        status = ERROR_CODE_HTTP_STATUS.get(INVALID_PARAMS, 200) if is_modern else 200
        raise Unserved(status, INVALID_PARAMS, "Invalid request parameters", number) from None
    if method == "tools/call" and params is not None:
        _note_outcome(request, service, params["name"], result)
    return _json({"jsonrpc": "2.0", "id": number, "result": result})


def _connection(request: Request, message: Mapping[str, Any]) -> tuple[Connection, bool]:
    """What the client said of itself, and whether it says so with each message (since 2026-07-28)."""
    version = request.headers.get(MCP_PROTOCOL_VERSION_HEADER)
    if version is None or version in HANDSHAKE_PROTOCOL_VERSIONS:
        return Connection.from_envelope(version or DEFAULT_NEGOTIATED_VERSION, None, None), False
    verdict = classify_inbound_request(message, headers=dict(request.headers))
    if isinstance(verdict, InboundLadderRejection):
        status = ERROR_CODE_HTTP_STATUS.get(verdict.code, 400)
        raise Unserved(status, verdict.code, verdict.message, message["id"], verdict.data)
    return (
        Connection.from_envelope(verdict.protocol_version, verdict.client_info, verdict.client_capabilities),
        True,
    )


def _note(request: Request, method: str, params: Mapping[str, Any] | None = None) -> None:
    """Tells the request log what this is: `TOOL send_email`, or `MCP tools/list`."""
    record = getattr(request.state, "record", None)
    if record is not None:
        name = (params or {}).get("name") if method == "tools/call" else None
        record.route = f"TOOL {name}"[:80] if isinstance(name, str) else f"MCP {method}"[:80]
    request.state.outcome = "read"


def _note_outcome(request: Request, service: Service, tool: str, result: Mapping[str, Any]) -> None:
    """Tells whoever listens in whether this may have written: an answer's status says nothing of it."""
    if service.mcp is not None and not service.mcp().by_name[tool].reads:
        request.state.outcome = "refused" if result.get("isError") else "done"


def _json(body: Mapping[str, Any], status: int = 200) -> Response:
    try:
        content = orjson.dumps(body)
    except orjson.JSONEncodeError:  # integers beyond 64 bits
        content = json.dumps(body).encode()
    return Response(content, status, media_type="application/json")
