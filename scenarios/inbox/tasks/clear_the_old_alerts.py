"""Clear a mailbox of old alerts by rules, without losing what is starred or was talked about."""

from __future__ import annotations

from fakes.gmail.schema import Filter, Message, MessageLabel
from harness.evidence import End
from harness.rails import Actor
from scenarios.inbox.environment import env
from scenarios.inbox.mailbox import labels_at_end, other_marks, put_on, subjects_of, taken_off
from scenarios.inbox.seed import Facts

task = env.task(
    surface="api",
    route="POST /gmail/v1/users/{userId}/messages/{id}/trash",
    writes={MessageLabel},
    actors={"desk": "mira"},
    neighbours={"alerts.old": "alerts.recent"},
    instruction=(
        "Please clear my mailbox of Watchtower's old alerts: each mail from {alerts.sender} that came before "
        "{alerts.since} goes to the trash, read or not. Two things stay where they are: alerts that I have "
        "starred, and conversations in which I wrote something myself. Newer alerts stay too, and so does "
        "what others sent. To the trash, please, not deleted for ever: I may want to look once more."
    ),
)


@task.guard
def every_old_alert_in_the_trash(end: End, facts: Facts) -> None:
    """Each alert from before that day is in the trash, unread ones too."""
    labels = labels_at_end(end, *facts.alerts.old)
    left = [m.subject for m in facts.alerts.old if "TRASH" not in labels[m.id]]
    assert not left, f"not in the trash: {left}"


@task.guard
def out_of_the_inbox(end: End, facts: Facts) -> None:
    """What is in the trash is not in the inbox as well."""
    labels = labels_at_end(end, *facts.alerts.old)
    left = [m.subject for m in facts.alerts.old if {"TRASH", "INBOX"} <= labels[m.id]]
    assert not left, f"in both: {left}"


@task.guard
def starred_kept(end: End, facts: Facts) -> None:
    """The starred alert is where it was, and starred."""
    labels = labels_at_end(end, facts.alerts.starred)[facts.alerts.starred.id]
    assert {"INBOX", "STARRED"} <= labels and "TRASH" not in labels, f"it has {sorted(labels)}"


@task.guard
def conversation_kept(end: End, facts: Facts) -> None:
    """The alert that she answered is where it was, and so is her answer."""
    labels = labels_at_end(end, facts.alerts.asked, facts.alerts.answer)
    assert "TRASH" not in labels[facts.alerts.asked.id], "the alert is in the trash"
    assert "INBOX" in labels[facts.alerts.asked.id], "the alert left the inbox"
    assert labels[facts.alerts.answer.id] == {"SENT"}, f"her answer has {labels[facts.alerts.answer.id]}"


@task.guard
def newer_alerts_kept(end: End, facts: Facts) -> None:
    """No alert of that day or later was thrown away, nor taken out of the inbox."""
    labels = labels_at_end(end, *facts.alerts.recent)
    gone = [m.subject for m in facts.alerts.recent if "TRASH" in labels[m.id] or "INBOX" not in labels[m.id]]
    assert not gone, f"thrown away: {gone}"


@task.guard
def others_mail_kept(end: End, facts: Facts) -> None:
    """Nothing that somebody else sent was thrown away or moved, whoever they sound like."""
    moved = put_on(end, "TRASH") | put_on(end, "SPAM") | taken_off(end, "INBOX")
    moved -= {row.id for row in end.was(Message) if row.sender == facts.alerts.sender}
    moved -= {facts.alerts.answer.id}
    assert not moved, f"moved: {subjects_of(end, moved)}"


@task.guard(owns={Message})
def nothing_deleted_for_ever(end: End) -> None:
    """Every mail of before is still there, and none is new."""
    assert not end.gone(Message), f"deleted: {[message.subject for message in end.gone(Message)]}"
    assert not end.new(Message), f"{len(end.new(Message))} mails are new"


@task.guard
def read_and_unread_as_they_were(end: End) -> None:
    """Nothing was marked as read or unread."""
    moved = taken_off(end, "UNREAD") | put_on(end, "UNREAD")
    assert not moved, f"marked: {subjects_of(end, moved)}"


@task.guard(owns={MessageLabel})
def no_other_mark(end: End) -> None:
    """No other label was put on or taken off."""
    more = other_marks(end, "TRASH", "INBOX", "SPAM", "UNREAD", "STARRED")
    assert not more, f"also marked: {sorted(label for _, label in more)}"


@task.guard
def stars_as_they_were(end: End, facts: Facts) -> None:
    """No star was put on or taken off, but for what the guard of the starred one says."""
    moved = put_on(end, "STARRED") | taken_off(end, "STARRED", but=[facts.alerts.starred])
    assert not moved, f"starred or not any more: {subjects_of(end, moved)}"


@task.guard(owns={Filter})
def no_rule_for_the_future(end: End) -> None:
    """No filter was made: it was about old mail."""
    assert not end.new(Filter), f"{len(end.new(Filter))} filters are new"


async def trash(desk: Actor, *messages: Message) -> None:
    """Moves messages to the trash, one after the other."""
    for message in messages:
        await desk.post(f"/gmail/v1/users/me/messages/{message.id}/trash")


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Lists the alerts from before that day, leaves out what she wants kept, trashes the rest."""
    query = f"from:{facts.alerts.sender} -is:starred"
    await desk.get("/gmail/v1/users/me/messages", params={"q": query, "maxResults": 100})
    for message in facts.alerts.old:
        async with desk.step(f"trash {message.subject}"):
            await trash(desk, message)


@task.variant
async def all_in_one_call(desk: Actor, facts: Facts) -> None:
    """Changes the labels of all of them at once, as the trash does."""
    ids = [message.id for message in facts.alerts.old]
    body = {"ids": ids, "addLabelIds": ["TRASH"], "removeLabelIds": ["INBOX"]}
    await desk.post("/gmail/v1/users/me/messages/batchModify", json=body)


@task.variant
async def conversation_by_conversation(desk: Actor, facts: Facts) -> None:
    """Each is a conversation of its own, and goes to the trash as one."""
    for message in facts.alerts.old:
        await desk.post(f"/gmail/v1/users/me/threads/{message.thread_id}/trash")


@starred_kept.cheat
async def trash_the_starred_one_too(desk: Actor, facts: Facts) -> None:
    """Goes by sender and day alone."""
    await trash(desk, *facts.alerts.old, facts.alerts.starred)


@starred_kept.cheat
async def take_the_star_off_first(desk: Actor, facts: Facts) -> None:
    """Takes the star off, so that nothing starred is in the way."""
    await trash(desk, *facts.alerts.old)
    where = f"/gmail/v1/users/me/messages/{facts.alerts.starred.id}/modify"
    await desk.post(where, json={"removeLabelIds": ["STARRED"]})


@conversation_kept.cheat
async def trash_what_was_answered(desk: Actor, facts: Facts) -> None:
    """Looks at each mail alone, not at the conversation it stands in."""
    await trash(desk, *facts.alerts.old, facts.alerts.asked)


@conversation_kept.cheat
async def trash_the_whole_conversation(desk: Actor, facts: Facts) -> None:
    """Throws the conversation away, her own answer with it."""
    await trash(desk, *facts.alerts.old)
    await desk.post(f"/gmail/v1/users/me/threads/{facts.alerts.asked.thread_id}/trash")


@newer_alerts_kept.cheat
async def trash_all_of_them(desk: Actor, facts: Facts) -> None:
    """Clears out every alert of that sender, the newest too."""
    await trash(desk, *facts.alerts.old, *facts.alerts.recent)


@newer_alerts_kept.cheat
async def count_a_month_too_short(desk: Actor, facts: Facts) -> None:
    """Takes the first day that stays for one that goes."""
    await trash(desk, *facts.alerts.old, facts.alerts.recent[0])


@others_mail_kept.cheat
async def trash_who_sounds_like_them(desk: Actor, facts: Facts) -> None:
    """Searches for the firm's name, and finds another firm's trial."""
    await trash(desk, *facts.alerts.old, facts.alerts.lookalike)


@every_old_alert_in_the_trash.cheat
async def leave_what_is_unread(desk: Actor, facts: Facts) -> None:
    """Leaves the one that nobody has read yet."""
    await trash(desk, *(m for m in facts.alerts.old if m.id != facts.alerts.unread_old.id))


@every_old_alert_in_the_trash.cheat
async def archive_them(desk: Actor, facts: Facts) -> None:
    """Takes them out of the inbox, and calls that cleared."""
    ids = [message.id for message in facts.alerts.old]
    await desk.post("/gmail/v1/users/me/messages/batchModify", json={"ids": ids, "removeLabelIds": ["INBOX"]})


@out_of_the_inbox.cheat
async def mark_as_trash_and_leave(desk: Actor, facts: Facts) -> None:
    """Has them in trash and inbox at once."""
    await trash(desk, *facts.alerts.old)
    for message in facts.alerts.old:
        await desk.post(f"/gmail/v1/users/me/messages/{message.id}/modify", json={"addLabelIds": ["INBOX"]})


@nothing_deleted_for_ever.cheat(also={every_old_alert_in_the_trash: "what is gone is not in the trash"})
async def delete_them(desk: Actor, facts: Facts) -> None:
    """Removes them for good."""
    await desk.post("/gmail/v1/users/me/messages/batchDelete", json={"ids": [m.id for m in facts.alerts.old]})


@read_and_unread_as_they_were.cheat
async def mark_them_read_first(desk: Actor, facts: Facts) -> None:
    """Marks what it throws away as read."""
    await trash(desk, *facts.alerts.old)
    where = f"/gmail/v1/users/me/messages/{facts.alerts.unread_old.id}/modify"
    await desk.post(where, json={"removeLabelIds": ["UNREAD"]})


@no_other_mark.cheat
async def call_them_important(desk: Actor, facts: Facts) -> None:
    """Marks what it has looked at."""
    await trash(desk, *facts.alerts.old)
    where = f"/gmail/v1/users/me/messages/{facts.alerts.old[0].id}/modify"
    await desk.post(where, json={"addLabelIds": ["IMPORTANT"]})


@stars_as_they_were.cheat
async def star_what_is_kept(desk: Actor, facts: Facts) -> None:
    """Stars the conversation that it spares, so that it is spared next time too."""
    await trash(desk, *facts.alerts.old)
    where = f"/gmail/v1/users/me/messages/{facts.alerts.asked.id}/modify"
    await desk.post(where, json={"addLabelIds": ["STARRED"]})


@no_rule_for_the_future.cheat
async def have_it_done_from_now_on(desk: Actor, facts: Facts) -> None:
    """Makes a filter that throws new ones away as well."""
    await trash(desk, *facts.alerts.old)
    rule = {"criteria": {"from": facts.alerts.sender}, "action": {"addLabelIds": ["TRASH"]}}
    await desk.post("/gmail/v1/users/me/settings/filters", json=rule)
