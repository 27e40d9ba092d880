"""Settings in Chromium: a filter from a search by keyboard, a rich signature, pages without fault."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import MessageLabel
from harness.app import Server
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.browsing import check_axe, sign_in

PATHS = ("", "/labels", "/addresses", "/addresses/new", "/forwarding")


@pytest.fixture
async def inbox(lawful: Page, listening: Server, town: World, cast: Cast) -> Page:
    """Mira's inbox with three mails. The test fails if a page broke its own policy."""
    for subject in ("Nightly run 1", "Nightly run 2", "Lunch"):
        store.send(town, cast.tom, raw("About it", To=cast.mira.email, Subject=subject))
    await sign_in(lawful, listening, cast.mira)
    await expect(lawful.get_by_label("Select all on this page")).to_be_visible()  # the scripts run
    return lawful


async def test_a_filter_from_a_search_by_keyboard_files_old_mail_and_new(
    inbox: Page, town: World, cast: Cast
) -> None:
    keys = inbox.keyboard
    await keys.press("/")
    await expect(inbox.get_by_label("Search mail")).to_be_focused()
    await keys.type("from:tom nightly")
    await keys.press("Enter")
    await expect(inbox.get_by_role("heading", name="Search")).to_be_visible()
    await inbox.get_by_role("link", name="Create a filter from this search").focus()
    await keys.press("Enter")
    await expect(inbox.get_by_role("heading", name="A new filter: which mail")).to_be_visible()
    await expect(inbox.get_by_label("From", exact=True).last).to_be_focused()
    await expect(inbox.get_by_role("heading", name="2 conversations match")).to_be_visible()
    await check_axe(inbox)
    await inbox.get_by_role("button", name="Continue").press("Enter")
    await expect(inbox.get_by_label("Skip the inbox (archive it)")).to_be_focused()
    await check_axe(inbox)
    await keys.press("Space")
    await inbox.get_by_label("New label’s name").press_sequentially("Ops/Checks")
    await inbox.get_by_label("Also apply filter to 2 matching conversations").press("Space")
    await keys.press("Enter")
    await expect(inbox.get_by_text("It was applied to 2 conversations.")).to_be_visible()
    folders = inbox.get_by_role("navigation", name="Folders")
    await folders.get_by_role("link", name="Ops/Checks").first.press("Enter")
    listed = inbox.get_by_role("list", name="Conversations").get_by_role("listitem")
    await expect(listed).to_have_count(2)
    store.send(town, cast.tom, raw("About it", To=cast.mira.email, Subject="Nightly run 3"))
    await expect(listed).to_have_count(3)
    tail = "WHERE owner = ? AND label = 'INBOX'"
    assert town.count(MessageLabel, tail, (cast.mira.id,)) == 1


async def test_a_rich_signature_is_kept_and_pages_have_no_fault(
    inbox: Page, town: World, cast: Cast, listening: Server
) -> None:
    root = f"http://gmail.main.localhost:{listening.port}/settings"
    store.create_label(town, cast.mira.id, "Bills", background_color="#822111", text_color="#ffffff")
    store.add_send_as(town, cast.mira, cast.lena.email)
    store.add_forwarding_address(town, cast.mira, "mira@elsewhere.example")
    store.set_vacation(
        town, cast.mira.id, enabled=True, subject="Away", text="", html="", contacts_only=False,
        domain_only=False, start_at=None, end_at=None,
    )  # fmt: skip
    await inbox.goto(root)
    await inbox.get_by_role("textbox", name="Signature").click()
    await inbox.keyboard.type("Mira ")
    await inbox.keyboard.press("Control+b")
    await inbox.keyboard.type("Operations")
    await inbox.get_by_role("button", name="Save changes").click()
    await expect(inbox.get_by_text("Your changes are saved.")).to_be_visible()
    assert store.default_send_as(town, cast.mira).signature == "Mira <b>Operations</b>"
    await inbox.set_viewport_size({"width": 390, "height": 800})
    for path in PATHS:
        await inbox.goto(root + path)
        assert not await inbox.evaluate("document.documentElement.scrollWidth > innerWidth"), path
        await check_axe(inbox)
    await inbox.get_by_role("button", name="End now").click()
    await expect(inbox.get_by_text("You are back")).to_be_visible()
    await expect(inbox.get_by_text("You are away")).to_have_count(0)
