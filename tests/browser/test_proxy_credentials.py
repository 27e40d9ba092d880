"""Browsers that say user and password to the proxy: every kind of request a page makes is its lease's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Error
from starlette.routing import Mount

from fakes.core.browsers import Lease
from fakes.core.seeding import Seed
from fakes.core.service import Service
from harness import app as composition
from harness.app import FIXED_SECRET, Server, Start
from tests.browser.everything_page import EXPECTED, drive, routes

PEOPLE = ("mira@harborlight.example", "tom@harborlight.example")
SITE = Service(
    name="everything",
    title="Everything",
    summary="A page of all requests.",
    kind="site",
    tables=(),
    routes=lambda: [Mount("/{mark}/everything", routes=routes())],
)


def seed(w: Seed) -> None:
    """Two people."""
    for email in PEOPLE:
        w.person(email, email.partition("@")[0].title())


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server as in a container: leases have no addresses of their own."""
    monkeypatch.setattr(composition, "discover_scenarios", lambda: {"two": seed})
    async with Server(services={"everything": SITE}, secret=FIXED_SECRET, proxy_auth=True) as server:
        server.create_world("main", Start("two"))
        yield server


async def visit(browser: Browser, server: Server, lease: Lease, mark: str) -> None:
    """One browser makes every request once, some of them to the server's address and to a foreign name."""
    password = server.leases.password(lease)
    async with await browser.new_context(
        proxy={"server": server.url, "username": lease.id, "password": password}
    ) as context:
        base = f"http://everything.main.localhost:{server.port}/{mark}/everything/"
        await drive(await context.new_page(), base, direct=server.url, foreign="http://mail.test")
        for _ in range(200):
            if set(EXPECTED) <= set(asked(server, mark)):
                return
            await asyncio.sleep(0.05)


def asked(server: Server, mark: str) -> dict[str, set[str | None]]:
    """What was asked under one browser's mark: name and the leases it came from."""
    found: dict[str, set[str | None]] = {}
    for row in server.worlds.get("main").log.rows("WHERE path LIKE ?", (f"/{mark}/everything/%",)):
        found.setdefault(row.path.split("/", 3)[3], set()).add(row.lease)
    return found


async def test_every_kind_of_request_is_logged_under_its_lease(browser: Browser, server: Server) -> None:
    mira, tom = [await server.lease("main", kind="agent", medium="browser", holder=who) for who in PEOPLE]
    await asyncio.gather(*(visit(browser, server, *who) for who in ((mira, "first"), (tom, "second"))))
    for mark, lease in (("first", mira), ("second", tom)):
        logged = asked(server, mark)
        assert set(EXPECTED) - set(logged) == set()
        assert {name: leases for name, leases in logged.items() if leases != {lease.id}} == {}
    rows = server.worlds.get("main").log.rows("WHERE path LIKE '%/everything/%'")
    assert {row.kind for row in rows} == {"agent"} and {row.surface for row in rows} == {"browser"}
    assert {row.status for row in rows} <= {101, 200, 307} and None not in {row.status for row in rows}
    # What they asked of the server's address and of a foreign name was turned away, under their own names.
    assert {refusal.lease for refusal in server.refusals.all()} == {mira.id, tom.id}


@pytest.mark.parametrize("password", ["wrong", ""])
async def test_a_browser_with_a_wrong_password_gets_nothing(
    browser: Browser, server: Server, password: str
) -> None:
    lease = await server.lease("main", kind="agent", medium="browser", holder=PEOPLE[0])
    proxy = {"server": server.url, "username": lease.id, "password": password}
    async with await browser.new_context(proxy=proxy) as context:  # type: ignore[arg-type]
        page = await context.new_page()
        with contextlib.suppress(Error):
            await page.goto(f"http://everything.main.localhost:{server.port}/mark/everything/page.html")
    assert server.worlds.get("main").log.rows() == []


async def test_a_browser_without_a_proxy_is_nobodys(browser: Browser, server: Server) -> None:
    async with await browser.new_context() as context:
        page = await context.new_page()
        await page.goto(f"http://everything.main.localhost:{server.port}/mark/everything/style.css")
    (lease,) = asked(server, "mark")["style.css"]
    assert lease is None
