"""Static files of a package, read once and served from memory.

Nothing is looked up on disk by a client's path, so there is nothing to traverse; no file times reach a
header, so the same files give the same bytes; and no request is moved to a thread.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

KIT = Path(__file__).parent
CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""What is served, by suffix; a file with another suffix (a README, a licence) is not."""


@dataclass(frozen=True)
class _File:
    body: bytes
    content_type: str
    etag: str


class Static:
    """An ASGI app over folders of files; of two files with one name, the first folder's is served."""

    def __init__(self, *folders: Path) -> None:
        self._files: dict[str, _File] = {}
        for folder in folders:
            if not folder.is_dir():
                raise FileNotFoundError(f"{str(folder)!r} is no folder: static files are served from there")
            for path in sorted(folder.rglob("*")):
                if path.suffix in CONTENT_TYPES and path.is_file():
                    self._files.setdefault(path.relative_to(folder).as_posix(), _read(path))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers GET and HEAD; raises HTTPException 404 and 405 for the app's own error pages."""
        if scope["type"] != "http":
            raise HTTPException(404)
        await self._answer(Request(scope)).__call__(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        file = self._files.get(_path_below_mount(request.scope))
        if file is None:
            raise HTTPException(404)
        # no-cache: kept by the browser, but asked about each time, so that an edit shows after a restart
        headers = {"ETag": file.etag, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        if file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers={**headers, "Content-Type": file.content_type})


def _read(path: Path) -> _File:
    body = path.read_bytes()
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    return _File(body, CONTENT_TYPES[path.suffix], etag)


def _path_below_mount(scope: Scope) -> str:
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).lstrip("/")
