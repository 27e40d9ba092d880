"""Real browsers on leases: every kind of request arrives under the lease of the browser that made it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest
from playwright.async_api import Browser, BrowserContext, Error
from starlette.datastructures import Headers
from starlette.routing import Mount, Router
from starlette.types import Receive, Scope, Send

from fakes.core.proxy import Port
from tests.browser.everything_page import ELSEWHERE, EXPECTED, drive, routes

MAIN, A, B = "127.0.0.1", "127.82.0.1", "127.82.0.2"

@dataclass(frozen=True)
class Seen:
    lease: str
    method: str
    host: str
    path: str
    dest: str


class Toy:
    """Serves the page under `/<mark>/everything/`: the mark tells which browser asked, whatever the lease."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.refused: list[tuple[str, str]] = []
        self.router = Router([Mount("/{mark}/everything", routes=routes())])
        self.port = Port(self, on_refused=lambda lease, host, *_: self.refused.append((lease, host)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        lease, dest = scope["server"][0], headers.get("sec-fetch-dest", "")
        self.seen.append(Seen(lease, scope.get("method", ""), headers["host"], scope["path"], dest))
        await self.router(scope, receive, send)

    def origin(self, host: str) -> str:
        return f"http://{host}:{self.port.port}"

    def marked(self, mark: str) -> list[Seen]:
        return [seen for seen in self.seen if seen.path.startswith(f"/{mark}/")]

    async def until(self, happened: Callable[[], bool]) -> None:
        for _ in range(500):
            if happened():
                return
            await asyncio.sleep(0.02)


@pytest.fixture
async def toy() -> AsyncIterator[Toy]:
    toy = Toy()
    await toy.port.start()
    for address in (A, B):
        await toy.port.listen(address)
    yield toy
    await asyncio.wait_for(toy.port.stop(), 5)


async def on_lease(browser: Browser, toy: Toy, address: str) -> BrowserContext:
    return await browser.new_context(proxy={"server": toy.origin(address)})


@pytest.fixture
async def driven(whole_browser: Browser, toy: Toy) -> Toy:
    """Two browsers at once, each making every request once, and each turning on the other's address too."""

    async def visit(mark: str, address: str, neighbour: str) -> None:
        async with await on_lease(whole_browser, toy, address) as context:
            await drive(
                await context.new_page(),
                toy.origin("toy.main.localhost") + f"/{mark}/everything/",
                other=toy.origin("other.main.localhost"),
                direct=toy.origin(neighbour),
                foreign="http://mail.test",
            )
            await toy.until(lambda: len(asked(toy, mark)) >= len(EXPECTED))

    await asyncio.gather(visit("first", A, B), visit("second", B, A))
    return toy


def asked(toy: Toy, mark: str) -> dict[str, str]:
    """What one browser asked of the page's own site: name and destination."""
    site = toy.origin("toy.main.localhost").removeprefix("http://")
    prefix = f"/{mark}/everything/"
    found = {seen.path.removeprefix(prefix): seen.dest for seen in toy.marked(mark) if seen.host == site}
    return {name: dest for name, dest in found.items() if name in EXPECTED}


async def test_every_kind_of_request_arrives_and_under_its_own_lease(driven: Toy) -> None:
    for mark, lease in (("first", A), ("second", B)):
        assert asked(driven, mark) == EXPECTED
        assert {seen.lease for seen in driven.marked(mark)} == {lease}
    assert MAIN not in {seen.lease for seen in driven.seen}

    # Other hosts, another lease's own address among them
    for mark, neighbour in (("first", B), ("second", A)):
        found = {(seen.host, seen.path.rpartition("/")[2]): seen for seen in driven.marked(mark)}
        for name, address in (("other", "other.main.localhost"), ("direct", neighbour)):
            host = driven.origin(address).removeprefix("http://")
            assert {kind: found[host, name + kind].dest for kind in ELSEWHERE} == ELSEWHERE
        # A foreign name is no secure context: the browser does not say what for. Sockets do not reach us.
        foreign = {path: seen.dest for (host, path), seen in found.items() if host == "mail.test"}
        assert foreign == {"foreign" + kind: "" for kind in ELSEWHERE if kind != "-ws"}
        preflighted = [seen.method for seen in driven.marked(mark) if seen.path.endswith("/other-cors")]
        assert preflighted == ["OPTIONS", "PUT"]

    # Nothing else was asked of the outside, but for what Chromium asks its maker about the forms it sees
    refused = {refusal for refusal in driven.refused if "autofill" not in refusal[1]}
    assert refused == {(A, "mail.test:80"), (B, "mail.test:80")}


async def test_a_context_without_a_lease_arrives_at_the_main_address(
    whole_browser: Browser, toy: Toy
) -> None:
    async with await whole_browser.new_context() as context:
        page = await context.new_page()
        await page.goto(toy.origin("toy.main.localhost") + "/x/everything/frame.html")
    assert {seen.lease for seen in toy.seen} == {MAIN}


async def test_a_script_in_the_context_is_its_browser_but_sends_no_destination(
    whole_browser: Browser, toy: Toy
) -> None:
    async with await on_lease(whole_browser, toy, A) as context:
        await context.request.get(toy.origin("127.0.0.1") + "/x/everything/frame.html")
    assert [(seen.lease, seen.dest) for seen in toy.seen] == [(A, "")]


async def test_a_page_that_is_not_faked_does_not_open_and_is_reported(
    whole_browser: Browser, toy: Toy
) -> None:
    async with await on_lease(whole_browser, toy, A) as context:
        page = await context.new_page()
        with pytest.raises(Error, match="ERR_TUNNEL_CONNECTION_FAILED"):
            await page.goto("https://mail.example/")
    assert set(toy.refused) == {(A, "mail.example:443")}


async def test_when_a_lease_ends_its_sockets_close_and_its_pages_reach_nothing(
    whole_browser: Browser, toy: Toy
) -> None:
    ended = await toy.port.listen("127.82.0.3")
    async with await on_lease(whole_browser, toy, ended.address) as context:
        page = await context.new_page()
        await page.goto(toy.origin("toy.main.localhost") + "/x/everything/frame.html")
        closing = page.evaluate(
            """() => new Promise((closed) => {
                const socket = new WebSocket("ws");
                socket.onopen = () => document.title = "open";
                socket.onclose = (event) => closed(event.code);
            })"""
        )
        closed = asyncio.ensure_future(closing)
        await page.wait_for_function("document.title == 'open'")
        await ended.close()
        assert await closed == 1012
        with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):
            await page.goto(toy.origin("toy.main.localhost") + "/x/everything/frame.html")
