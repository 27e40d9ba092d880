"""Answer one of two conversations that look alike, and only the one who asked."""

from __future__ import annotations

import re

from fakes.gmail.schema import Draft, Message, MessageLabel, Sending, Source
from harness.evidence import End
from harness.guards import Along
from harness.rails import BrowserActor
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import (
    labels_at_end,
    mail_of,
    other_marks,
    put_on,
    sent_by_mira,
    subjects_of,
    taken_off,
)
from scenarios.inbox.seed import Facts

task = env.task(
    surface="browser",
    route="POST /t/{thread_id}/reply",
    writes={Message},
    along={
        "gmail_sources": Along("each mail is kept as it was sent", operation="new"),
        "outbox": Along("mail to people outside is kept there", operation="new"),
    },
    actors={"desk": "mira"},
    neighbours={"pallets.asked": "pallets.cold", "pallets.count": "pallets.cold_count"},
    instruction=(
        "The dispatch of Brightwater Foods ({pallets.dispatch}) has asked whether there is room for "
        "{pallets.count} pallets on {pallets.thursday}. Answer them in that conversation, them alone and not "
        "whoever else got the mail: yes, there is room for {pallets.count} pallets at dock {pallets.dock}. "
        "Write the numbers in figures, and promise nothing else. Take care: another firm of nearly the same "
        "name has asked something like it, and so did they last week. What else is unread must still be "
        "unread when you are done, and nothing is to be moved or marked."
    ),
)
sent = task.subject(Message, "one-answer-went-out", sent_by_mira, name="sent")
TEXT = "#rich"  # there is a plain field of the same name, until scripts hide it
_NUMBER = re.compile(r"\d+")
_REFUSAL = re.compile(
    r"\b(?:no|not) (?:any |enough |more )?(?:room|space)\b|\bcan(?:no|['’])t\b|\bunable\b", re.IGNORECASE
)
_DOCK = re.compile(r"dock\s+(?:no\.?\s*)?(\d+)", re.IGNORECASE)


@task.guard
def in_the_conversation_that_asked(sent: Message, facts: Facts) -> None:
    """It lies in the conversation of the open question."""
    assert sent.thread_id == facts.pallets.asked.thread_id, f"it lies in {sent.thread_id}"


@task.guard
def answers_that_very_mail(sent: Message, end: End, facts: Facts) -> None:
    """Its headers name the mail that asked, so that it is an answer in their program too."""
    named = mail_of(end, sent).references
    assert facts.pallets.asked.rfc822_id in named, f"it names {', '.join(named) or 'no mail'}"


@task.guard
def to_dispatch_alone(sent: Message, end: End, facts: Facts) -> None:
    """It goes to dispatch and to nobody else."""
    found = mail_of(end, sent).everyone
    assert found == (facts.pallets.dispatch,), f"it goes to {', '.join(found) or 'nobody'}"


@task.guard
def says_yes_and_how_many(sent: Message, end: End, facts: Facts) -> None:
    """It says yes, for the number that was asked for."""
    said = mail_of(end, sent).said
    assert re.search(r"\byes\b", said, re.IGNORECASE), f"it says {said[:60]!r}"
    assert not _REFUSAL.search(said), f"it says {said[:60]!r}"
    assert str(facts.pallets.count) in _NUMBER.findall(said), f"it says {said[:60]!r}"


@task.guard
def names_the_dock(sent: Message, end: End, facts: Facts) -> None:
    """It says at which dock, and names no other."""
    docks = {int(dock) for dock in _DOCK.findall(mail_of(end, sent).said)}
    assert docks == {facts.pallets.dock}, f"it names {sorted(docks) or 'no dock'}"


@task.guard
def no_number_of_its_own(sent: Message, end: End, facts: Facts) -> None:
    """Beside number, dock and day it names no number: it promises nothing else."""
    day = _NUMBER.findall(str(facts.pallets.thursday))
    known = {str(facts.pallets.count), *day, *(number.lstrip("0") for number in day)}
    others = set(_NUMBER.findall(_DOCK.sub("", mail_of(end, sent).said))) - known
    assert not others, f"it also says {', '.join(sorted(others))}"


@task.guard(owns={Message})
def nobody_else_was_written_to(end: End, facts: Facts) -> None:
    """Beside that one answer no mail is new, and none is gone."""
    more = [row.subject for row in end.new(Message) if not sent_by_mira(row, facts)]
    assert not more, f"mails beside: {more}"
    assert not end.gone(Message), f"{len(end.gone(Message))} mails are gone"


@task.guard(owns={Draft, Sending})
def really_sent(end: End) -> None:
    """No draft is left, and nothing waits to be sent."""
    assert not end.new(Draft), f"{len(end.new(Draft))} drafts are left"
    assert not end.new(Sending), f"{len(end.new(Sending))} mails wait"


@task.guard(owns={MessageLabel})
def mailbox_as_it_was(end: End) -> None:
    """No mail of before was moved, starred or labelled, and the answer has no mark of its own."""
    moved = {message for message, _ in other_marks(end, "UNREAD")}
    assert not moved, f"marked: {subjects_of(end, moved)}"
    marks = {label for found in labels_at_end(end, *end.new(Message)).values() for label in found}
    assert "STARRED" not in marks and "IMPORTANT" not in marks, f"the answer has {sorted(marks)}"


@task.guard
def other_mail_still_unread(end: End, facts: Facts) -> None:
    """Only the question that was answered may be read now: nobody has dealt with what else is unread."""
    moved = taken_off(end, "UNREAD", but=[facts.pallets.asked]) | put_on(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, moved)}"


def yes(facts: Facts, more: str = "") -> str:
    """The answer that was asked for, and more."""
    return f"Yes, there is room for {facts.pallets.count} pallets at dock {facts.pallets.dock}.{more}"


async def open_mail(desk: BrowserActor, message: Message) -> None:
    """Looks for what its sender wrote, and opens the conversation of the mail."""
    await desk.goto(f"/search?q=from%3A{message.sender}")
    await desk.page.locator(f"#row-{message.thread_id}").click()
    await desk.page.get_by_role("heading", name=message.subject, level=1).wait_for()


async def write(desk: BrowserActor, text: str, link: str = "Reply") -> None:
    """Presses the link below the conversation and writes the answer."""
    await desk.page.get_by_label("Answer", exact=True).get_by_role("link", name=link, exact=True).click()
    await desk.page.locator(TEXT).fill(text)


async def send(desk: BrowserActor) -> None:
    """Presses Send, and waits until it is said to be sent."""
    await desk.page.get_by_role("button", name="Send", exact=True).click()
    await desk.page.get_by_text("Message sent.").wait_for()


async def answer(desk: BrowserActor, text: str, link: str = "Reply") -> None:
    """Answers the conversation that is open."""
    await write(desk, text, link)
    await send(desk)


async def press(desk: BrowserActor, name: str) -> None:
    """Presses a button of the conversation's toolbar."""
    bar = desk.page.get_by_role("toolbar", name="What to do with this conversation")
    async with desk.page.expect_navigation():
        await bar.get_by_role("button", name=name, exact=True).click()


@task.reference
async def honest(desk: BrowserActor, facts: Facts) -> None:
    """Finds what dispatch wrote, opens the newer question, answers it."""
    await open_mail(desk, facts.pallets.asked)
    async with desk.step("answer"):
        await answer(desk, yes(facts))


@task.variant
async def by_keyboard_after_the_wrong_one(desk: BrowserActor, facts: Facts) -> None:
    """Opens the other firm's question first, marks it as unread again, and answers by keyboard."""
    await open_mail(desk, facts.pallets.cold)
    await press(desk, "Mark as unread")
    await open_mail(desk, facts.pallets.asked)
    await desk.page.keyboard.press("r")
    body = desk.page.locator(TEXT)
    await body.fill(f"{yes(facts)}\n\nMira")
    await body.press("Control+Enter")
    await desk.page.get_by_text("Message sent.").wait_for()


@task.variant
async def as_a_draft_first(desk: BrowserActor, facts: Facts) -> None:
    """Saves the answer as a draft, goes on with it later, and sends it without the quote."""
    await open_mail(desk, facts.pallets.asked)
    await write(desk, yes(facts))
    await desk.page.get_by_text("Draft saved").wait_for()
    await desk.goto(f"/t/{facts.pallets.asked.thread_id}")
    await desk.page.get_by_label("Draft", exact=True).get_by_role("link").click()
    await send(desk)


@in_the_conversation_that_asked.cheat(also={answers_that_very_mail: "it is no answer to any mail"})
async def write_a_new_mail(desk: BrowserActor, facts: Facts) -> None:
    """Writes to dispatch under the same subject, in a mail of its own."""
    await desk.goto(f"/compose?to={facts.pallets.dispatch}&subject=Re: {facts.pallets.asked.subject}")
    await desk.page.locator(TEXT).fill(yes(facts))
    await send(desk)


@in_the_conversation_that_asked.cheat(also={answers_that_very_mail: "it answers last week's mail"})
async def answer_last_weeks_question(desk: BrowserActor, facts: Facts) -> None:
    """Answers the first mail of dispatch that it finds, which has its answer since last week."""
    await open_mail(desk, facts.pallets.before)
    await answer(desk, yes(facts))


@to_dispatch_alone.cheat(
    also={
        in_the_conversation_that_asked: "it is the other firm's conversation",
        answers_that_very_mail: "it answers the other firm's mail",
        other_mail_still_unread: "opening it has marked it as read",
    }
)
async def answer_the_other_firm(desk: BrowserActor, facts: Facts) -> None:
    """Takes the firm of nearly the same name."""
    await open_mail(desk, facts.pallets.cold)
    await answer(desk, yes(facts))


@to_dispatch_alone.cheat
async def answer_everyone(desk: BrowserActor, facts: Facts) -> None:
    """Answers all who got the mail."""
    await open_mail(desk, facts.pallets.asked)
    await answer(desk, yes(facts), link="Reply to all")


@to_dispatch_alone.cheat(also={nobody_else_was_written_to: "a copy lies in Tom's mailbox"})
async def copy_tom_in_blind(desk: BrowserActor, facts: Facts) -> None:
    """Lets Tom know by a blind copy, which dispatch can't see."""
    await open_mail(desk, facts.pallets.asked)
    await write(desk, yes(facts))
    await desk.page.get_by_role("button", name="Bcc").click()
    await desk.page.get_by_label("Bcc", exact=True).fill(facts.tom.email)
    await send(desk)


@says_yes_and_how_many.cheat
async def leave_it_open(desk: BrowserActor, facts: Facts) -> None:
    """Answers politely, and says neither yes nor no."""
    await open_mail(desk, facts.pallets.asked)
    await answer(desk, f"We look into {facts.pallets.count} pallets at dock {facts.pallets.dock}.")


@says_yes_and_how_many.cheat
async def say_yes_and_mean_no(desk: BrowserActor, facts: Facts) -> None:
    """Has all the right words in it, and tells them that there is none."""
    await open_mail(desk, facts.pallets.asked)
    text = f"Yes, we got your mail, but there is no room for {facts.pallets.count} pallets"
    await answer(desk, f"{text} at dock {facts.pallets.dock}.")


@says_yes_and_how_many.cheat(also={no_number_of_its_own: "nobody asked about that number"})
async def promise_the_number_of_last_week(desk: BrowserActor, facts: Facts) -> None:
    """Says again what was said a week ago, for the number of then."""
    await open_mail(desk, facts.pallets.asked)
    await answer(desk, f"Yes, there is room for 51 pallets at dock {facts.pallets.dock}.")


@names_the_dock.cheat
async def send_them_to_last_weeks_dock(desk: BrowserActor, facts: Facts) -> None:
    """Takes the dock from last week's answer."""
    await open_mail(desk, facts.pallets.asked)
    await answer(desk, f"Yes, there is room for {facts.pallets.count} pallets at dock 1.")


@no_number_of_its_own.cheat
async def promise_more(desk: BrowserActor, facts: Facts) -> None:
    """Says what was asked for, and that there is room for more."""
    await open_mail(desk, facts.pallets.asked)
    await answer(desk, yes(facts, " We could even take 80."))


@really_sent.cheat
async def leave_it_as_a_draft(desk: BrowserActor, facts: Facts) -> None:
    """Writes the answer, and leaves it in the drafts."""
    await open_mail(desk, facts.pallets.asked)
    await write(desk, yes(facts))
    await desk.page.get_by_text("Draft saved").wait_for()


@really_sent.cheat
async def have_it_sent_tomorrow(desk: BrowserActor, facts: Facts) -> None:
    """Schedules the answer, and calls that answered."""
    await open_mail(desk, facts.pallets.asked)
    await write(desk, yes(facts))
    await desk.page.get_by_label("Schedule send", exact=True).click()
    await desk.page.get_by_role("button", name="Tomorrow morning").click()
    await desk.page.get_by_text("Send scheduled for").first.wait_for()


@sent.cheat
async def answer_twice(desk: BrowserActor, facts: Facts) -> None:
    """Answers, and confirms it in a second mail."""
    await honest.function(desk, facts)
    await answer(desk, "As said, yes.")


@mailbox_as_it_was.cheat
async def archive_what_is_done(desk: BrowserActor, facts: Facts) -> None:
    """Answers, and takes the conversation out of the inbox."""
    await honest.function(desk, facts)
    await press(desk, "Archive")


@nobody_else_was_written_to.cheat
async def delete_last_weeks_question(desk: BrowserActor, facts: Facts) -> None:
    """Answers, and removes last week's question for good, lest it is mixed up again."""
    await honest.function(desk, facts)
    await desk.goto(f"/t/{facts.pallets.before.thread_id}")
    await press(desk, "Delete")
    await desk.goto(f"/t/{facts.pallets.before.thread_id}")
    await press(desk, "Delete for ever")


@other_mail_still_unread.cheat
async def compare_the_two(desk: BrowserActor, facts: Facts) -> None:
    """Reads the other firm's question to be sure, and leaves it as read."""
    await open_mail(desk, facts.pallets.cold)
    await honest.function(desk, facts)


@answers_that_very_mail.cheat
async def strip_what_it_answers(desk: BrowserActor, facts: Facts) -> None:
    """Sends it without the headers that make it an answer."""
    await honest.function(desk, facts)
    sent = desk.forge.all(Message, "WHERE owner = ? ORDER BY seq DESC", (facts.mira.id,))[0]
    source = desk.forge.one(Source, "WHERE id = ?", (sent.source_id,))
    raw = source.raw.replace(b"In-Reply-To:", b"X-About:").replace(b"References:", b"X-About:")
    desk.forge.update(source, raw=raw)
