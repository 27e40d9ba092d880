"""Through the gateway: every kind of request that a page makes is logged under its browser's lease."""

from __future__ import annotations

import asyncio

from playwright.async_api import Browser

from fakes.core.browsers import Lease
from tests.browser.everything_site import each_is_known, serving, two_leases, visit


async def test_every_kind_of_request_is_logged_under_its_lease(whole_browser: Browser) -> None:
    async with serving() as server:
        mira, tom = await two_leases(server)

        def address(lease: Lease) -> str:
            return f"http://{lease.address}:{server.port}"

        await asyncio.gather(
            visit(whole_browser, server, {"server": address(mira)}, "first", direct=address(tom)),
            visit(whole_browser, server, {"server": address(tom)}, "second", direct=address(mira)),
        )
        each_is_known(server, {"first": mira, "second": tom})
