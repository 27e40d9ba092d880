"""The stream and live.js, over a toy world with two counters on a page."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect
from playwright.async_api import Route as Intercepted
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fakes.core.ui import Pages, close_streams, kit_routes
from tests.conftest import Serve

TEMPLATE = """{% extends 'kit/base.html' %}{% block title %}Toy{% endblock %}{% block main %}
<h1>Toy</h1>
<ul id="mails" data-live="mails labels">
{% for n in range(world.rows.mails) %}<li>Mail {{ n }}</li>{% endfor %}
</ul>
<form id="draft" data-live="drafts">
<label>Note <input name="note"></label><output>{{ world.rows.drafts }}</output>
</form>
<details id="more" data-live="drafts">
<summary>More</summary><output>{{ world.rows.drafts }}</output>
</details>
<p id="all" data-live="*">{{ world.rows.values() | sum }}</p>
<button hx-get="" hx-select="#still" hx-target="#still" hx-swap="outerHTML">Again</button>
<p id="still">{{ world.rows.values() | sum }}</p>
{% endblock %}"""


class ToySubscription:
    """What a world's subscription does, over a queue."""

    def __init__(self, world: ToyWorld) -> None:
        self.world = world
        self.changes: asyncio.Queue[frozenset[str]] = asyncio.Queue()
        world.subscriptions.append(self)

    async def next(self) -> frozenset[str]:
        return await self.changes.get()

    def close(self) -> None:
        self.world.subscriptions.remove(self)


@dataclass
class ToyWorld:
    """A world of counters; each change is one more journal row."""

    rows: dict[str, int] = field(default_factory=lambda: {"mails": 1, "drafts": 1})
    zone: ZoneInfo = ZoneInfo("UTC")
    subscriptions: list[ToySubscription] = field(default_factory=list)
    fetched: int = 0

    @property
    def journal(self) -> ToyWorld:
        return self

    def head(self) -> int:
        return sum(self.rows.values())

    def subscribe(self) -> ToySubscription:
        return ToySubscription(self)

    def add(self, *tables: str, tell: bool = True) -> None:
        for table in tables:
            self.rows[table] += 1
        for subscription in self.subscriptions if tell else ():
            subscription.changes.put_nowait(frozenset(tables))


@pytest.fixture
def world() -> ToyWorld:
    return ToyWorld()


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    (tmp_path / "toysite" / "templates").mkdir(parents=True)
    (tmp_path / "toysite" / "__init__.py").touch()
    (tmp_path / "toysite" / "templates" / "home.html").write_text(TEMPLATE)
    monkeypatch.syspath_prepend(tmp_path)
    yield Pages("toysite")
    sys.modules.pop("toysite", None)


@pytest.fixture
async def url(world: ToyWorld, serve: Serve, pages: Pages) -> AsyncIterator[str]:
    """The address of the toy's page, below a prefix as in a gateway."""
    async def home(request: Request) -> Response:
        world.fetched += "x-live" in request.headers
        return pages.response(request, "home.html")

    async with serve(_in_world(world, [Route("/", home), *kit_routes()])) as base:
        yield f"{base}/w/main/"


def _in_world(world: ToyWorld, routes: list[BaseRoute]) -> ASGIApp:
    inner = Starlette(routes=[Mount("/w/main", routes=routes)])

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await inner({**scope, "state": {"world": world}}, receive, send)

    return app


async def _listening(world: ToyWorld, streams: int = 1) -> None:
    async with asyncio.timeout(5):
        while len(world.subscriptions) != streams:
            await asyncio.sleep(0.01)


# The stream


@asynccontextmanager
async def _stream(url: str) -> AsyncIterator[AsyncIterator[str]]:
    async with httpx.AsyncClient() as client, client.stream("GET", f"{url}_live") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        yield answer.aiter_lines()


async def _event(lines: AsyncIterator[str]) -> dict[str, str]:
    event = {}
    async for line in lines:
        if not line:
            break
        name, value = line.split(": ", 1)
        event[name] = value
    return event


async def test_a_stream_says_where_the_world_is_and_then_what_changed(world: ToyWorld, url: str) -> None:
    async with _stream(url) as lines:
        assert await _event(lines) == {"retry": "1000", "event": "here", "id": "2", "data": "here"}
        world.add("mails", "drafts")
        assert await _event(lines) == {"id": "4", "data": "drafts mails"}


async def test_a_stream_stops_watching_when_its_reader_goes(world: ToyWorld, url: str) -> None:
    async with _stream(url) as lines:
        await _event(lines)
        assert len(world.subscriptions) == 1
    await _listening(world, streams=0)


async def test_a_stopping_server_ends_its_streams(world: ToyWorld, url: str) -> None:
    async with _stream(url) as lines:
        await _event(lines)
        close_streams()
        assert await _event(lines) == {}
    assert world.subscriptions == []


# live.js


async def test_a_region_follows_its_tables(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    world.add("mails")
    await expect(page.locator("#mails li")).to_have_count(2)
    await expect(page.locator("#all")).to_have_text("3")
    await expect(page.locator("#still")).to_have_text("2")
    await expect(page.locator("#draft output")).to_have_text("1")


async def test_many_changes_are_fetched_together(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    for _ in range(20):
        world.add("mails")
    await expect(page.locator("#mails li")).to_have_count(21)
    assert world.fetched < 5


async def test_a_focused_field_is_left_alone_until_it_is_left(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    await page.get_by_label("Note").focus()
    world.add("drafts")
    await expect(page.locator("#all")).to_have_text("3")
    await expect(page.locator("#draft output")).to_have_text("1")
    await page.get_by_label("Note").blur()
    await expect(page.locator("#draft output")).to_have_text("2")


async def test_what_was_typed_is_kept_until_it_is_cleared(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    await page.get_by_label("Note").fill("call Dana")
    await page.get_by_label("Note").blur()
    world.add("drafts")
    await expect(page.locator("#all")).to_have_text("3")
    await expect(page.get_by_label("Note")).to_have_value("call Dana")
    await page.get_by_label("Note").fill("")
    await page.get_by_label("Note").blur()
    await expect(page.locator("#draft output")).to_have_text("2")


async def test_what_is_open_stays_open_until_it_is_closed(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    await page.get_by_text("More").click()
    world.add("drafts")
    await expect(page.locator("#draft output")).to_have_text("2")
    await expect(page.locator("#more output")).to_have_text("1")
    await page.get_by_text("More").click()
    await expect(page.locator("#more output")).to_have_text("2")


async def test_what_is_pressed_stays_until_it_is_let_go(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    await page.locator("#draft output").hover()
    await page.mouse.down()
    world.add("drafts")
    await expect(page.locator("#all")).to_have_text("3")
    await expect(page.locator("#draft output")).to_have_text("1")
    await page.mouse.up()
    await expect(page.locator("#draft output")).to_have_text("2")


SCROLLING = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#mails { height: 200px; overflow: auto }");
    document.adoptedStyleSheets.push(sheet);
    document.getElementById("mails").scrollTo(0, 600);
}"""


async def test_a_region_stays_where_it_was_scrolled_to(world: ToyWorld, url: str, page: Page) -> None:
    world.rows["mails"] = 200
    await page.goto(url)
    await _listening(world)
    await page.evaluate(SCROLLING)
    world.add("mails")
    await expect(page.locator("#mails li")).to_have_count(201)
    assert await page.locator("#mails").evaluate("(region) => region.scrollTop") == 600


async def test_the_page_stays_where_it_was_scrolled_to(world: ToyWorld, url: str, page: Page) -> None:
    world.rows["mails"] = 200
    await page.goto(url)
    await _listening(world)
    await page.evaluate("scrollTo(0, 600)")
    world.add("mails")
    await expect(page.locator("#mails li")).to_have_count(201)
    assert await page.evaluate("scrollY") == 600


async def test_what_changed_before_it_listened_is_not_missed(world: ToyWorld, url: str, page: Page) -> None:
    async def change_meanwhile(route: Intercepted) -> None:
        world.add("mails", tell=False)
        await route.continue_()

    await page.route("**/live.js", change_meanwhile)
    await page.goto(url)
    await expect(page.locator("#mails li")).to_have_count(2)


async def test_a_lost_stream_is_taken_up_again(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    await _listening(world)
    close_streams()
    await _listening(world, streams=0)
    world.add("mails", tell=False)
    await expect(page.locator("#mails li")).to_have_count(2)


async def test_of_many_tabs_one_listens(world: ToyWorld, url: str, browser: Browser) -> None:
    context = await browser.new_context()
    tabs = [await context.new_page() for _ in range(8)]
    for tab in tabs:
        await tab.goto(url)
    await _listening(world)
    world.add("mails")
    for tab in tabs:
        await expect(tab.locator("#mails li")).to_have_count(2)
    await tabs[0].close()
    await _listening(world)
    world.add("mails")
    for tab in tabs[1:]:
        await expect(tab.locator("#mails li")).to_have_count(3)
    await context.close()


async def test_htmx_works_under_the_pages_policy(world: ToyWorld, url: str, page: Page) -> None:
    await page.goto(url)
    world.add("mails", tell=False)
    await page.get_by_role("button", name="Again").click()
    await expect(page.locator("#still")).to_have_text("3")


async def test_the_skeleton_is_accessible_and_keeps_to_its_own_policy(url: str, page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    answer = await page.goto(url)
    assert answer is not None
    results = await Axe().run(page)
    assert results.violations_count == 0, json.dumps(results.response["violations"], indent=1)
    assert said == []
