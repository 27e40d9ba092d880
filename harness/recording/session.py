"""A recording under way: one browser context for each actor, and what its pages tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fakes.core.requests import READS
from fakes.core.service import Service
from harness.attempt import Attempt, Attempts
from harness.generated import regrade
from harness.grade import Grade
from harness.qualify import attempts_on
from harness.rails import BrowserActor, BrowserRail
from harness.recording.draft import draft
from harness.recording.naming import Naming
from harness.recording.timeline import Action, Asked, Did, Entry, Opened, Write, actions
from harness.tap import Sent
from harness.task import Task

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Frame, Page, Request

_WORLD = "paracosm"
_BINDING = "__paracosm_record"
_PATIENCE = 3.0


@cache
def _script() -> str:
    """What runs beside each page, in a JavaScript world of its own: pages do not see it."""
    folder = files("harness.recording") / "static"
    parts = [(folder / name).read_text() for name in ("names.js", "recorder.js")]
    return "(() => {\n" + "\n".join(parts) + "\n})()"


@dataclass
class _Seen:
    """A request as it was noticed; what is still to be learned of it comes with `typed`."""

    request: Request
    noticed: float
    typed: asyncio.Task[bool]


class Pages:
    """Listens to the pages of one actor."""

    def __init__(self, actor: BrowserActor) -> None:
        self.actor, self.name = actor, actor.name
        self.closed = asyncio.Event()
        self._pages: list[Page] = []
        self._told: list[Entry] = []
        self._seen: list[_Seen] = []
        self._newest = 0.0
        self._hooks: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        """Begins with the page that is there; those that come later follow."""
        context = self.actor.context
        for page in context.pages:
            await self._take(page)
        context.on("page", lambda page: self._keep(asyncio.ensure_future(self._take(page))))
        context.on("request", self._on_request)
        context.on("close", lambda _: self.closed.set())

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._hooks.add(task)
        task.add_done_callback(self._hooks.discard)

    async def _take(self, page: Page) -> None:
        """Hears a page; one that another opened is noted as such."""
        from playwright.async_api import Error

        number = len(self._pages)
        self._pages.append(page)
        page.on("close", lambda page: self._on_close())
        noticed = self._newest
        with suppress(Error):  # it is gone already
            session = await self.actor.context.new_cdp_session(page)
            session.on("Runtime.bindingCalled", lambda event: self._on_told(number, event))
            await _inject(session)
            opener = await page.opener()
            if number:
                by = self._pages.index(opener) if opener in self._pages else None
                self._told.append(Opened(noticed, self.name, number, by))

    def _on_close(self) -> None:
        if all(page.is_closed() for page in self._pages):
            self.closed.set()

    def _on_told(self, page: int, event: dict[str, Any]) -> None:
        if event["name"] == _BINDING:
            told = json.loads(event["payload"])
            self._newest = max(self._newest, float(told["at"]))
            self._told.append(Did(float(told["at"]), self.name, page, told))

    def _on_request(self, request: Request) -> None:
        if request.redirected_from is None and (
            request.method not in READS or request.is_navigation_request()
        ):
            self._seen.append(_Seen(request, self._newest, asyncio.ensure_future(_is_typed(request))))

    async def entries(self) -> list[Entry]:
        """All that was told and asked for. Ask while the attempt's world is there."""
        if self._hooks:
            await asyncio.wait(set(self._hooks), timeout=_PATIENCE)
        if self._seen:
            await asyncio.wait([seen.typed for seen in self._seen], timeout=_PATIENCE)
        place = self.actor.place
        sent = list(place.tap.sent(place.lease.address))
        asked = [self._asked(seen, sent) for seen in self._seen]
        return [*self._told, *(each for each in asked if each is not None)]

    def _asked(self, seen: _Seen, sent: list[Sent]) -> Asked | None:
        """What a request tells, if it is a page's own: for its main frame, or a write."""
        request, started = seen.request, seen.request.timing["startTime"]
        frame = _frame_of(request)
        document = request.is_navigation_request() and frame is not None and frame.parent_frame is None
        if frame is None or frame.page not in self._pages or not (document or request.method not in READS):
            return None
        typed = seen.typed.done() and not seen.typed.cancelled() and seen.typed.result()
        return Asked(
            at=started if started > 0 else seen.noticed,
            actor=self.name,
            page=self._pages.index(frame.page),
            url=request.url,
            document=document,
            typed=typed,
            write=None if request.method in READS else self._write(request, sent),
        )

    def _write(self, request: Request, sent: list[Sent]) -> Write:
        """The write that this request was for the server: with the route that it took there."""
        for each in sent:
            if each.method == request.method and request.url.endswith(each.target):
                sent.remove(each)
                logged = self.actor.place.world.log.rows("WHERE id = ?", (each.request,))
                route = logged[0].route if logged and logged[0].route else f"{each.method} {each.target}"
                return Write(each.method, route, each.status)
        return Write(request.method, f"{request.method} {request.url}", 0)


async def _inject(session: CDPSession) -> None:
    await session.send("Runtime.enable")
    await session.send("Page.enable")
    await session.send("Runtime.addBinding", {"name": _BINDING, "executionContextName": _WORLD})
    await session.send(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": _script(), "worldName": _WORLD, "runImmediately": True},
    )


def _frame_of(request: Request) -> Frame | None:
    """The frame that sent it; None for a worker's."""
    from playwright.async_api import Error

    try:
        return request.frame
    except Error:
        return None


async def _is_typed(request: Request) -> bool:
    """Whether somebody typed the address, or took it from a bookmark; a page's own links say where from."""
    from playwright.async_api import Error

    try:
        headers = await request.all_headers()
    except Error:
        return False
    return headers.get("sec-fetch-site") == "none"


@dataclass(frozen=True)
class Recorded:
    """What came of a recording: the play's source, what was done, and how the task's guards judge its end.

    `missing` are files that were sent in and are no inputs of the task.
    """

    source: str
    actions: list[Action]
    grade: Grade
    missing: tuple[str, ...] = ()

    @property
    def outcome(self) -> str:
        """The verdict, in a line."""
        refused = ", ".join(sorted(self.grade.refused))
        return f"{self.grade.state}, refused by {refused}" if refused else self.grade.state


class Recording:
    """An attempt at whose pages somebody works."""

    def __init__(self, attempts: Attempts, attempt: Attempt, pages: list[Pages]) -> None:
        self.attempt, self._attempts, self._pages = attempt, attempts, pages

    @property
    def text(self) -> str:
        """What the task asks for."""
        return self.attempt.task.text(self.attempt.base.facts)

    def inputs(self) -> dict[str, bytes]:
        """The task's inputs by name."""
        actor = next(iter(self.attempt.actors.values()))
        return {name: actor.input(name) for name in actor.inputs}

    async def closed(self) -> None:
        """Waits until every page was closed."""
        for pages in self._pages:
            await pages.closed.wait()

    async def result(self) -> Recorded:
        """The draft and the grade, so far."""
        task, world = self.attempt.task, self.attempt.world
        for lease in self.attempt.leases.values():
            await self.attempt.server.tap.quiet(lease.address)
        entries = [entry for pages in self._pages for entry in await pages.entries()]
        done = actions(entries)
        labels = {service.host_label: name for name, service in world.services.items()}
        source = draft(done, list(task.actors), Naming(self.attempt.base.facts), labels, task.env.product)
        graded = regrade(self._attempts, task, self.attempt.evidence())
        sent_in = [name for action in done if action.kind == "files" for name in action.values]
        missing = tuple(dict.fromkeys(name for name in sent_in if name not in task.inputs))
        return Recorded(source, done, graded, missing)


@asynccontextmanager
async def recording(
    task: Task, browser: Browser, *, services: dict[str, Service] | None = None
) -> AsyncIterator[Recording]:
    """Seats the task's actors in a browser, each with a page of the product before them, and listens."""
    rail = BrowserRail(browser)
    async with attempts_on(task.env, services=services, browser=rail) as attempts:
        async with attempts.open(task, rail="browser") as attempt:
            pages = [Pages(actor) for actor in attempt.actors.values() if isinstance(actor, BrowserActor)]
            for each in pages:
                await each.listen()
                await each.actor.goto("/", raises=False)
            yield Recording(attempts, attempt, pages)
