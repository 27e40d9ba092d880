"""The mailbox in Chromium: a person reads, hears of new mail at once, follows a link, answers by keyboard."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, Route, expect

from fakes.core.capabilities import OutgoingMail
from fakes.core.links import stored_link
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from harness.app import Server
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.browsing import sign_in


@pytest.fixture
async def inbox(page: Page, listening: Server, town: World, cast: Cast) -> Page:
    """Mira's inbox; nothing outside this machine is asked for."""

    async def only_here(route: Route) -> None:
        host = urlsplit(route.request.url).hostname or ""
        assert host.endswith(".localhost"), route.request.url
        await route.continue_()

    await page.route("**", only_here)
    await sign_in(page, listening, cast.mira)
    await expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    return page


async def test_new_mail_appears_at_once(inbox: Page, town: World, cast: Cast) -> None:
    await inbox.evaluate("window.sameDocument = true")
    await expect(inbox.get_by_text("Nothing has come in.")).to_be_visible()
    store.send(town, cast.tom, raw("At noon?", To=cast.mira.email, Subject="Lunch"))
    await expect(inbox.get_by_role("link", name="Unread, Tom Reyes Lunch")).to_be_visible()
    await expect(inbox).to_have_title("(1) Inbox – Postbox")
    assert await inbox.evaluate("window.sameDocument")


async def test_a_link_in_a_mail_leads_into_the_world(
    inbox: Page, town: World, cast: Cast, listening: Server
) -> None:
    body = f'<p>Please <a href="{stored_link("gmail", "/compose")}">answer here</a></p><img src="http://x.example/i">'
    store.deliver(
        town,
        OutgoingMail(sender="a@desk.example", to=(cast.mira.email,), subject="Question", text="x", html=body),
    )
    await inbox.get_by_role("link", name="Question").click()
    link = inbox.frame_locator("iframe").get_by_role("link", name="answer here")
    async with inbox.expect_popup() as opened:
        await link.click()
    popup = await opened.value
    await expect(popup).to_have_url(f"http://gmail.main.localhost:{listening.port}/compose")
    assert await popup.evaluate("window.opener === null")


async def test_axe_finds_nothing(inbox: Page, town: World, cast: Cast) -> None:
    mail = OutgoingMail(
        sender="a@desk.example", to=(cast.mira.email,), subject="Question", text="x", html="<p>x</p>"
    )
    store.deliver(town, mail)
    thread = town.all(Message, "WHERE owner = ?", (cast.mira.id,))[0].thread_id
    for path in ("/", "/sent", "/compose", "/search?q=has:x", f"/t/{thread}", "/nope", "/sign-in"):
        await inbox.goto(
            path
            if path.startswith("http")
            else inbox.url.split("/", 3)[0] + f"//{urlsplit(inbox.url).netloc}{path}"
        )
        found = await Axe().run(inbox)
        assert not found.response["violations"], (path, found.generate_report())
