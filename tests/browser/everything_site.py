"""The everything page as a site of a world, and two browsers that ask for all of it at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, ProxySettings
from starlette.routing import Mount

from fakes.core.browsers import Lease
from fakes.core.seeding import Seed, build_base
from fakes.core.service import Service
from fakes.core.world import Genesis
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, Server, morning_of
from tests.browser.everything_page import EXPECTED, drive, routes

MIRA, TOM = "mira@harborlight.example", "tom@harborlight.example"
SITE = Service(
    name="everything",
    title="Everything",
    summary="A page of all requests.",
    kind="site",
    tables=(),
    routes=lambda: [Mount("/{mark}/everything", routes=routes())],
)


def _two_people(w: Seed) -> None:
    w.person(MIRA, "Mira Okafor")
    w.person(TOM, "Tom Reyes")


@asynccontextmanager
async def serving(*, proxy_auth: bool = False) -> AsyncIterator[Server]:
    """A server with the site in world `main`."""
    services = {"everything": SITE}
    genesis = Genesis(1, FIXED_SECRET, morning_of(BASE_DATE), ZONE)
    async with Server(services=services, secret=FIXED_SECRET, proxy_auth=proxy_auth) as server:
        server.worlds.create("main", build_base(services, genesis, _two_people).image)
        yield server


async def two_leases(server: Server) -> tuple[Lease, Lease]:
    """Mira's and Tom's browsers."""
    mira, tom = [
        await server.lease("main", kind="agent", medium="browser", holder=who) for who in (MIRA, TOM)
    ]
    return mira, tom


async def visit(browser: Browser, server: Server, proxy: ProxySettings, mark: str, direct: str) -> None:
    """One browser makes every request once, some of them to the address `direct` and to a foreign name."""
    async with await browser.new_context(proxy=proxy) as context:
        base = f"http://everything.main.localhost:{server.port}/{mark}/everything/"
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


def each_is_known(server: Server, leases: dict[str, Lease]) -> None:
    """Asserts that all that was asked under each mark came from its lease, and was refused under its name."""
    for mark, lease in leases.items():
        logged = asked(server, mark)
        assert set(EXPECTED) - set(logged) == set()
        assert {name: found for name, found in logged.items() if found != {lease.id}} == {}
    rows = server.worlds.get("main").log.rows("WHERE path LIKE '%/everything/%'")
    assert {row.kind for row in rows} == {"agent"} and {row.surface for row in rows} == {"browser"}
    assert {row.status for row in rows} <= {101, 200, 307} and None not in {row.status for row in rows}
    # What they asked of another address and of a foreign name was turned away, under their own names.
    assert {refusal.lease for refusal in server.refusals.all()} == {lease.id for lease in leases.values()}
