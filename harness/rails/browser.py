"""The `browser` rail: one Chromium; for each actor a context of its own, with the lease's address as its
proxy.

The context lives by the run clock and in the person's zone, and is signed in at every service before the
attempt.
"""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, Literal

from fakes.core import auth
from fakes.core.clock import utc
from fakes.core.world import World
from harness.chromium import NOT_FOUND, find_chromium, launch_args
from harness.rails.actor import Actor, Place
from harness.rails.forge import PlayError
from harness.tap import Sent

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

_SEND = """async ({url, method, headers, body}) => {
  const bytes = Uint8Array.from(atob(body), letter => letter.charCodeAt(0));
  const answer = await fetch(url, {method, headers, body: bytes.length ? bytes : undefined});
  await answer.arrayBuffer();
  return answer.status;
}"""
_KEPT_HEADERS = frozenset({"content-type", "accept"})


class BrowserMissing(Exception):
    """There is no Chromium to drive; the sentence says what to do."""


class BrowserRail:
    """Plays in a real browser. Chromium starts with the first actor, unless one is given, and again if it has
    died; `close` ends it.
    """

    name = "browser"
    medium: Literal["browser", "client"] = "browser"

    def __init__(self, browser: Browser | None = None) -> None:
        self._browser = browser
        self._playwright: Playwright | None = None

    async def _chromium(self) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        await self.close()
        executable = find_chromium()
        if executable is None:
            raise BrowserMissing(NOT_FOUND)
        from playwright.async_api import async_playwright  # slow to import: only where a browser is needed

        self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(executable_path=executable, args=launch_args())
        return self._browser

    async def close(self) -> None:
        """Ends the Chromium that this rail started."""
        if self._playwright is not None:
            if self._browser is not None:
                await self._browser.close()
            await self._playwright.stop()
            self._playwright = self._browser = None

    async def enter(self, place: Place) -> Actor:
        """A context that is signed in, with one page. Raises BrowserMissing."""
        browser = await self._chromium()
        context = await browser.new_context(
            proxy={"server": f"http://{place.lease.address}:{place.port}"},
            timezone_id=place.person.zone,
            locale="en-US",
            base_url=origin(place, place.task.env.product),
        )
        try:
            return await BrowserActor.open(place, context)
        except BaseException:
            await context.close()
            raise


def origin(place: Place, service: str) -> str:
    """Where a browser finds a service of the place's world."""
    return f"http://{place.world.services[service].host_label}.{place.world.name}.localhost:{place.port}"


class BrowserActor(Actor):
    """A person at a browser.

    `page` is theirs; `get`, `post` … are programs at the same address, without a page.
    """

    lent = Actor.lent | {"page", "context", "goto", "url", "upload"}

    def __init__(self, place: Place, context: BrowserContext, page: Page) -> None:
        super().__init__(place)
        self.context, self._page = context, page
        self.sessions: dict[str, tuple[auth.Session, str]] = {}
        self._clock: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, place: Place, context: BrowserContext) -> BrowserActor:
        """Sets up a context: clock, time-outs, sessions and a page."""
        context.set_default_timeout(place.timeout * 1000)
        await context.clock.set_fixed_time(utc(place.world.now()))
        page = await context.new_page()
        actor = cls(place, context, page)
        await actor._fence(page)
        context.on("page", actor._fence_first)
        await actor._sign_in()
        actor._clock = asyncio.create_task(_keep_time(context, place.world))
        return actor

    def _fence_first(self, page: Page) -> None:
        """Fences a new page in, and lets it go nowhere before that: its own `goto` would be faster."""
        fenced, goto = asyncio.ensure_future(self._fence(page)), page.goto

        async def goto_fenced(*args: Any, **kwargs: Any) -> Any:
            await fenced
            return await goto(*args, **kwargs)

        page.goto = goto_fenced  # type: ignore[method-assign]

    async def _fence(self, page: Page) -> None:
        """Keeps a page from the files of this machine: they pass no proxy, so the browser has to.

        What it was sent to is kept, also where the page was faster than the fence.
        """
        from playwright.async_api import Error

        page.on("framenavigated", lambda frame: self._note_file(frame.url))
        try:
            session = await self.context.new_cdp_session(page)

            def block(paused: dict[str, Any]) -> None:
                self._note_file(paused["request"]["url"])
                refuse = {"requestId": paused["requestId"], "errorReason": "BlockedByClient"}
                asyncio.ensure_future(session.send("Fetch.failRequest", refuse))

            session.on("Fetch.requestPaused", block)
            await session.send("Fetch.enable", {"patterns": [{"urlPattern": "file://*"}]})
        except Error:
            pass  # the page is gone already

    def _note_file(self, url: str) -> None:
        if url.removeprefix("view-source:").startswith("file:") and url not in self.strayed:
            self.strayed.append(url)

    async def _sign_in(self) -> None:
        world = self.place.world
        for service in self.place.services:
            session, value = auth.start_session(world, service, self.person)
            self.sessions[service] = session, value
            name, url = auth.cookie_name(world, service), origin(self.place, service)
            await self.context.add_cookies(
                [{"name": name, "value": value, "url": url, "httpOnly": True, "sameSite": "Lax"}]
            )
        own = self.sessions.get(self.place.task.env.product)
        self.credential = f"session:{own[0].id}" if own else self.credential

    async def leave(self) -> None:
        """Closes the context."""
        if self._clock is not None:
            self._clock.cancel()
            await asyncio.gather(self._clock, return_exceptions=True)
        await self.context.close()
        await super().leave()

    def hurry(self, seconds: float) -> None:
        """Waits for nothing longer than this from now on, pages included."""
        super().hurry(seconds)
        self.context.set_default_timeout(seconds * 1000)

    @property
    def page(self) -> Page:
        """The page; ask for it inside each step, so that the step can be left out."""
        self.place.steps.use()
        return self._page

    def url(self, path: str, service: str | None = None) -> str:
        """The address of a page of the product, or of another service."""
        return path if "://" in path else origin(self.place, service or self.place.task.env.product) + path

    async def goto(self, path: str, service: str | None = None, *, raises: bool = True) -> Page:
        """Opens a page. In a play, raises PlayError when it is answered with an error status."""
        page = self.page
        response = await page.goto(self.url(path, service))
        if raises and response is not None and response.status >= 400:
            raise PlayError(f"{self.name}: the page {path} was answered {response.status}.")
        return page

    async def send_again(self, sent: Sent) -> None:
        """Sends a write once more from a page of the same origin, whatever the answer."""
        home = f"http://{sent.host}"
        page, own = self._page, self._page.url.startswith(f"{home}/")
        if not own:
            page = await self.context.new_page()
            await page.goto(home)
        kept = {n: v for n, v in sent.headers if n in _KEPT_HEADERS or n.startswith(("hx-", "x-"))}
        body = base64.b64encode(sent.body).decode()
        asked: dict[str, Any] = {
            "url": home + sent.target,
            "method": sent.method,
            "headers": kept,
            "body": body,
        }
        await page.evaluate(_SEND, asked)
        if not own:
            await page.close()


async def _keep_time(context: BrowserContext, world: World) -> None:
    """Sets the browser's clock whenever the run clock is set."""
    subscription = world.subscribe()
    try:
        while True:
            if "clock" in await subscription.next():
                await context.clock.set_fixed_time(utc(world.now()))
    finally:
        subscription.close()
