"""The `browser` rail: one Chromium; for each actor a context of its own, with the lease's address as its
proxy.

The context lives by the run clock and in the person's zone, and is signed in at every service before the
attempt.
"""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fakes.core import auth
from fakes.core.clock import utc
from fakes.core.world import World
from harness.chromium import NOT_FOUND, find_chromium, find_shell, free_port, has_display, launch_args
from harness.rails.actor import Actor, Place, is_address
from harness.rails.forge import PlayError
from harness.rails.recorder import Recorder, Recording
from harness.tap import Sent

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

_SEND = """async ({url, method, headers, body}) => {
  const bytes = Uint8Array.from(atob(body), letter => letter.charCodeAt(0));
  const answer = await fetch(url, {method, headers, body: bytes.length ? bytes : undefined});
  await answer.arrayBuffer();
  return answer.status;
}"""
NO_FFMPEG = "A video takes Playwright's ffmpeg: run `playwright install ffmpeg`, or leave --video out."
_KEPT_HEADERS = frozenset({"content-type", "accept"})


class BrowserMissing(Exception):
    """There is no Chromium to drive; the sentence says what to do."""


@dataclass(frozen=True)
class Screen:
    """How a person gets at a browser: by windows on the display, or by DevTools at an address."""

    windows: bool
    devtools: str = ""


class BrowserRail:
    """Plays in a real browser. Chromium starts with the first actor, unless one is given, and again if it has
    died; `close` ends it. `recording` is kept of the attempts that begin from now on.

    `for_people`, set before it starts, has it show itself: in windows, or by DevTools if there is no display.
    For `plays`, which know what they look for, the headless shell does, at a third of the time.
    """

    name = "browser"
    medium: Literal["browser", "client"] = "browser"

    def __init__(
        self, browser: Browser | None = None, recording: Recording | None = None, *, plays: bool = False
    ) -> None:
        self._browser, self.recording, self._plays = browser, recording or Recording(), plays
        self._playwright: Playwright | None = None
        self.for_people, self._screen = False, Screen(windows=False)

    async def _chromium(self) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        await self.close()
        executable = find_shell() if self._plays else find_chromium()
        if executable is None:
            raise BrowserMissing(NOT_FOUND)
        from playwright.async_api import async_playwright  # slow to import: only where a browser is needed

        self._playwright = await async_playwright().start()
        args = launch_args()
        if self.for_people:
            port = 0 if has_display() else free_port()
            self._screen = Screen(not port, f"http://127.0.0.1:{port}" if port else "")
            args += [f"--remote-debugging-port={port}"] if port else []
        self._browser = await self._playwright.chromium.launch(
            executable_path=executable, args=args, headless=not self._screen.windows
        )
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
        recorder = Recorder(place.name, self.recording, place.world)
        context = await browser.new_context(
            proxy={"server": f"http://{place.lease.address}:{place.port}"},
            timezone_id=place.person.zone,
            locale="en-US",
            base_url=origin(place, place.task.env.product),
            no_viewport=self._screen.windows,  # a person makes the window as large as it should be
            **recorder.options,
        )
        try:
            actor = await BrowserActor.open(place, context, recorder)
            actor.screen = self._screen
            return actor
        except BaseException as error:
            await context.close()
            recorder.close()
            if self.recording.video and "ffmpeg" in str(error):
                raise BrowserMissing(NO_FFMPEG) from None
            raise


def origin(place: Place, service: str) -> str:
    """Where a browser finds a service of the place's world."""
    return f"http://{place.world.services[service].host_label}.{place.world.name}.localhost:{place.port}"


class BrowserActor(Actor):
    """A person at a browser.

    `page` is theirs; `get`, `post` … are programs at the same address, without a page.
    """

    lent = Actor.lent | {"page", "context", "goto", "url", "upload"}

    def __init__(self, place: Place, context: BrowserContext, page: Page, recorder: Recorder) -> None:
        super().__init__(place)
        self.context, self._page, self._recorder = context, page, recorder
        self.sessions: dict[str, tuple[auth.Session, str]] = {}
        self.screen = Screen(windows=False)
        self._clock: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, place: Place, context: BrowserContext, recorder: Recorder) -> BrowserActor:
        """Sets up a context: clock, time-outs, recording, sessions and a page."""
        context.set_default_timeout(place.timeout * 1000)
        await context.clock.set_fixed_time(utc(place.world.now()))
        await recorder.begin(context)
        page = await context.new_page()
        actor = cls(place, context, page, recorder)
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

    async def collect(self) -> dict[str, bytes]:
        """Screenshots, trace or video, as far as they are recorded. Nobody acts here afterwards."""
        await self._stop_clock()
        return await self._recorder.collect(self.context)

    async def leave(self) -> None:
        """Closes the context."""
        await self._stop_clock()
        await self.context.close()
        self._recorder.close()
        await super().leave()

    async def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            await asyncio.gather(self._clock, return_exceptions=True)

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
        return path if is_address(path) else origin(self.place, service or self.place.task.env.product) + path

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
