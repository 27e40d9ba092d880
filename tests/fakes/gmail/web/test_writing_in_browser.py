"""Writing in Chromium: rich text, files, drafts that save themselves, undo, answers by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.reading import read_mail
from fakes.gmail.schema import Draft, Message
from harness.app import Server
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.browsing import check_axe, sign_in


@pytest.fixture
async def mail(lawful: Page, listening: Server, town: World, cast: Cast) -> Page:
    """Mira's mailbox. The test fails if a page broke its own policy."""
    await sign_in(lawful, listening, cast.mira, "/sign-in?next=/compose")
    await expect(lawful.get_by_role("heading", name="New message")).to_be_visible()
    return lawful


def _latest(world: World, owner: str) -> Message:
    return world.all(Message, "WHERE owner = ? ORDER BY seq DESC LIMIT 1", (owner,))[0]


async def test_a_mail_is_written_saved_sent_and_taken_back(
    mail: Page, town: World, cast: Cast, tmp_path: Path
) -> None:
    town.turn_clock("running")
    store.change_settings(town, cast.mira.id, undo_seconds=3600)
    (tmp_path / "plan.txt").write_text("the plan")
    rich = mail.get_by_role("textbox", name="Message body")
    await expect(mail.get_by_role("combobox", name="To")).to_be_focused()
    await mail.keyboard.type("fisch")
    await expect(mail.get_by_role("option", name="Lena Fischer")).to_be_visible()
    await mail.keyboard.press("Enter")
    await mail.locator("#subject").fill("Plan")
    await rich.click()
    await mail.keyboard.press("Control+B")
    await mail.keyboard.type("Bold")
    await mail.keyboard.press("Control+B")
    await mail.keyboard.type(" words")
    await mail.get_by_label("Attach files").set_input_files(tmp_path / "plan.txt")
    await expect(mail.get_by_label("Files to send")).to_contain_text("plan.txt")
    await expect(mail.get_by_role("status").filter(has_text="Draft saved")).to_be_visible()
    await expect(rich).to_be_focused()
    await check_axe(mail)

    await mail.reload()
    await expect(mail.get_by_text("Lena Fischer")).to_be_visible()
    await expect(rich).to_have_text("Bold words")
    await rich.click()
    await mail.keyboard.press("Control+Enter")
    await mail.get_by_role("button", name="Undo").click()
    await expect(rich).to_have_text("Bold words")
    await mail.get_by_role("button", name="Remove plan.txt").click()
    await expect(mail.get_by_label("Files to send")).not_to_contain_text("plan.txt")
    await mail.get_by_role("button", name="Send", exact=True).click()
    await expect(mail.get_by_role("button", name="Undo")).to_be_visible()
    town.advance(town.now() + 3_600_000)
    await expect(mail.get_by_role("button", name="Undo")).to_have_count(0)
    await expect(mail.get_by_role("link", name="View message")).to_be_visible()
    sent = read_mail(store.source_of(town, _latest(town, cast.lena.id)).raw)
    assert sent.html.startswith("<b>Bold</b>") and (sent.text, sent.files) == ("Bold words\n", ())


async def test_an_answer_to_all_is_written_by_keyboard_while_mail_comes_in(
    mail: Page, town: World, cast: Cast
) -> None:
    to = f"{cast.mira.email}, {cast.lena.email}"
    first = store.send(town, cast.tom, raw("At noon?", To=to, Subject="Lunch"))
    thread = _latest(town, cast.mira.id).thread_id
    await mail.goto(mail.url.replace("/compose", f"/t/{thread}"))
    await mail.get_by_role("navigation", name="Answer").get_by_role("link", name="Reply to all").focus()
    await mail.keyboard.press("Enter")
    rich = mail.get_by_role("textbox", name="Message body")
    await expect(rich).to_be_focused()
    await mail.keyboard.type("Yes, at")
    store.send(town, cast.lena, raw("Me too", To=to, Subject="Re: Lunch", In_Reply_To=first.rfc822_id))
    await expect(mail.get_by_text("Me too")).to_be_visible()
    await expect(rich).to_be_focused()
    await mail.keyboard.type(" noon")
    await expect(mail.get_by_role("status").filter(has_text="Draft saved")).to_be_visible()
    await expect(mail.locator(".letter.waiting")).to_have_count(0)
    await mail.keyboard.press("Control+Enter")
    await expect(mail.get_by_text("Message sent.")).to_be_visible()
    toms = _latest(town, cast.tom.id)
    assert toms.recipients == f"{cast.tom.email}, {cast.lena.email}"
    assert read_mail(store.source_of(town, toms).raw).said == "Yes, at noon"
    assert not town.count(Draft)

    letters = mail.locator(".letter")
    await expect(letters).to_have_count(3)
    await expect(letters.nth(2).locator("iframe")).to_be_visible()
    await letters.nth(1).focus()
    await mail.keyboard.press("p")
    await expect(letters.nth(0)).to_be_focused()
    await mail.keyboard.press("o")
    await expect(letters.nth(0).get_by_text("At noon?")).to_be_visible()
    await expect(letters.nth(0).get_by_role("link", name="Reply to this message")).to_be_visible()
    frame = letters.nth(2).frame_locator("iframe")
    await expect(frame.get_by_text("At noon?")).to_be_hidden()
    await frame.get_by_title("Show trimmed content").click()
    await expect(frame.get_by_text("At noon?")).to_be_visible()
    await check_axe(mail)


async def test_a_mail_without_a_subject_is_asked_about_and_scheduled(
    mail: Page, town: World, cast: Cast
) -> None:
    await mail.get_by_role("combobox", name="To").fill(cast.tom.email)
    await mail.get_by_title("Send later").click()
    await mail.get_by_role("button", name="Monday morning").click()
    await expect(mail.get_by_text("Send this message without a subject?")).to_be_visible()
    await mail.get_by_role("button", name="Send anyway").click()
    await expect(mail.get_by_text("Send scheduled for Mon 27 Oct 2025, 08:00.")).to_be_visible()
    await mail.get_by_role("link", name="View message").click()
    await check_axe(mail)
    await mail.get_by_role("button", name="Cancel send").click()
    await expect(mail.get_by_title(cast.tom.email)).to_be_visible()
    await mail.get_by_role("button", name="Discard this draft").click()
    await mail.get_by_role("button", name="Undo").click()
    await expect(mail.get_by_title(cast.tom.email)).to_be_visible()
    assert town.count(Draft) == 1
