"""An actor's window as a model sees it: the newest page as text, what it asked, and when it is at rest."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.rails.browser import BrowserActor

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page, Request

CALM = 0.15  # seconds without a request under way
LONGEST = 3.0  # seconds to wait for that
_STREAMS = frozenset({"eventsource", "websocket"})


class Window:
    """The pages of one actor. A page that another opens is in front from then on, until it is closed.

    What a page asks in a dialog is agreed to, and told with the next text.
    """

    def __init__(self, actor: BrowserActor) -> None:
        self.actor = actor
        self._said: list[str] = []
        self._under_way: set[Request] = set()
        self._moved = 0.0
        for page in actor.context.pages:
            self._watch(page)
        actor.context.on("page", self._watch)
        actor.context.on("request", self._begun)
        actor.context.on("requestfinished", self._ended)
        actor.context.on("requestfailed", self._ended)

    @property
    def page(self) -> Page:
        """The page in front."""
        open_ones = [page for page in self.actor.context.pages if not page.is_closed()]
        return open_ones[-1] if open_ones else self.actor.page

    def _watch(self, page: Page) -> None:
        page.on("dialog", lambda dialog: asyncio.ensure_future(self._agree(dialog)))

    async def _agree(self, dialog: Dialog) -> None:
        self._said.append(f"The page asked {dialog.message!r}, and was answered OK.")
        await dialog.accept()

    def _begun(self, request: Request) -> None:
        self._moved = _now()
        if request.resource_type not in _STREAMS:
            self._under_way.add(request)

    def _ended(self, request: Request) -> None:
        self._moved = _now()
        self._under_way.discard(request)

    async def rest(self) -> None:
        """Waits until no page loads anything any more, for a while at most; streams never end."""
        self._moved = until = _now()
        until += LONGEST
        while _now() < until and (self._under_way or _now() - self._moved < CALM):
            await asyncio.sleep(CALM / 5)
        self._under_way.clear()

    async def read(self) -> str:
        """The page in front as text: address, title, what it asked, elements with their refs."""
        page = self.page
        seen = await page.aria_snapshot(mode="ai")
        lines = [f"Page: {page.url}", f"Title: {await page.title()}", *self._said]
        self._said = []
        return "\n".join([*lines, "", seen or "(The page is empty.)"])


def _now() -> float:
    return asyncio.get_running_loop().time()
