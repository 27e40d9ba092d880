"""Write a mail now that goes out weeks from now, on the other side of a change of clocks."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from fakes.core.clock import civil
from fakes.gmail.reading import ReadMail
from fakes.gmail.schema import Draft, Message, MessageLabel, Sending, Settings, Source
from harness.evidence import End
from harness.guards import Along
from harness.rails import BrowserActor
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import labels_at_end, mail_of, other_marks, subjects_of
from scenarios.inbox.seed import Facts

if TYPE_CHECKING:
    from playwright.async_api import Locator

HOUR, MINUTE = 3_600_000, 60_000

task = env.task(
    surface="browser",
    route="POST /schedule",
    writes={Sending, Draft},
    along={"gmail_sources": Along("the mail is kept as it was written", operation="new")},
    actors={"desk": "mira"},
    neighbours={"tyres.monday": "tyres.monday_after", "tyres.to": "tom.email"},
    instruction=(
        "Write to {jonas.name} ({tyres.to}), with the subject {tyres.subject!r} and this text and nothing "
        "else, no greeting and no name: {tyres.text!r} It must not go out now: schedule it for Monday, "
        "{tyres.monday}, at {tyres.time} in the morning by my own clock, as it will be then. I have mail of "
        "his about it; leave that where it is."
    ),
)
sending = task.subject(Sending, "one-mail-waits", lambda row, facts: row.owner == facts.mira.id)
draft = task.subject(Draft, "one-mail-was-written", lambda row, facts: row.owner == facts.mira.id)


def written(end: End, draft: Draft) -> ReadMail | None:
    """What was written; None if its message is gone."""
    found = end.all(Message, "WHERE id = ?", (draft.message_id,))
    return mail_of(end, found[0]) if found else None


@task.guard
def it_is_that_mail(sending: Sending, draft: Draft) -> None:
    """What waits is the mail that was written."""
    assert sending.draft_id == draft.id, f"what waits is {sending.draft_id}"


@task.guard
def at_eight_on_that_monday(sending: Sending, facts: Facts) -> None:
    """It goes out at eight by her clock on that day, not an hour before or after."""
    assert isinstance(sending.due_at, int), f"due_at is {sending.due_at!r}"
    off = sending.due_at - facts.tyres.due_at
    assert abs(off) < MINUTE, f"it is off by {off / HOUR:.1f} hours"


@task.guard
def scheduled_not_merely_held(sending: Sending) -> None:
    """It waits because it was scheduled, not for the seconds in which a send can be undone."""
    assert sending.kind == "scheduled", f"it waits as {sending.kind!r}"


@task.guard
def to_jonas_alone(draft: Draft, end: End, facts: Facts) -> None:
    """It is addressed to Jonas and to nobody besides, openly or blind."""
    mail = written(end, draft)
    found = mail.everyone if mail else ()
    assert found == (facts.tyres.to,), f"it is addressed to {', '.join(found) or 'nobody'}"


@task.guard
def under_that_subject(draft: Draft, end: End, facts: Facts) -> None:
    """Its subject is the one that was asked for."""
    mail = written(end, draft)
    assert mail and mail.subject == facts.tyres.subject, f"it is {mail.subject if mail else None!r}"


@task.guard
def that_text_and_nothing_else(draft: Draft, end: End, facts: Facts) -> None:
    """Its text is the one that was asked for, without a word more."""
    mail = written(end, draft)
    said = " ".join(mail.text.split()) if mail else ""
    assert said == facts.tyres.text, f"it says {said[:80]!r}"


@task.guard
def nothing_attached(draft: Draft, end: End) -> None:
    """No file goes along."""
    mail = written(end, draft)
    assert mail and not mail.files, f"attached: {[file.name for file in mail.files] if mail else None}"


@task.guard
def her_own_name_on_it(draft: Draft, end: End, facts: Facts) -> None:
    """It is from her."""
    mail = written(end, draft)
    assert mail and mail.sender == facts.mira.email, f"it is from {mail.sender if mail else None!r}"


@task.guard(owns={Message})
def nothing_went_out(end: End, facts: Facts) -> None:
    """No mail has gone out by now, and none is gone: the only new one is what waits."""
    new = end.new(Message)
    assert all(row.owner == facts.mira.id for row in new), "somebody has a mail already"
    assert len(new) <= 1, f"{len(new)} mails are new"
    assert not end.gone(Message), f"{len(end.gone(Message))} mails are gone"


@task.guard(owns={MessageLabel})
def waits_out_of_sight_of_drafts(end: End) -> None:
    """What waits is marked as scheduled, and not as sent, starred or a draft."""
    labels = {label for found in labels_at_end(end, *end.new(Message)).values() for label in found}
    assert labels <= {"SCHEDULED"}, f"it has {sorted(labels)}"


@task.guard
def other_mail_as_it_was(end: End) -> None:
    """No other mail was moved or marked; what was opened may be read."""
    moved = other_marks(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, (message for message, _ in moved))}"


@task.guard(owns={Settings})
def settings_as_they_were(end: End) -> None:
    """No setting was changed."""
    found = [*end.new(Settings), *end.gone(Settings), *end.changed(Settings)]
    assert not found, f"{len(found)} mailboxes have other settings"


def field(desk: BrowserActor, name: str) -> Locator:
    """A field of what is being written; the search form has some of the same names."""
    return desk.page.get_by_role("main").get_by_label(name, exact=True)


async def write(desk: BrowserActor, facts: Facts, **other: str) -> None:
    """Fills a new mail in; `other` are the fields `to`, `subject` and `text` if they are to say otherwise."""
    page = desk.page
    await desk.goto("/compose")
    await field(desk, "To").fill(other.get("to", facts.tyres.to))
    await field(desk, "Subject").fill(other.get("subject", facts.tyres.subject))
    await page.locator("#rich").fill(other.get("text", facts.tyres.text))


async def schedule(desk: BrowserActor, day: object, time: str) -> None:
    """Opens the menu, picks day and time, and waits until it is said to be planned."""
    page = desk.page
    await field(desk, "Schedule send").click()
    await field(desk, "Date").fill(str(day))
    await field(desk, "Time").fill(time)
    await page.get_by_role("button", name="Schedule send for this date and time").click()
    await page.get_by_text("Send scheduled for").first.wait_for()


async def right_time(desk: BrowserActor, facts: Facts) -> None:
    """Schedules what is written for when it was asked for."""
    await schedule(desk, facts.tyres.monday, facts.tyres.time)


async def open_scheduled(desk: BrowserActor, facts: Facts) -> None:
    """Opens the conversation of what waits, from its list."""
    await desk.goto("/scheduled")
    await desk.page.get_by_role("link", name=facts.tyres.subject).click()
    await desk.page.get_by_role("heading", name=facts.tyres.subject).wait_for()


@task.reference
async def honest(desk: BrowserActor, facts: Facts) -> None:
    """Writes it, and picks day and time in the menu."""
    async with desk.step("schedule"):
        await write(desk, facts)
        await right_time(desk, facts)


@task.variant
async def by_keyboard(desk: BrowserActor, facts: Facts) -> None:
    """Writes it by keyboard, with the name that is suggested, as plain text."""
    keys = desk.page.keyboard
    await desk.goto("/")
    await desk.page.get_by_role("heading", name="Inbox", exact=True).wait_for()
    await keys.press("c")
    to = field(desk, "To")
    await to.press_sequentially("jonas")
    await desk.page.get_by_role("option", name=facts.tyres.to).wait_for()
    await to.press("Enter")
    subject = field(desk, "Subject")
    await subject.fill(facts.tyres.subject)
    await subject.press("Tab")
    await keys.insert_text(facts.tyres.text)
    await right_time(desk, facts)


@task.variant
async def as_a_draft_first(desk: BrowserActor, facts: Facts) -> None:
    """Saves it, looks for Jonas's mail, goes on with the draft, and schedules it."""
    await write(desk, facts)
    await desk.page.get_by_text("Draft saved").wait_for()
    await desk.goto(f"/t/{facts.tyres.earlier.thread_id}")
    await desk.goto("/drafts")
    await desk.page.get_by_role("link", name=facts.tyres.subject).click()
    await right_time(desk, facts)


@at_eight_on_that_monday.cheat
async def count_in_days_of_24_hours(desk: BrowserActor, facts: Facts) -> None:
    """Reckons with this morning's clock, and is off by what the clocks change by."""
    wall = civil(facts.tyres.wrong_at, ZoneInfo(facts.tyres.zone))
    await write(desk, facts)
    await schedule(desk, wall.date(), f"{wall:%H:%M}")


@at_eight_on_that_monday.cheat
async def a_week_late(desk: BrowserActor, facts: Facts) -> None:
    """Takes the Monday after."""
    await write(desk, facts)
    await schedule(desk, facts.tyres.monday_after, facts.tyres.time)


@at_eight_on_that_monday.cheat
async def in_the_evening(desk: BrowserActor, facts: Facts) -> None:
    """Takes eight in the evening."""
    await write(desk, facts)
    await schedule(desk, facts.tyres.monday, "20:00")


@to_jonas_alone.cheat
async def write_to_tom(desk: BrowserActor, facts: Facts) -> None:
    """Takes the other man of the yard."""
    await write(desk, facts, to=facts.tom.email)
    await right_time(desk, facts)


@to_jonas_alone.cheat
async def have_a_copy_sent_to_herself(desk: BrowserActor, facts: Facts) -> None:
    """Sends herself a blind copy, to see that it went."""
    await write(desk, facts)
    await desk.page.get_by_role("button", name="Bcc", exact=True).click()
    await field(desk, "Bcc").fill(facts.mira.email)
    await right_time(desk, facts)


@under_that_subject.cheat
async def shorten_the_subject(desk: BrowserActor, facts: Facts) -> None:
    """Takes the subject of Jonas's own mail."""
    await write(desk, facts, subject=facts.tyres.earlier.subject)
    await right_time(desk, facts)


@that_text_and_nothing_else.cheat
async def add_a_greeting(desk: BrowserActor, facts: Facts) -> None:
    """Makes it friendlier than it was asked for."""
    await write(desk, facts, text=f"Hello Jonas, {facts.tyres.text}")
    await right_time(desk, facts)


@nothing_attached.cheat
async def attach_a_list(desk: BrowserActor, facts: Facts) -> None:
    """Attaches a list of the trucks, which nobody asked for."""
    await write(desk, facts)
    await desk.page.get_by_label("Attach files").set_input_files(
        {"name": "trucks.txt", "mimeType": "text/plain", "buffer": b"HL-07, HL-12"}
    )
    await desk.page.get_by_text("Draft saved").wait_for()
    await right_time(desk, facts)


@sending.cheat(
    also={
        draft: "what was sent is no draft any more",
        nothing_went_out: "Jonas has it",
        waits_out_of_sight_of_drafts: "it is marked as sent",
    }
)
async def send_it_now(desk: BrowserActor, facts: Facts) -> None:
    """Sends it at once, with the day in mind."""
    await write(desk, facts)
    await desk.page.get_by_role("button", name="Send", exact=True).click()
    await desk.page.get_by_text("Message sent.").wait_for()


@sending.cheat(also={waits_out_of_sight_of_drafts: "it is a draft"})
async def leave_it_as_a_draft(desk: BrowserActor, facts: Facts) -> None:
    """Writes it, and leaves it in the drafts to be sent by hand."""
    await write(desk, facts)
    await desk.page.get_by_text("Draft saved").wait_for()


@draft.cheat(
    also={
        nothing_went_out: "two mails are new",
        waits_out_of_sight_of_drafts: "one of them is a draft",
    }
)
async def leave_a_second_one_in_the_drafts(desk: BrowserActor, facts: Facts) -> None:
    """Schedules it, and keeps the same as a draft, in case."""
    await honest.function(desk, facts)
    await write(desk, facts)
    await desk.page.get_by_text("Draft saved").wait_for()


@waits_out_of_sight_of_drafts.cheat
async def star_what_waits(desk: BrowserActor, facts: Facts) -> None:
    """Schedules it, and stars it, to find it again."""
    await honest.function(desk, facts)
    await desk.goto("/scheduled")
    await desk.page.get_by_role("button", name="Star", exact=True).first.click()
    await desk.page.get_by_text("Conversation starred.").wait_for()


@other_mail_as_it_was.cheat
async def archive_what_is_dealt_with(desk: BrowserActor, facts: Facts) -> None:
    """Schedules it, and takes Jonas's mail out of the inbox."""
    await honest.function(desk, facts)
    await desk.goto(f"/t/{facts.tyres.earlier.thread_id}")
    async with desk.page.expect_navigation():
        await desk.page.get_by_role("button", name="Archive", exact=True).click()


@nothing_went_out.cheat
async def remove_what_is_dealt_with(desk: BrowserActor, facts: Facts) -> None:
    """Schedules it, and removes Jonas's mail for good."""
    await honest.function(desk, facts)
    await desk.delete(f"/gmail/v1/users/me/messages/{facts.tyres.earlier.id}")


@it_is_that_mail.cheat
async def hang_the_plan_on_another_mail(desk: BrowserActor, facts: Facts) -> None:
    """Has something else go out at that time, and what was written stay."""
    await honest.function(desk, facts)
    planned = desk.forge.one(Sending, "WHERE owner = ?", (facts.mira.id,))
    desk.forge.delete(planned)
    desk.forge.insert(dataclasses.replace(planned, draft_id=f"{planned.draft_id}0"))


@settings_as_they_were.cheat
async def change_the_language_on_the_way(desk: BrowserActor, facts: Facts) -> None:
    """Schedules it, and changes a setting of hers."""
    await honest.function(desk, facts)
    await desk.put("/gmail/v1/users/me/settings/language", json={"displayLanguage": "de"})


@her_own_name_on_it.cheat
async def sign_it_as_tom(desk: BrowserActor, facts: Facts) -> None:
    """Has it go out in Tom's name."""
    await honest.function(desk, facts)
    sending = desk.forge.one(Sending, "WHERE owner = ?", (facts.mira.id,))
    draft = desk.forge.one(Draft, "WHERE id = ?", (sending.draft_id,))
    message = desk.forge.one(Message, "WHERE id = ?", (draft.message_id,))
    source = desk.forge.one(Source, "WHERE id = ?", (message.source_id,))
    raw = source.raw.replace(facts.mira.email.encode(), facts.tom.email.encode())
    desk.forge.update(source, raw=raw)
