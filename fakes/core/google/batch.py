"""Batches: many calls in one request, each answered for itself
(docs: developers.google.com/workspace/gmail/api/guides/batch).

A part is a request of its own: it goes through the gateway again, so the log has a row for it, its writes are
told to be its own, and a planned failure may strike it alone. It stays in the world, and at the service, that
the batch came to. Parts are answered in their order, one after the other.
"""

from __future__ import annotations

import asyncio
import hashlib
import http
from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Scope

from fakes.core.google.asked import asked, refusal
from fakes.core.google.errors import BadRequest, GoogleError, NotFound, RequestTooLarge, Unavailable
from fakes.core.google.parts import Inner, Part, inner, parts_of
from fakes.core.google.receiving import body_of

MOST = 100
"""Calls of a batch (docs, and measured: github.com/mhasbini/gmail_analyzer/issues/12)."""
MOST_BYTES = 100 * 1024 * 1024
"""Of a batch; Google's bound is not published, this one is ours."""
_NOT_INSIDE = ("/batch", "/upload/", "/resumable/")
_OURS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "cookie", "expect", "upgrade"}
)


def endpoint(below: str) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of batches of calls below a path, such as "/gmail/v1/"."""

    async def answer(request: Request) -> Response:
        form = asked(request)
        try:
            form.check()
            body = await body_of(request, MOST_BYTES, RequestTooLarge)
            parts = _parts(body, request.headers.get("content-type", ""))
        except GoogleError as error:
            return refusal(error, form)
        return _multipart([(part, await _answered(request, part, below)) for part in parts])

    return answer


def _parts(body: bytes, media_type: str) -> list[Part]:
    """The parts of a batch, one at least. Raises BadRequest; Google's sentence for no parts is not published.
    """
    parts = parts_of(body, media_type) if media_type.lower().startswith("multipart/mixed") else []
    if not parts:
        raise BadRequest("Failed to parse the batch: it is multipart/mixed, and holds one call at least")
    if len(parts) > MOST:
        raise BadRequest(f"Inner request count exceeds the limit. Received: {len(parts)}, Limit: {MOST}")
    return parts


async def _answered(request: Request, part: Part, below: str) -> Response:
    """The answer to one part, whatever becomes of it."""
    try:
        call = inner(part)
        path = call.path.removeprefix(request.scope.get("root_path", ""))
        if path.startswith(_NOT_INSIDE):
            raise BadRequest(f"A batch holds no batches and no uploads: {path[:80]}")
        if not path.startswith(below):
            raise NotFound()
    except GoogleError as error:
        return refusal(error)
    return await _Exchange(request, call, path).answer()


class _Exchange:
    """One part on its way through the gateway and back; it is its own transport, which may be hung up on."""

    def __init__(self, request: Request, call: Inner, path: str) -> None:
        self._request, self._call = request, call
        self._path = request.scope.get("root_path", "") + path
        self._closed = asyncio.Event()
        self._read = False
        self._start: Message | None = None
        self._body: list[bytes] = []

    async def answer(self) -> Response:
        """What came back; a service that hung up is one that is not available."""
        await self._request.state.gateway(self._scope(), self._receive, self._send)
        if self._start is None:
            return refusal(Unavailable())
        response = Response(b"".join(self._body), self._start["status"])
        response.raw_headers = list(self._start.get("headers", []))
        return response

    def close(self) -> None:
        """Hangs up."""
        self._closed.set()

    def _scope(self) -> Scope:
        outer = self._request.scope
        kept = ("type", "asgi", "http_version", "scheme", "server", "client")
        return {
            **{key: outer[key] for key in kept if key in outer},
            "method": self._call.verb, "root_path": "",
            "path": self._path, "raw_path": quote(self._path).encode(),
            "query_string": self._call.query.encode("latin-1"), "headers": list(self._headers()),
            "state": {"lease": self._request.state.lease, "transport": self},
        }  # fmt: skip

    def _headers(self) -> Iterable[tuple[bytes, bytes]]:
        """Those of the part, and what it takes from the batch: where it came to, and who sent it."""
        own = [
            (name, value)
            for name, value in self._call.headers
            if name not in _OURS and not name.startswith(("sec-", "proxy-"))
        ]
        yield b"host", self._request.headers.get("host", "").encode("latin-1")
        yield b"content-length", str(len(self._call.body)).encode()
        outer = self._request.headers.get("authorization")
        if outer is not None and all(name != "authorization" for name, _ in own):
            yield b"authorization", outer.encode("latin-1")
        yield from ((name.encode("latin-1"), value.encode("latin-1")) for name, value in own)

    async def _receive(self) -> Message:
        if not self._read:
            self._read = True
            return {"type": "http.request", "body": self._call.body, "more_body": False}
        gone = [asyncio.ensure_future(self._closed.wait()), asyncio.ensure_future(self._request.receive())]
        try:
            await asyncio.wait(gone, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in gone:
                each.cancel()
            await asyncio.gather(*gone, return_exceptions=True)
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        else:
            self._body.append(message.get("body", b""))


def _multipart(answered: list[tuple[Part, Response]]) -> Response:
    told = [_told(part, response) for part, response in answered]
    boundary = b"batch_" + hashlib.sha256(b"".join(told)).hexdigest()[:32].encode()
    body = b"".join(b"--" + boundary + b"\r\n" + each + b"\r\n" for each in told)
    headers = {"Content-Type": f"multipart/mixed; boundary={boundary.decode()}", "Cache-Control": "private"}
    return Response(body + b"--" + boundary + b"--\r\n", headers=headers)


def _told(part: Part, response: Response) -> bytes:
    """An answer as a part: which call it is of, and all of it from the status line on."""
    head = b"Content-Type: application/http\r\n"
    if part.content_id:
        head += f"Content-ID: <response-{part.content_id}>\r\n".encode("latin-1")
    status = f"HTTP/1.1 {response.status_code} {_phrase(response.status_code)}\r\n".encode()
    sized = {b"content-length": str(len(response.body)).encode()}  # clients look for one header at least
    fields = b"".join(
        name.title() + b": " + value + b"\r\n" for name, value in (sized | dict(response.raw_headers)).items()
    )
    return head + b"\r\n" + status + fields + b"\r\n" + bytes(response.body)


def _phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
