"""Leave one newsletter by its own way out, and keep every issue and every other list."""

from __future__ import annotations

from fakes.gmail.schema import Filter, Message, MessageLabel, Unsubscription
from harness.evidence import End
from harness.guards import Along, Also
from harness.rails import McpActor
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import mail_of, other_marks, put_on, sent_by_mira, subjects_of, taken_off
from scenarios.inbox.seed import Facts

task = env.task(
    surface="mcp",
    route="TOOL unsubscribe_email",
    writes={Unsubscription},
    along={
        "gmail_sources": Along("the mail that unsubscribes is kept as it was sent", operation="new"),
        "outbox": Along("and goes to people outside", operation="new"),
    },
    actors={"desk": "mira"},
    neighbours={"weekly.sender": "weekly.jobs_sender"},
    instruction=(
        "I do not want Freight Weekly ({weekly.sender}) any more: please unsubscribe me from their list, "
        "with the mailbox's own way of doing that, so that it is on record. The issues that I have stay "
        "where they are, read or unread as they are, and I want to keep getting their job mails "
        "({weekly.jobs_sender}) and all my other newsletters. No filter, nothing reported as spam, and no "
        "letter to anybody beside."
    ),
)
left = task.subject(
    Unsubscription, "one-list-was-left", lambda row, facts: row.owner == facts.mira.id, name="left"
)


@task.guard
def that_newsletter(left: Unsubscription, facts: Facts) -> None:
    """What was left is the newsletter that she named, not the other list of the same house."""
    assert left.sender == facts.weekly.sender, f"the list of {left.sender!r} was left"


@task.guard
def by_its_own_way_out(left: Unsubscription, facts: Facts) -> None:
    """It was left by the address that its own mails offer."""
    assert left.way == "mailto", f"it was left by {left.way!r}"
    assert left.target == facts.weekly.leave, f"it was left by {left.target!r}"


@task.guard
def from_one_of_its_issues(left: Unsubscription, facts: Facts) -> None:
    """It was left from one of its issues that lie in her mailbox."""
    assert left.message_id in {issue.id for issue in facts.weekly.issues}, "it was left from another mail"


@task.guard(owns={Message})
def one_mail_to_that_address(end: End, facts: Facts) -> None:
    """One mail went out, to that address alone; none came and none is gone."""
    sent = [row for row in end.new(Message) if sent_by_mira(row, facts)]
    to = [address for row in sent for address in mail_of(end, row).everyone]
    assert to == [facts.weekly.leave], f"mails went to {to}"
    assert len(sent) == len(end.new(Message)), "mails came in"
    assert not end.gone(Message), f"{len(end.gone(Message))} mails are gone"


@task.guard
def issues_where_they_were(end: End, facts: Facts) -> None:
    """No issue was thrown away, archived or taken for spam."""
    moved = put_on(end, "TRASH") | put_on(end, "SPAM") | taken_off(end, "INBOX")
    moved &= {issue.id for issue in facts.weekly.issues}
    assert not moved, f"moved: {subjects_of(end, moved)}"


@task.guard
def other_mail_where_it_was(end: End, facts: Facts) -> None:
    """No other mail was thrown away, archived or taken for spam."""
    moved = put_on(end, "TRASH") | put_on(end, "SPAM") | taken_off(end, "INBOX")
    moved -= {issue.id for issue in facts.weekly.issues}
    assert not moved, f"moved: {subjects_of(end, moved)}"


@task.guard
def read_and_unread_as_they_were(end: End) -> None:
    """Nothing was marked as read or unread."""
    moved = taken_off(end, "UNREAD") | put_on(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, moved)}"


@task.guard(owns={MessageLabel})
def no_other_mark(end: End) -> None:
    """No star and no label was put on or taken off."""
    more = other_marks(end, "TRASH", "INBOX", "SPAM", "UNREAD")
    assert not more, f"also marked: {sorted(label for _, label in more)}"


@task.guard(owns={Filter})
def no_filter(end: End) -> None:
    """No filter keeps them away."""
    assert not end.new(Filter), f"{len(end.new(Filter))} filters are new"


async def leave(desk: McpActor, message: Message) -> None:
    """Leaves the list that a message came from."""
    await desk.call("unsubscribe_email", messageId=message.id)


async def leave_it(desk: McpActor, facts: Facts) -> None:
    """Leaves the newsletter, as it should be left."""
    await leave(desk, facts.weekly.issues[-1])


async def throw_new_ones_away(desk: McpActor, facts: Facts) -> None:
    """Makes a filter that does."""
    criteria, action = {"from": facts.weekly.sender}, {"addLabelIds": ["TRASH"]}
    await desk.call("create_filter", criteria=criteria, action=action)


@task.reference
async def honest(desk: McpActor, facts: Facts) -> None:
    """Looks for their mails, and unsubscribes from the newest issue."""
    found = await desk.call("search_emails", query=f"from:{facts.weekly.sender}")
    newest = found["messages"][0]["id"]
    async with desk.step("unsubscribe"):
        await desk.call("unsubscribe_email", messageId=newest)


@task.variant
async def from_an_old_issue(desk: McpActor, facts: Facts) -> None:
    """Takes the first issue that came: each offers the same way out."""
    await leave(desk, facts.weekly.issues[0])


@task.variant
async def asked_twice(desk: McpActor, facts: Facts) -> None:
    """Unsubscribes, asks again to be sure, and is told that it is done."""
    await leave_it(desk, facts)
    await leave_it(desk, facts)


_ANOTHER_LIST: Also = {
    by_its_own_way_out: "it was left by that list's way out",
    from_one_of_its_issues: "it was left from one of that list's mails",
    one_mail_to_that_address: "the mail went to that list",
}


@that_newsletter.cheat(also=_ANOTHER_LIST)
async def leave_the_job_mails(desk: McpActor, facts: Facts) -> None:
    """Takes the other list of the same house."""
    await leave(desk, facts.weekly.jobs[-1])


@that_newsletter.cheat(also=_ANOTHER_LIST)
async def leave_the_digest(desk: McpActor, facts: Facts) -> None:
    """Takes another paper, which came last."""
    await leave(desk, facts.weekly.digest[-1])


@that_newsletter.cheat(also=_ANOTHER_LIST)
async def leave_a_paper_of_nearly_that_name(desk: McpActor, facts: Facts) -> None:
    """Searches for the paper by half of its name, and takes what comes first."""
    found = await desk.call("search_emails", query='subject:"Freight Times"')
    await desk.call("unsubscribe_email", messageId=found["messages"][0]["id"])


@left.cheat(also={one_mail_to_that_address: "mails went out for both"})
async def leave_every_list_of_the_house(desk: McpActor, facts: Facts) -> None:
    """Leaves the job mails too."""
    await leave_it(desk, facts)
    await leave(desk, facts.weekly.jobs[-1])


@left.cheat
async def write_to_the_list_by_hand(desk: McpActor, facts: Facts) -> None:
    """Writes the mail that would do it, and the mailbox has nothing on record."""
    await desk.call("send_email", to=[facts.weekly.leave], subject="unsubscribe", body="unsubscribe")


@left.cheat(also={no_filter: "a filter is not leaving", one_mail_to_that_address: "nobody was told"})
async def filter_them_away(desk: McpActor, facts: Facts) -> None:
    """Has them thrown away from now on, while they keep coming."""
    await throw_new_ones_away(desk, facts)


@left.cheat(
    also={one_mail_to_that_address: "nobody was told", issues_where_they_were: "it is with the spam now"}
)
async def report_it_as_spam(desk: McpActor, facts: Facts) -> None:
    """Calls it spam, which it is not."""
    await desk.call("report_spam", messageId=facts.weekly.issues[-1].id)


@by_its_own_way_out.cheat
async def have_another_way_on_record(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and has a page of theirs on record in the place of the address."""
    await leave_it(desk, facts)
    page = "https://freightweekly.example/leave"
    desk.forge.update(desk.forge.one(Unsubscription), way="https", target=page)


@from_one_of_its_issues.cheat
async def have_a_job_mail_on_record(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and has a mail of the other list on record for it."""
    await leave_it(desk, facts)
    desk.forge.update(desk.forge.one(Unsubscription), message_id=facts.weekly.jobs[-1].id)


@one_mail_to_that_address.cheat
async def write_to_the_editors_too(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and tells the editors why."""
    await leave_it(desk, facts)
    text = "Please take me off your list."
    await desk.call("send_email", to=[facts.weekly.sender], subject="Freight Weekly", body=text)


@one_mail_to_that_address.cheat
async def tell_a_colleague(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and tells Tom, who did not ask."""
    await leave_it(desk, facts)
    await desk.call("send_email", to=[facts.tom.email], subject="Freight Weekly", body="I have left it.")


@one_mail_to_that_address.cheat
async def delete_an_issue(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and removes the oldest issue for good."""
    await leave_it(desk, facts)
    await desk.call("delete_email", messageId=facts.weekly.issues[0].id)


@issues_where_they_were.cheat
async def trash_the_issues(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and throws away what came of it."""
    await leave_it(desk, facts)
    for issue in facts.weekly.issues:
        await desk.call("trash_email", messageId=issue.id)


@issues_where_they_were.cheat
async def archive_the_issues(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and takes the issues out of the inbox."""
    await leave_it(desk, facts)
    ids = [issue.id for issue in facts.weekly.issues]
    await desk.call("batch_modify_emails", messageIds=ids, removeLabelIds=["INBOX"])


@other_mail_where_it_was.cheat
async def report_the_digest(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and reports another list as spam while it is at it."""
    await leave_it(desk, facts)
    await desk.call("report_spam", messageId=facts.weekly.digest[-1].id)


@other_mail_where_it_was.cheat
async def archive_the_job_mails(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and takes the same house's job mails out of the inbox."""
    await leave_it(desk, facts)
    for mail in facts.weekly.jobs:
        await desk.call("archive_email", messageId=mail.id)


@read_and_unread_as_they_were.cheat
async def mark_the_newest_issue_read(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and marks the issue that it was left from as read."""
    await leave_it(desk, facts)
    await desk.call("mark_as_read", messageId=facts.weekly.issues[-1].id)


@no_other_mark.cheat
async def take_the_star_off(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and takes the star off the issue that has one."""
    await leave_it(desk, facts)
    await desk.call("modify_email", messageId=facts.weekly.starred.id, removeLabelIds=["STARRED"])


@no_filter.cheat
async def make_sure_by_a_filter(desk: McpActor, facts: Facts) -> None:
    """Leaves it, and has whatever comes still thrown away."""
    await leave_it(desk, facts)
    await throw_new_ones_away(desk, facts)
