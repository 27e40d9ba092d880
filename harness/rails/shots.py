"""Screenshots of a browser while somebody acts in it: for people who read what happened, never for a grade.

They are taken beside the attempt, which waits for none of them and is never failed by one.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fakes.core.requests import READS, redact_path
from fakes.core.world import World

if TYPE_CHECKING:
    from playwright.async_api import Page, Request

MOST = 30
"""So many are kept of one browser; beyond that every other one goes, so that all of the attempt is shown."""

QUALITY = 60
HASTE, PATIENCE = 1.5, 5.0
"""Seconds that a picture may take, on the way and at the end. Of a page that goes on to another while it is
taken, Chromium never gives it."""

_SWAP = 0.1  # seconds after the answer to a write until a page has most likely put it in


@dataclass(frozen=True)
class Shot:
    """A picture (JPEG) of a page. `number` counts what was taken, `at_ms` runs from when the browser was
    opened, `request` is the newest in the log then."""

    number: int
    at_ms: int
    host: str
    path: str
    request: int
    picture: bytes

    def about(self, file: str) -> dict[str, str | int]:
        """All but the picture, with the name of its file."""
        place = {"host": self.host, "path": self.path}
        return {"file": file, "at_ms": self.at_ms, "request": self.request, **place}


class Shots:
    """Takes a picture after each load of a page, after the answer to each write that a page sends, and when
    it is told to. A picture that equals the one before is not kept."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._begun = asyncio.get_running_loop().time()
        self._due: dict[Page, float] = {}
        self._working: asyncio.Task[None] | None = None
        self._count = 0
        self.taken: list[Shot] = []

    def watch(self, page: Page) -> None:
        """Takes pictures of this page from now on."""
        page.on("load", lambda loaded: self._want(loaded, 0.0))
        page.on("requestfinished", lambda request: self._want_swapped(page, request))

    def _want_swapped(self, page: Page, request: Request) -> None:
        if request.method not in READS and not request.is_navigation_request():
            self._want(page, _SWAP)

    def _want(self, page: Page, pause: float) -> None:
        self._due[page] = pause
        if self._working is None or self._working.done():
            self._working = asyncio.ensure_future(self._work())

    async def _work(self) -> None:
        """Takes what is due, one at a time: what is asked for meanwhile of the same page is one picture."""
        while self._due:
            page, pause = next(iter(self._due.items()))
            await asyncio.sleep(pause)
            self._due.pop(page, None)
            await self._take(page)

    async def close(self, pages: list[Page]) -> None:
        """Takes the last pictures, of the pages that are open, and no more."""
        if self._working is not None:
            self._due.clear()
            await self._working
        for page in pages[:3]:
            await self._take(page, PATIENCE)
        self._due.clear()

    async def _take(self, page: Page, patience: float = HASTE) -> None:
        from playwright.async_api import Error

        if page.is_closed() or page.url == "about:blank":
            return
        at, request, url = asyncio.get_running_loop().time(), self._world.log.newest, urlsplit(page.url)
        try:
            picture = await page.screenshot(
                type="jpeg", quality=QUALITY, scale="css", animations="allow", caret="initial",
                timeout=patience * 1000,
            )  # fmt: skip
        except Error:
            pass  # it went on to another page, which is shown next, or it is closed or stuck
        else:
            at_ms = round((at - self._begun) * 1000)
            self._keep(Shot(0, at_ms, url.hostname or "", redact_path(url.path), request, picture))

    def _keep(self, shot: Shot) -> None:
        if self.taken and self.taken[-1].picture == shot.picture:
            return
        self._count += 1
        self.taken.append(Shot(self._count, shot.at_ms, shot.host, shot.path, shot.request, shot.picture))
        if len(self.taken) > MOST:
            del self.taken[1:-1:2]

    def files(self, actor: str) -> dict[str, bytes]:
        """What is kept, by name: pictures, and in `shots/ACTOR.jsonl` a line about each."""
        names = [f"shots/{actor}-{shot.number:03}.jpg" for shot in self.taken]
        lines = [json.dumps(shot.about(name)) for name, shot in zip(names, self.taken, strict=True)]
        index = {f"shots/{actor}.jsonl": "\n".join(lines).encode()} if lines else {}
        return {name: shot.picture for name, shot in zip(names, self.taken, strict=True)} | index
