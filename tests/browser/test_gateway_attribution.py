"""Through the gateway: every kind of request that a page makes is logged under its browser's lease."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser
from starlette.routing import Mount

from fakes.core.browsers import Lease
from fakes.core.seeding import Seed
from fakes.core.service import Service
from harness import app as composition
from harness.app import FIXED_SECRET, Server, Start
from tests.browser.everything_page import EXPECTED, drive, routes

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
    w.person("mira@harborlight.example", "Mira Okafor")
    w.person("tom@harborlight.example", "Tom Reyes")


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    monkeypatch.setattr(composition, "discover_scenarios", lambda: {"two": seed})
    async with Server(services={"everything": SITE}, secret=FIXED_SECRET) as server:
        server.create_world("main", Start("two"))
        yield server


async def visit(browser: Browser, server: Server, lease: Lease, mark: str, neighbour: Lease) -> None:
    """One browser makes every request once, some of them to the other's address."""
    proxy = f"http://{lease.address}:{server.port}"
    async with await browser.new_context(proxy={"server": proxy}) as context:
        base = f"http://everything.main.localhost:{server.port}/{mark}/everything/"
        direct = f"http://{neighbour.address}:{server.port}"
        await drive(await context.new_page(), base, direct=direct, foreign="http://mail.test")
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
    people = ("mira@harborlight.example", "tom@harborlight.example")
    mira, tom = [await server.lease("main", kind="agent", medium="browser", holder=who) for who in people]
    visits = ((mira, "first", tom), (tom, "second", mira))
    await asyncio.gather(*(visit(browser, server, *who) for who in visits))
    for mark, lease in (("first", mira), ("second", tom)):
        logged = asked(server, mark)
        assert set(EXPECTED) - set(logged) == set()
        assert {name: leases for name, leases in logged.items() if leases != {lease.id}} == {}
    rows = server.worlds.get("main").log.rows("WHERE path LIKE '%/everything/%'")
    assert {row.kind for row in rows} == {"agent"} and {row.surface for row in rows} == {"browser"}
    assert {row.status for row in rows} <= {101, 200, 307} and None not in {row.status for row in rows}
    # What they asked of each other's address and of a foreign name was turned away, under their own names.
    assert {refusal.lease for refusal in server.refusals.all()} == {mira.id, tom.id}
