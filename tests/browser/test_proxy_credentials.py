"""Browsers that say user and password to the proxy: every kind of request a page makes is its lease's own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Error, ProxySettings

from harness.app import Server
from tests.browser.everything_site import MIRA, asked, each_is_known, serving, two_leases, visit


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A server as in a container: leases have no addresses of their own."""
    async with serving(proxy_auth=True) as server:
        yield server


async def test_every_kind_of_request_is_logged_under_its_lease(
    whole_browser: Browser, server: Server
) -> None:
    leases = dict(zip(("first", "second"), await two_leases(server), strict=True))
    proxies: dict[str, ProxySettings] = {
        mark: {"server": server.url, "username": lease.id, "password": server.leases.password(lease)}
        for mark, lease in leases.items()
    }
    await asyncio.gather(
        *(visit(whole_browser, server, proxy, mark, direct=server.url) for mark, proxy in proxies.items())
    )
    each_is_known(server, leases)


@pytest.mark.parametrize("password", ["wrong", ""])
async def test_a_browser_with_a_wrong_password_gets_nothing(
    whole_browser: Browser, server: Server, password: str
) -> None:
    lease = await server.lease("main", kind="agent", medium="browser", holder=MIRA)
    proxy = {"server": server.url, "username": lease.id, "password": password}
    async with await whole_browser.new_context(proxy=proxy) as context:  # type: ignore[arg-type]
        page = await context.new_page()
        with contextlib.suppress(Error):
            await page.goto(f"http://everything.main.localhost:{server.port}/mark/everything/page.html")
    assert server.worlds.get("main").log.rows() == []


async def test_a_browser_without_a_proxy_is_nobodys(whole_browser: Browser, server: Server) -> None:
    async with await whole_browser.new_context() as context:
        page = await context.new_page()
        await page.goto(f"http://everything.main.localhost:{server.port}/mark/everything/style.css")
    (lease,) = asked(server, "mark")["style.css"]
    assert lease is None
