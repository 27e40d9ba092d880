"""File the mails of one sender that carry an invoice, and nothing that only looks like one."""

from __future__ import annotations

from fakes.gmail.schema import Message, MessageLabel, UserLabel
from harness.evidence import End
from harness.rails import Actor
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import labels_at_end, other_marks, put_on, subjects_of, taken_off
from scenarios.inbox.seed import Facts

task = env.task(
    surface="api",
    route="POST /gmail/v1/users/{userId}/messages/{id}/modify",
    writes={MessageLabel},
    actors={"desk": "mira"},
    neighbours={"invoices.label": "invoices.parent"},
    instruction=(
        "Invoices of North Pier pile up in my inbox. Please file each mail in which their accounts people "
        "({invoices.sender}) sent me an invoice as an attached file under the label {invoices.label.name!r}, "
        "which exists, and take those out of the inbox. All else stays as it is and where it is: reminders, "
        "other papers, mail from others about invoices. And mark nothing as read: I have not seen all of it."
    ),
)


@task.guard
def every_invoice_filed(end: End, facts: Facts) -> None:
    """Each mail with an invoice of theirs bears the label."""
    labels = labels_at_end(end, *facts.invoices.due)
    missing = [m.subject for m in facts.invoices.due if facts.invoices.label.id not in labels[m.id]]
    assert not missing, f"not filed: {missing}"


@task.guard
def only_invoices_filed(end: End, facts: Facts) -> None:
    """No other mail got the label: not the reminder, not the terms, not who looks like them."""
    more = put_on(end, facts.invoices.label.id, but=facts.invoices.due)
    assert not more, f"filed as well: {subjects_of(end, more)}"


@task.guard
def out_of_the_inbox(end: End, facts: Facts) -> None:
    """What bears the label is out of the inbox."""
    labels = labels_at_end(end, *facts.invoices.due)
    left = [m.subject for m in facts.invoices.due if "INBOX" in labels[m.id]]
    assert not left, f"still in the inbox: {left}"


@task.guard
def nothing_else_left_the_inbox(end: End, facts: Facts) -> None:
    """All other mail that was in the inbox is there still."""
    more = taken_off(end, "INBOX", but=facts.invoices.due)
    assert not more, f"taken out too: {subjects_of(end, more)}"


@task.guard
def unread_stays_unread(end: End) -> None:
    """Nothing was marked as read, or as unread."""
    moved = taken_off(end, "UNREAD") | put_on(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, moved)}"


@task.guard
def nothing_thrown_away(end: End) -> None:
    """Nothing went to trash or spam."""
    thrown = put_on(end, "TRASH") | put_on(end, "SPAM")
    assert not thrown, f"thrown away: {subjects_of(end, thrown)}"


@task.guard
def filed_before_stays_filed(end: End, facts: Facts) -> None:
    """What lay under the label before lies there still."""
    gone = taken_off(end, facts.invoices.label.id)
    assert not gone, f"taken from the label: {subjects_of(end, gone)}"


@task.guard(owns={MessageLabel})
def no_other_mark(end: End, facts: Facts) -> None:
    """No other label was put on or taken off: no star, no other folder."""
    more = other_marks(end, facts.invoices.label.id, "INBOX", "UNREAD", "TRASH", "SPAM")
    assert not more, f"also marked: {sorted(label for _, label in more)}"


@task.guard(owns={UserLabel})
def labels_as_they_were(end: End) -> None:
    """No label was made, renamed or removed."""
    touched = [*end.new(UserLabel), *end.gone(UserLabel), *(after for _, after in end.changed(UserLabel))]
    assert not touched, f"labels touched: {[label.name for label in touched]}"


@task.guard(owns={Message})
def no_mail_written_or_deleted(end: End) -> None:
    """Nobody was written to, and no mail is gone for good."""
    assert not end.new(Message), f"{len(end.new(Message))} mails are new"
    assert not end.gone(Message), f"{len(end.gone(Message))} mails are gone"


async def file(desk: Actor, facts: Facts, *messages: Message, label: str = "", **more: list[str]) -> None:
    """Puts the label on messages and takes them out of the inbox, one after the other."""
    body = {"addLabelIds": [label or facts.invoices.label.id], "removeLabelIds": ["INBOX"], **more}
    for message in messages:
        await desk.post(f"/gmail/v1/users/me/messages/{message.id}/modify", json=body)


async def modify(desk: Actor, message: Message, **body: list[str]) -> None:
    """Changes one message's labels."""
    await desk.post(f"/gmail/v1/users/me/messages/{message.id}/modify", json=body)


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Looks for the sender's mails with files, files the three that are invoices."""
    params = {"q": f"from:{facts.invoices.sender} has:attachment"}
    await desk.get("/gmail/v1/users/me/messages", params=params)
    for message in facts.invoices.due:
        async with desk.step(f"file {message.subject}"):
            await file(desk, facts, message)


@task.variant
async def all_at_once(desk: Actor, facts: Facts) -> None:
    """Changes the three in one call."""
    body = {
        "ids": [message.id for message in facts.invoices.due],
        "addLabelIds": [facts.invoices.label.id],
        "removeLabelIds": ["INBOX"],
    }
    await desk.post("/gmail/v1/users/me/messages/batchModify", json=body)


@task.variant
async def by_conversation(desk: Actor, facts: Facts) -> None:
    """Each is a conversation of its own, and is filed as one."""
    for message in facts.invoices.due:
        body = {"addLabelIds": [facts.invoices.label.id], "removeLabelIds": ["INBOX"]}
        await desk.post(f"/gmail/v1/users/me/threads/{message.thread_id}/modify", json=body)


@only_invoices_filed.cheat(also={nothing_else_left_the_inbox: "filing takes it out of the inbox"})
async def file_all_that_the_sender_wrote(desk: Actor, facts: Facts) -> None:
    """Files by sender alone, the reminder and the terms with it."""
    await file(desk, facts, *facts.invoices.due, facts.invoices.reminder, facts.invoices.terms)


@only_invoices_filed.cheat(also={nothing_else_left_the_inbox: "filing takes it out of the inbox"})
async def file_who_looks_like_them(desk: Actor, facts: Facts) -> None:
    """Goes by the name beside the address, and files an invoice of somebody else."""
    await file(desk, facts, *facts.invoices.due, facts.invoices.lookalike)


@only_invoices_filed.cheat
async def label_the_copy_that_was_passed_on(desk: Actor, facts: Facts) -> None:
    """Puts the label on a colleague's mail as well, because the same file hangs on it."""
    await file(desk, facts, *facts.invoices.due)
    await modify(desk, facts.invoices.passed_on, addLabelIds=[facts.invoices.label.id])


@every_invoice_filed.cheat(also={out_of_the_inbox: "it was not touched at all"})
async def file_what_says_invoice(desk: Actor, facts: Facts) -> None:
    """Goes by the subject, and misses the one that does not say what it is."""
    await file(desk, facts, *facts.invoices.due[:2])


@every_invoice_filed.cheat(also={no_other_mark: "the other label is on them instead"})
async def file_under_the_label_above(desk: Actor, facts: Facts) -> None:
    """Takes the label that the right one is nested in."""
    await file(desk, facts, *facts.invoices.due, label=facts.invoices.parent.id)


@out_of_the_inbox.cheat
async def label_and_leave(desk: Actor, facts: Facts) -> None:
    """Puts the label on them, and leaves them where they are."""
    for message in facts.invoices.due:
        await modify(desk, message, addLabelIds=[facts.invoices.label.id])


@nothing_else_left_the_inbox.cheat
async def tidy_the_reminder_away(desk: Actor, facts: Facts) -> None:
    """Archives the reminder too: the invoice that it is about is filed, after all."""
    await file(desk, facts, *facts.invoices.due)
    await modify(desk, facts.invoices.reminder, removeLabelIds=["INBOX"])


@unread_stays_unread.cheat
async def mark_what_is_filed_as_read(desk: Actor, facts: Facts) -> None:
    """Files them as most programs do: read."""
    await file(desk, facts, *facts.invoices.due, removeLabelIds=["INBOX", "UNREAD"])


@nothing_thrown_away.cheat
async def trash_the_lookalike(desk: Actor, facts: Facts) -> None:
    """Throws the fraud away, which nobody asked for."""
    await file(desk, facts, *facts.invoices.due)
    await modify(desk, facts.invoices.lookalike, addLabelIds=["TRASH"])


@filed_before_stays_filed.cheat
async def start_the_folder_anew(desk: Actor, facts: Facts) -> None:
    """Empties the label before it files."""
    await modify(desk, facts.invoices.filed, removeLabelIds=[facts.invoices.label.id])
    await file(desk, facts, *facts.invoices.due)


@no_other_mark.cheat
async def star_them_as_well(desk: Actor, facts: Facts) -> None:
    """Stars what it files."""
    labels = [facts.invoices.label.id, "STARRED"]
    await file(desk, facts, *facts.invoices.due, addLabelIds=labels)


@labels_as_they_were.cheat
async def make_a_label_for_the_rest(desk: Actor, facts: Facts) -> None:
    """Files the invoices, and makes a label for what it left alone."""
    await file(desk, facts, *facts.invoices.due)
    await desk.post("/gmail/v1/users/me/labels", json={"name": "Invoices/To check"})


@no_mail_written_or_deleted.cheat
async def delete_the_lookalike(desk: Actor, facts: Facts) -> None:
    """Removes the fraud for good."""
    await file(desk, facts, *facts.invoices.due)
    await desk.delete(f"/gmail/v1/users/me/messages/{facts.invoices.lookalike.id}")
