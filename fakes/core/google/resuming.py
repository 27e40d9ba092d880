"""The requests of a resumable upload in front of a method's own endpoint: begin, bytes, question, end.

Measured (headers, 308, sentences): github.com/fsouza/fake-gcs-server/issues/2354 and
github.com/googleapis/google-cloud-cpp/issues/7835.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlencode

import orjson
from starlette.requests import Request
from starlette.responses import Response

from fakes.core.google import uploads
from fakes.core.google.asked import answer, asked, refusal
from fakes.core.google.errors import BadRequest, GoogleError
from fakes.core.google.uploads import UploadSession
from fakes.core.people import Person
from fakes.core.world import World

Endpoint = Callable[[Request], Awaitable[Response]]
Admit = Callable[[Request], Person]
"""Who calls, on whose behalf the session is kept. Raises GoogleError."""
_ID = "X-GUploader-UploadID"
_CANCELLED = 499


@dataclass(frozen=True)
class Resumable:
    """A method that takes uploads: `plain` answers when all bytes are there, in `request.state.uploaded`.

    `most` is the size of an upload in bytes, `too_large` the error beyond it.
    """

    service: str
    method: str
    plain: Endpoint
    admit: Admit
    most: int
    too_large: type[GoogleError]

    async def answer(self, request: Request) -> Response:
        """Answers any request of the method's upload path."""
        query = request.query_params
        asked_for = (query.get("uploadType", "").lower(), query.get("upload_protocol", "").lower())
        try:
            if "upload_id" in query:
                return await self._go_on(request, query["upload_id"])
            if "resumable" in asked_for:
                return await self._begin(request)
        except GoogleError as error:
            return refusal(error, asked(request))
        return await self.plain(request)

    async def _begin(self, request: Request) -> Response:
        person = self.admit(request)
        told = request.headers.get("x-upload-content-length", "")
        if told and not told.isdecimal():
            raise BadRequest("Invalid X-Upload-Content-Length header.")
        total = int(told.lstrip("0")[:20] or "0") if told else None
        self._bound(total)
        made = uploads.begin(
            request.state.world, person, service=self.service, method=self.method, owner=person.id,
            resource=await self._body(request), media_type=request.headers.get("x-upload-content-type", ""),
            total=total,
        )  # fmt: skip
        return Response(headers={"Location": _location(request, made), _ID: made.id})

    async def _go_on(self, request: Request, upload_id: str) -> Response:
        world: World = request.state.world
        found = uploads.session(
            world, self.admit(request), service=self.service, method=self.method, upload_id=upload_id
        )
        if request.method == "DELETE":
            uploads.cancel(world, found)
            return Response(status_code=_CANCELLED, headers={_ID: found.id})
        if found.answer is None:
            content = await self._body(request)
            told = request.headers.get("content-range")
            given = uploads.content_range(told) if told else uploads.Range(0, len(content) - 1, len(content))
            if not content and given.first is not None:
                given = uploads.Range(None, None, given.total)
            self._bound(given.total, len(content) + (given.first or 0))
            found = uploads.take(world, found, given, content)
        return await self._told(request, found)

    async def _told(self, request: Request, found: UploadSession) -> Response:
        """What the method answers once all is there; until then, how far the upload has come."""
        if found.answer is not None:
            return answer(orjson.loads(found.answer), headers={_ID: found.id})
        if not uploads.is_complete(found):
            kept = {"Range": f"bytes=0-{found.received - 1}"} if found.received else {}
            return Response(status_code=308, headers={**kept, _ID: found.id})
        request.state.uploaded = uploads.uploaded(request.state.world, found)
        response = await self.plain(request)
        response.headers[_ID] = found.id
        if response.status_code == 200:
            uploads.finish(request.state.world, found, bytes(response.body).decode())
        return response

    def _bound(self, *sizes: int | None) -> None:
        if any(size is not None and size > self.most for size in sizes):
            raise self.too_large()

    async def _body(self, request: Request) -> bytes:
        pieces, size = [], 0
        async for piece in request.stream():
            size += len(piece)
            if size > self.most:
                raise self.too_large()
            pieces.append(piece)
        return b"".join(pieces)


def _location(request: Request, made: UploadSession) -> str:
    """Where the bytes go: back here, by the way that this request came."""
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "access_token"]
    query = urlencode([*kept, ("upload_id", made.id)])
    host = request.headers.get("host", "localhost")
    return f"{request.url.scheme}://{host}{request.url.path}?{query}"
