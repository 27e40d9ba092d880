"""Planned failures in a real browser: the desk says on a page what happened; the next try goes through."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Error, Page, expect

from fakes.core import auth
from fakes.core.faults import plan
from fakes.core.world import World
from harness.app import Server
from sites.claims_desk.schema import Notice
from sites.claims_desk.store import notices
from tests.sites.claims_desk.conftest import SERVICES, base_on


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(services=SERVICES, secret=b"a secret for tests") as server:
        server.worlds.create("main", base_on().image)
        yield server


@pytest.fixture
def world(server: Server) -> World:
    return server.worlds.get("main")


@pytest.fixture
async def desk(browser: Browser, server: Server, world: World) -> AsyncIterator[Page]:
    """Mira's browser, logged in at the desk."""
    url = f"http://claims-desk.main.localhost:{server.port}"
    async with await browser.new_context(base_url=url) as context:
        _, value = auth.start_session(world, "claims_desk", base_on().facts.mira)
        cookie = auth.cookie_name(world, "claims_desk")
        await context.add_cookies([{"name": cookie, "value": value, "url": url}])
        yield await context.new_page()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("429", "That was too much at once. Wait a little, then try again."),
        ("503", "Something went wrong here. Nothing more is known; try again."),
    ],
)
async def test_a_failure_is_a_page_of_the_desk(desk: Page, world: World, answer: str, sentence: str) -> None:
    plan(world, service="claims_desk", route="/claims", answer=answer)
    response = await desk.goto("/claims")
    assert response is not None and response.status == int(answer)
    await expect(desk.get_by_role("heading", name="That did not work")).to_be_visible()
    await expect(desk.get_by_text(sentence)).to_be_visible()
    await expect(desk.get_by_role("link", name="Go to Today")).to_be_visible()
    axe = await Axe().run(desk, options={"resultTypes": ["violations"]})
    assert [v["id"] for v in axe.response["violations"] if v["impact"] in ("serious", "critical")] == []
    await desk.reload()
    await expect(desk.get_by_role("heading", name="Claims", exact=True, level=1)).to_be_visible()


async def test_who_is_not_logged_in_gets_a_page_too(browser: Browser, server: Server, world: World) -> None:
    plan(world, service="claims_desk", route="GET /login", answer="502")
    async with await browser.new_context() as context:
        page = await context.new_page()
        await page.goto(f"http://claims-desk.main.localhost:{server.port}/login")
        await expect(page.get_by_role("heading", name="That did not work")).to_be_visible()


async def test_a_form_that_was_taken_says_that_it_may_have_been(desk: Page, world: World) -> None:
    notice = notices.notices(world, base_on().facts.desk.operators[0])[-1].notice
    plan(world, service="claims_desk", route="POST /notices/*", answer="500", kept=True)
    await desk.goto(f"/notices/{notice.id}")
    await desk.get_by_label("Reason").fill("The claimant moved.")
    await desk.get_by_label("Reason").press("Tab")
    await desk.keyboard.press("Enter")
    await expect(desk.get_by_text("It may have been done all the same")).to_be_visible()
    stored = world.get(Notice, notice.id)
    assert stored is not None and stored.needs_human_reason == "The claimant moved."


async def test_a_hung_up_page_is_the_browsers_own_error(desk: Page, world: World) -> None:
    plan(world, service="claims_desk", route="/claims", answer="hang-up", times=3)
    with pytest.raises(Error, match="ERR_EMPTY_RESPONSE"):
        await desk.goto("/claims")
