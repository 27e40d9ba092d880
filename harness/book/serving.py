"""Serves a printed book on this machine, and prints it anew when its archive has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from harness.archive.store import ArchiveError

_HEADERS = {
    b"content-security-policy": b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    b"media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-cache",
}


def book_app(out: Path, archive: Path, print_anew: Callable[[], object]) -> ASGIApp:
    """An app over the folder `out`. `print_anew` is called, on another thread, before the first page is given
    after the archive changed. Other hosts than this machine's own names get 400.
    """
    changed = _Changed(archive, print_anew)
    files = StaticFiles(directory=out, html=True)

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].endswith(("/", ".html")):
            try:
                await changed.look()
            except (OSError, ArchiveError) as error:
                told = f"The book can't be printed: {error}".rstrip(".")
                await PlainTextResponse(f"{told}.", 507)(scope, receive, send)
                return
        await files(scope, receive, _with_headers(send))

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "*.localhost"])
    return Starlette(routes=[Mount("/", app=pages)], middleware=[hosts])


class _Changed:
    """Prints anew when the archive is another than when it was printed last."""

    def __init__(self, archive: Path, print_anew: Callable[[], object]) -> None:
        self._archive, self._print = archive, print_anew
        self._seen, self._turn = state_of(archive), asyncio.Lock()

    async def look(self) -> None:
        async with self._turn:
            now = state_of(self._archive)
            if now != self._seen:
                await asyncio.to_thread(self._print)
                self._seen = now


def state_of(archive: Path) -> tuple[tuple[int, int], ...]:
    """Size and time of change of an archive's files."""
    found = []
    for path in (archive, archive.with_name(f"{archive.name}-wal")):
        try:
            stat = path.stat()
            found.append((stat.st_size, stat.st_mtime_ns))
        except OSError:
            found.append((-1, 0))
    return tuple(found)


def _with_headers(send: Send) -> Send:
    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message["headers"] if pair[0] not in _HEADERS]
            message["headers"] = [*kept, *_HEADERS.items()]
        await send(message)

    return adding
