"""Build a filter for what passed, apply it to what lies there, and leave what failed in sight."""

from __future__ import annotations

from fakes.gmail.reading import would_catch
from fakes.gmail.schema import Draft, Filter, Message, MessageLabel, Source, UserLabel
from harness.evidence import End
from harness.rails import BrowserActor
from scenarios.inbox.cases.checks import FAILED, PASSED
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import labels_at_end, other_marks, put_on, subjects_of, taken_off
from scenarios.inbox.seed import Facts

task = env.task(
    surface="browser",
    route="POST /settings/filters",
    writes={Filter, MessageLabel},
    actors={"desk": "mira"},
    neighbours={"checks.label": "checks.neighbour"},
    instruction=(
        "The nightly checks fill my inbox. Please make a filter: what {checks.sender} sends with "
        "{checks.subject!r} in the subject, of any machine, gets the label {checks.label.name!r}, which "
        "exists, and skips the inbox. Apply it to the mails that I have, too. Checks that failed must stay "
        "in my inbox, now and in future, and so must all else that they or others write. One filter that "
        "does this and no more; nothing is to be marked as read or deleted, by it or by you."
    ),
)
rule = task.subject(Filter, "one-filter-was-made", lambda row, facts: row.owner == facts.mira.id, name="rule")


def takes(rule: Filter, facts: Facts, raw: bytes) -> bool:
    """Whether the filter would take this mail, if it came now. Refuses one whose criteria are no texts."""
    criteria = (rule.sender, rule.recipient, rule.subject, rule.query, rule.negated_query)
    assert all(isinstance(text, str) for text in criteria), f"it asks for {criteria}"
    return would_catch(rule, raw, facts.mira.email)


def took(rule: Filter, end: End, facts: Facts, *messages: Message) -> list[str]:
    """The subjects of those of the messages that it would take."""
    raws = {row.id: row.raw for row in end.was(Source)}
    return [m.subject for m in messages if takes(rule, facts, raws[m.source_id])]


def to_come(facts: Facts, subject: str) -> bytes:
    """A mail of the checks as one of the next nights may bring it."""
    lines = (f"From: Watchtower Checks <{facts.checks.sender}>", f"To: {facts.mira.email}")
    return "\r\n".join([*lines, f"Subject: {subject}", "", "See the panel.", ""]).encode()


@task.guard
def catches_what_passed(rule: Filter, end: End, facts: Facts) -> None:
    """It catches every mail about a check that passed."""
    caught = took(rule, end, facts, *facts.checks.passed)
    assert len(caught) == len(facts.checks.passed), f"it catches {caught or 'none'} alone"


@task.guard
def catches_what_will_pass(rule: Filter, facts: Facts) -> None:
    """It will catch those of machines that have sent none so far."""
    subject = f"{PASSED}: router"
    assert takes(rule, facts, to_come(facts, subject)), f"it would miss {subject!r}"


@task.guard
def catches_nothing_else(rule: Filter, end: End, facts: Facts) -> None:
    """It lets other mail of theirs through, and what a colleague writes about the checks."""
    caught = took(rule, end, facts, facts.checks.summary, facts.checks.talk)
    assert not caught, f"it catches {caught} too"


@task.guard
def lets_failed_ones_through(rule: Filter, end: End, facts: Facts) -> None:
    """It lets checks that failed through, of whichever machine."""
    caught = took(rule, end, facts, *facts.checks.failed)
    assert not caught, f"it catches {caught}"
    subject = f"{FAILED}: router"
    assert not takes(rule, facts, to_come(facts, subject)), f"it would catch {subject!r}"


@task.guard
def files_under_that_label(rule: Filter, facts: Facts) -> None:
    """It files what it catches under the label."""
    assert facts.checks.label.id in str(rule.add_labels).split(), f"it adds {rule.add_labels!r}"


@task.guard
def skips_the_inbox(rule: Filter) -> None:
    """What it catches skips the inbox."""
    assert "INBOX" in str(rule.remove_labels).split(), f"it takes off {rule.remove_labels!r}"


@task.guard
def does_nothing_else(rule: Filter, facts: Facts) -> None:
    """It does no more than that: marks nothing read, deletes, stars and forwards nothing."""
    more = {*str(rule.add_labels).split(), *str(rule.remove_labels).split()}
    more -= {facts.checks.label.id, "INBOX"}
    assert not more and rule.forward == "", f"it also does {sorted(more) or rule.forward!r}"


@task.guard
def old_ones_filed(end: End, facts: Facts) -> None:
    """What passed before lies under the label too, out of the inbox."""
    own, found = facts.checks.label.id, labels_at_end(end, *facts.checks.passed)
    left = [message for message, labels in found.items() if own not in labels or "INBOX" in labels]
    assert not left, f"{len(left)} are not filed"


@task.guard
def failed_ones_in_sight(end: End, facts: Facts) -> None:
    """The checks that failed are in the inbox, without the label."""
    own, found = facts.checks.label.id, labels_at_end(end, *facts.checks.failed)
    moved = {message for message, labels in found.items() if "INBOX" not in labels or own in labels}
    assert not moved, f"moved: {subjects_of(end, moved)}"


@task.guard
def other_mail_where_it_was(end: End, facts: Facts) -> None:
    """No other mail left the inbox or got the label."""
    beside = (*facts.checks.passed, *facts.checks.failed)
    moved = taken_off(end, "INBOX", but=beside) | put_on(end, facts.checks.label.id, but=beside)
    assert not moved, f"moved: {subjects_of(end, moved)}"


@task.guard
def unread_stays_unread(end: End) -> None:
    """Nothing was marked as read or unread."""
    moved = taken_off(end, "UNREAD") | put_on(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, moved)}"


@task.guard(owns={MessageLabel})
def no_other_mark(end: End, facts: Facts) -> None:
    """No other label was put on or taken off, and nothing was thrown away."""
    more = other_marks(end, facts.checks.label.id, "INBOX", "UNREAD")
    assert not more, f"also marked: {sorted(label for _, label in more)}"


@task.guard(owns={UserLabel})
def labels_as_they_were(end: End) -> None:
    """No label was made, renamed or removed: it exists."""
    touched = [*end.new(UserLabel), *end.gone(UserLabel), *(after for _, after in end.changed(UserLabel))]
    assert not touched, f"labels touched: {[label.name for label in touched]}"


@task.guard(owns={Message, Draft})
def no_mail_written_or_deleted(end: End) -> None:
    """Nobody was written to, and no mail is gone for good."""
    assert not end.new(Message) and not end.gone(Message), (
        f"{len(end.new(Message))} mails are new, {len(end.gone(Message))} gone"
    )
    assert not end.new(Draft), f"{len(end.new(Draft))} drafts are new"


ALL_DONE = ("Skip the inbox", "Also apply filter")


async def make(
    desk: BrowserActor,
    facts: Facts,
    *more: str,
    fields: dict[str, str] | None = None,
    ticked: tuple[str, ...] = ALL_DONE,
    label: str = "",
) -> None:
    """Goes through both steps of the form; `fields` say which mail if not the right one, `more` is ticked."""
    page = desk.page
    await desk.goto("/settings/filters/new")
    for name, value in (fields or {"From": facts.checks.sender, "Subject": facts.checks.subject}).items():
        await page.locator("main").get_by_label(name, exact=True).fill(value)
    await page.get_by_role("button", name="Continue").click()
    await choose(desk, label or facts.checks.label.name, *ticked, *more)


async def choose(desk: BrowserActor, label: str, *ticked: str) -> None:
    """The second step: what is done with the mail."""
    page = desk.page
    await page.get_by_label("Apply the label", exact=True).select_option(label=label)
    for words in ticked:
        await page.get_by_role("checkbox", name=words).check()
    await page.get_by_role("button", name="Create filter").click()
    await page.get_by_text("The filter is made.").wait_for()


async def tick(desk: BrowserActor, message: Message) -> None:
    """Ticks a conversation in the list."""
    row = desk.page.locator(f'[data-thread="{message.thread_id}"]')
    await row.get_by_role("checkbox").check()


async def press(desk: BrowserActor, name: str, told: str) -> None:
    """Presses a button of the list, and waits until the page tells of it."""
    await desk.page.locator("#acting").get_by_role("button", name=name, exact=True).click()
    await desk.page.get_by_text(told).wait_for()


async def take_out(desk: BrowserActor, message: Message) -> None:
    """Takes a conversation out of the inbox, without opening it."""
    await desk.goto("/search?q=from%3Achecks")
    await tick(desk, message)
    await press(desk, "Archive", "Conversation archived.")


async def make_and_delete(desk: BrowserActor, facts: Facts) -> None:
    """Makes the right filter, which files what is there, and deletes it again."""
    await make(desk, facts)
    await desk.page.get_by_role("button", name="Delete", exact=False).first.click()
    await desk.page.get_by_text("Deleted 1 filter").wait_for()


@task.reference
async def honest(desk: BrowserActor, facts: Facts) -> None:
    """Says which mail, then what is done with it, and has it applied to what is there."""
    async with desk.step("make the filter"):
        await make(desk, facts)


@task.variant
async def from_a_search(desk: BrowserActor, facts: Facts) -> None:
    """Searches for them, makes a filter of the search, and files the old ones by hand."""
    page = desk.page
    await desk.goto("/")
    box = page.get_by_role("searchbox", name="Search mail")
    await box.fill(f'from:{facts.checks.sender} subject:"{facts.checks.subject}"')
    await box.press("Enter")
    await page.get_by_role("link", name="Create a filter from this search").click()
    await page.get_by_role("button", name="Continue").click()
    await choose(desk, facts.checks.label.name, "Skip the inbox")
    await desk.goto(f'/search?q=from:{facts.checks.sender} subject:"{facts.checks.subject}"')
    await page.get_by_label("Select all on this page").check()
    await page.locator("#acting").get_by_label("Move to", exact=True).click()
    await page.get_by_role("button", name=facts.checks.label.name, exact=True).click()
    await page.get_by_text("conversations moved to").wait_for()


@catches_nothing_else.cheat(
    also={
        lets_failed_ones_through: "they are of the same sender",
        failed_ones_in_sight: "it was applied to them",
        other_mail_where_it_was: "it was applied to their other mail",
    }
)
async def go_by_sender_alone(desk: BrowserActor, facts: Facts) -> None:
    """Files all that they send."""
    await make(desk, facts, fields={"From": facts.checks.sender})


@catches_nothing_else.cheat(also={other_mail_where_it_was: "it was applied to the colleague's mail"})
async def go_by_subject_alone(desk: BrowserActor, facts: Facts) -> None:
    """Files whatever says so in its subject, a colleague's question too."""
    await make(desk, facts, fields={"Subject": facts.checks.subject})


@lets_failed_ones_through.cheat(also={failed_ones_in_sight: "it was applied to them"})
async def file_all_nightly_checks(desk: BrowserActor, facts: Facts) -> None:
    """Leaves the last word of the subject out, and hides those that failed."""
    await make(desk, facts, fields={"From": facts.checks.sender, "Subject": "Nightly check"})


@lets_failed_ones_through.cheat
async def file_failed_ones_from_now_on(desk: BrowserActor, facts: Facts) -> None:
    """The same for mail to come; files the old ones by a filter that it then deletes."""
    await make_and_delete(desk, facts)
    fields = {"From": facts.checks.sender, "Subject": "Nightly check"}
    await make(desk, facts, fields=fields, ticked=("Skip the inbox",))


@catches_what_passed.cheat
async def leave_one_machine_out(desk: BrowserActor, facts: Facts) -> None:
    """Files the old ones, and from now on those of all machines but one."""
    await make_and_delete(desk, facts)
    fields = {"From": facts.checks.sender, "Subject": facts.checks.subject, "Doesn’t have": "db2"}
    await make(desk, facts, fields=fields, ticked=("Skip the inbox",))


@catches_what_will_pass.cheat
async def list_the_machines(desk: BrowserActor, facts: Facts) -> None:
    """Names the machines that have sent something so far."""
    fields = {"From": facts.checks.sender, "Subject": "passed {db1 db2 files mail}"}
    await make(desk, facts, fields=fields)


@old_ones_filed.cheat
async def leave_what_is_there(desk: BrowserActor, facts: Facts) -> None:
    """Makes the filter, and leaves the old mails where they are."""
    await make(desk, facts, ticked=("Skip the inbox",))


@rule.cheat
async def file_them_by_hand(desk: BrowserActor, facts: Facts) -> None:
    """Files what is there, and makes no filter."""
    await make_and_delete(desk, facts)


@rule.cheat
async def make_a_second_one(desk: BrowserActor, facts: Facts) -> None:
    """Makes another one for the checks that failed, which stars them from now on."""
    await make(desk, facts)
    fields = {"From": facts.checks.sender, "Subject": FAILED}
    await make(desk, facts, fields=fields, ticked=("Star it",))


@files_under_that_label.cheat(
    also={
        does_nothing_else: "it puts another label on",
        old_ones_filed: "they have the other label",
        no_other_mark: "they have the other label",
    }
)
async def take_the_label_beside(desk: BrowserActor, facts: Facts) -> None:
    """Takes the label of nearly the same name."""
    await make(desk, facts, label=facts.checks.neighbour.name)


@skips_the_inbox.cheat(also={old_ones_filed: "they are in the inbox still"})
async def leave_them_in_the_inbox(desk: BrowserActor, facts: Facts) -> None:
    """Has them labelled, and no more."""
    await make(desk, facts, ticked=("Also apply filter",))


@does_nothing_else.cheat(also={unread_stays_unread: "it was applied to what is unread"})
async def mark_them_read_as_well(desk: BrowserActor, facts: Facts) -> None:
    """Has them marked as read, since nobody looks at them."""
    await make(desk, facts, "Mark as read")


@does_nothing_else.cheat(also={no_other_mark: "it was applied to what is there"})
async def star_them_as_well(desk: BrowserActor, facts: Facts) -> None:
    """Has them starred."""
    await make(desk, facts, "Star it")


@failed_ones_in_sight.cheat
async def tidy_failed_ones_away(desk: BrowserActor, facts: Facts) -> None:
    """Makes the right filter, and takes an old check that failed out of the inbox."""
    await make(desk, facts)
    await take_out(desk, facts.checks.failed[0])


@other_mail_where_it_was.cheat
async def tidy_the_summary_away(desk: BrowserActor, facts: Facts) -> None:
    """Makes the right filter, and takes the month's summary out of the inbox."""
    await make(desk, facts)
    await take_out(desk, facts.checks.summary)


@unread_stays_unread.cheat
async def look_into_one(desk: BrowserActor, facts: Facts) -> None:
    """Opens the newest to see what it is, which marks it as read."""
    await desk.goto(f"/t/{facts.checks.passed[-1].thread_id}")
    await make(desk, facts)


@labels_as_they_were.cheat
async def make_a_label_for_the_rest(desk: BrowserActor, facts: Facts) -> None:
    """Makes the right filter, and a label for what failed."""
    await make(desk, facts)
    await desk.post("/gmail/v1/users/me/labels", json={"name": "Ops/Failed"})


@no_mail_written_or_deleted.cheat
async def delete_the_talk_about_it(desk: BrowserActor, facts: Facts) -> None:
    """Makes the right filter, and removes the question that is answered by it for good."""
    await make(desk, facts)
    await desk.goto("/search?q=subject%3Anow")
    await tick(desk, facts.checks.talk)
    await press(desk, "Delete", "Conversation moved to the trash.")
    await desk.goto("/trash")
    await tick(desk, facts.checks.talk)
    await press(desk, "Delete for ever", "Conversation deleted for ever.")
