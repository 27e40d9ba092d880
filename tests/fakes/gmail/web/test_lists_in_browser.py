"""Lists in Chromium: filing many by mouse, a morning by keyboard, mail that comes in meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Locator, Page, expect

from fakes.core.seeding import Base
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import MessageLabel
from harness.app import FIXED_SECRET, Server
from tests.fakes.gmail.town import SERVICES, Cast, raw
from tests.fakes.gmail.web.browsing import check_axe, sign_in


@pytest.fixture
async def listening(base: Base) -> AsyncIterator[Server]:
    """A server with world `main` on a port: four mails lie in Mira's inbox."""
    async with Server(services=SERVICES, secret=FIXED_SECRET) as server:
        server.worlds.create("main", base.image)
        for subject in ("Lunch", "Invoice 7", "Invoice 8", "Plan"):
            _mail(server.worlds.get("main"), base.facts, subject)
        yield server


@pytest.fixture
async def inbox(lawful: Page, listening: Server, town: World, cast: Cast) -> Page:
    """Mira's inbox. The test fails if a page broke its own policy."""
    await sign_in(lawful, listening, cast.mira)
    await expect(lawful.get_by_role("heading", name="Inbox")).to_be_visible()
    await expect(lawful.get_by_label("Select all on this page")).to_be_visible()  # the scripts run
    await lawful.evaluate("window.sameDocument = true")
    return lawful


def _mail(world: World, cast: Cast, subject: str) -> None:
    store.send(world, cast.tom, raw(f"About {subject}", To=cast.mira.email, Subject=subject))


def _row(page: Page, subject: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("link", name=subject))


def _labelled(world: World, owner: str, label: str) -> int:
    return world.count(MessageLabel, "WHERE owner = ? AND label = ?", (owner, label))


async def test_many_are_labelled_and_archived_by_mouse_and_it_is_undone(
    inbox: Page, town: World, cast: Cast
) -> None:
    await inbox.get_by_role("link", name="Create a label").click()
    await inbox.get_by_label("Name", exact=True).fill("Bills")
    await inbox.get_by_label("Dark green").check(force=True)
    await check_axe(inbox)
    await inbox.get_by_role("button", name="Create", exact=True).click()
    await expect(
        inbox.get_by_role("navigation", name="Folders").get_by_role("link", name="Bills")
    ).to_have_count(2)
    await inbox.evaluate("window.sameDocument = true")
    for subject in ("Invoice 7", "Invoice 8"):
        await inbox.get_by_label(f"Select {subject}").check()
    await expect(inbox.get_by_text("2 selected")).to_be_visible()
    await inbox.locator("#label-menu > summary").click()
    await inbox.locator("#label-menu").get_by_label("Bills").check()
    await check_axe(inbox)
    await inbox.get_by_role("button", name="Apply").click()
    await expect(inbox.get_by_text("2 conversations labelled as Bills.")).to_be_visible()
    await expect(_row(inbox, "Invoice 7").locator(".chip")).to_have_text("Bills")
    await inbox.get_by_label("Select all on this page").check()
    await inbox.get_by_label("Select Lunch").uncheck()
    await inbox.get_by_role("button", name="Archive", exact=True).first.click()
    await expect(inbox.get_by_text("3 conversations archived.")).to_be_visible()
    await expect(inbox.get_by_role("list", name="Conversations").get_by_role("listitem")).to_have_count(1)
    await inbox.get_by_role("button", name="Undo").click()
    await expect(inbox.get_by_text("Taken back.")).to_be_visible()
    await expect(inbox.get_by_role("list", name="Conversations").get_by_role("listitem")).to_have_count(4)
    assert _labelled(town, cast.mira.id, "INBOX") == 4 and _labelled(town, cast.mira.id, "Label_1") == 2
    await _row(inbox, "Lunch").hover()
    await _row(inbox, "Lunch").get_by_role("button", name="Snooze").click()
    await inbox.get_by_role("button", name="Tomorrow").click()
    await expect(inbox.get_by_text("Conversation snoozed until Wed 22 Oct 2025, 08:00.")).to_be_visible()
    assert await inbox.evaluate("window.sameDocument")


async def test_a_morning_by_keyboard_alone(inbox: Page, town: World, cast: Cast) -> None:
    keys = inbox.keyboard
    await keys.press("?")
    await expect(inbox.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    await check_axe(inbox)
    await keys.press("Escape")
    await keys.press("j")  # Plan
    await keys.press("s")
    await expect(_row(inbox, "Plan").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "true"
    )
    await expect(_row(inbox, "Plan").get_by_role("link")).to_be_focused()
    await keys.press("j")
    await keys.press("x")
    await keys.press("j")
    await keys.press("x")
    await expect(inbox.get_by_text("2 selected")).to_be_visible()
    await keys.press("#")
    await expect(inbox.get_by_text("2 conversations moved to the trash.")).to_be_visible()
    await keys.press("z")
    await expect(inbox.get_by_text("Taken back.")).to_be_visible()
    await keys.press("*")
    await keys.press("u")
    await expect(inbox.get_by_text("4 selected")).to_be_visible()
    await keys.press("I")
    await expect(inbox.get_by_text("4 conversations marked as read.")).to_be_visible()
    await keys.press("j")
    await keys.press("b")
    await expect(inbox.get_by_role("button", name="Later today")).to_be_focused()
    await keys.press("Enter")
    await expect(inbox.get_by_text("Conversation snoozed until Tue 21 Oct 2025, 18:00.")).to_be_visible()
    await keys.press("g")
    await keys.press("s")
    await expect(inbox.get_by_role("heading", name="Starred")).to_be_visible()
    await expect(inbox.get_by_label("Select all on this page")).to_be_visible()  # the scripts run
    await keys.press("/")
    await expect(inbox.get_by_label("Search mail")).to_be_focused()
    await keys.type("invoice is:read")  # letters that would do something, were this no field
    await keys.press("Enter")
    await expect(inbox.get_by_role("list", name="Conversations").get_by_role("listitem")).to_have_count(2)
    await expect(inbox.get_by_label("Select all on this page")).to_be_visible()
    await keys.press("j")
    await keys.press("o")
    await expect(inbox.get_by_role("heading", name="Invoice 8")).to_be_visible()


async def test_what_comes_in_is_shown_and_ticks_and_places_stay(
    inbox: Page, town: World, cast: Cast, listening: Server
) -> None:
    await inbox.get_by_label("Select Invoice 8").check()
    _mail(town, cast, "Breakfast")
    await expect(_row(inbox, "Breakfast")).to_be_visible()
    await expect(inbox).to_have_title("(5) Inbox – Postbox")
    await expect(inbox.get_by_label("Select Invoice 8")).to_be_checked()
    await expect(inbox.get_by_label("Select Invoice 8")).to_be_focused()
    await expect(inbox.get_by_text("1 selected")).to_be_visible()
    await inbox.locator("#label-menu > summary").click()
    _mail(town, cast, "Supper")
    await expect(_row(inbox, "Supper")).to_be_visible()
    await expect(inbox.locator("#label-menu")).to_have_attribute("open", "")
    thread = town.select(
        "SELECT thread_id FROM gmail_messages WHERE owner = ? AND subject = 'Plan'", (cast.mira.id,)
    )
    store.snooze(town, cast.mira.id, thread[0][0], town.now() + 60_000)
    await expect(_row(inbox, "Plan")).to_have_count(0)
    town.advance(town.now() + 120_000)
    await expect(
        inbox.get_by_role("list", name="Conversations").get_by_role("listitem").first
    ).to_contain_text("Plan")
    assert await inbox.evaluate("window.sameDocument")


async def test_axe_finds_nothing_in_any_list(inbox: Page, town: World, cast: Cast, listening: Server) -> None:
    label = store.create_label(town, cast.mira.id, "Bills", background_color="#822111", text_color="#ffffff")
    message = town.select("SELECT message_id FROM gmail_message_labels WHERE owner = ?", (cast.mira.id,))[0][
        0
    ]
    store.relabel(town, cast.mira.id, [message], add=[label.id, "STARRED", "IMPORTANT"])
    root = f"http://gmail.main.localhost:{listening.port}"
    for path in ("/search?q=lunch", f"/labels/{label.id}?back=/"):
        await inbox.goto(root + path)
        await check_axe(inbox)
    await inbox.set_viewport_size({"width": 390, "height": 800})
    await inbox.goto(f"{root}/?did=archive&n=1&undo=1-2")
    await inbox.get_by_role("button", name="Folders").click()
    await expect(inbox.get_by_role("link", name="Spam")).to_be_visible()
    await check_axe(inbox)
