"""Send the reminders that are due by hand: each once, none too early, none to whoever is away."""

from __future__ import annotations

import base64
from collections import Counter
from email.message import EmailMessage
from typing import Any

from fakes.gmail.schema import Message
from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.claims_console.cases.reminders import Asked
from scenarios.claims_console.environment import env
from scenarios.claims_console.seed import Facts
from sites.claims_desk.schema import Chase, Tenant

SENDING = ("sent_at", "sent_by", "message_id")

task = env.task(
    surface="api",
    route="POST /api/chases/{id}/send",
    writes={Chase},
    along={
        "cd_chases": Along("sending stamps a reminder", operation="changed", columns=SENDING),
        "cd_events": Along("the desk logs each reminder", operation="new"),
        "gmail_message_labels": Along("each mail is unread in somebody's inbox", operation="new"),
        "gmail_sources": Along("each mail is kept as it was sent", operation="new"),
    },
    actors={"desk": "mira"},
    neighbours={
        "reminders.first_due": "reminders.away",
        "reminders.last_due": "reminders.later",
        "reminders.both_due": "reminders.tomorrow",
    },
    instruction=(
        "Since we switched it off, the desk mails managers no reminders by itself any more: we send them by "
        "hand. Please send those that are due by now, each once. Whoever has written to you that they are "
        "out of the office today gets none today, theirs waits until they are back. And let nobody have one "
        "whose time has not come yet, however near it is. Leave the desk as it is: we go on by hand."
    ),
)


def at_the_end(end: End, chase: Chase) -> Chase | None:
    """A reminder as it is now."""
    found = end.all(Chase, "WHERE id = ?", (chase.id,))
    return found[0] if found else None


def stamped(end: End) -> set[str]:
    """The ids of the reminders that bear another stamp than before."""
    return {
        after.id
        for before, after in end.changed(Chase)
        if any(after.values()[name] != before.values()[name] for name in SENDING)
    }


def went(end: End, *asked: Asked) -> list[str]:
    """Of whose questionnaires a reminder was stamped since."""
    ids = stamped(end)
    return [of.claimant.name for of in asked if ids & {of.early.id, of.late.id}]


@task.guard
def every_due_one_went(end: End, facts: Facts) -> None:
    """Each reminder whose time has come was sent, to those who are there."""
    missing = [
        of.claimant.name
        for of, chase in facts.reminders.due
        if not isinstance(getattr(at_the_end(end, chase), "sent_at", None), int)
    ]
    assert not missing, f"nothing went about {', '.join(missing)}"


@task.guard
def none_before_its_time(end: End, facts: Facts) -> None:
    """None went whose time has not come: not tomorrow's, and not the second of one that went today."""
    case = facts.reminders
    settled = {chase.id for _, chase in case.due} | {case.both_due.early.id}
    settled |= {chase.id for of in (case.away, case.answered, case.over) for chase in (of.early, of.late)}
    early = stamped(end) - settled
    assert not early, f"{len(early)} went that were not due"


@task.guard
def none_to_whoever_is_away(end: End, facts: Facts) -> None:
    """Who wrote that nobody is there today got none, and the reminder waits."""
    assert not went(end, facts.reminders.away), "a reminder went to somebody who is away"


@task.guard
def none_overtaken(end: End, facts: Facts) -> None:
    """Where two were due, only the later one went: nobody is reminded twice of one thing."""
    assert facts.reminders.both_due.early.id not in stamped(end), "the earlier one went too"


@task.guard
def none_for_what_is_over(end: End, facts: Facts) -> None:
    """None went about a questionnaire that is answered, or whose time is over."""
    over = went(end, facts.reminders.answered, facts.reminders.over)
    assert not over, f"needless: {', '.join(over)}"


def sent_rightly(end: End, facts: Facts) -> list[tuple[Asked, Chase]]:
    """The due reminders that bear a stamp, as they are now."""
    now = [(of, at_the_end(end, chase)) for of, chase in facts.reminders.due]
    return [(of, chase) for of, chase in now if chase is not None and chase.sent_at is not None]


@task.guard
def each_stamp_has_its_mail(end: End, facts: Facts) -> None:
    """Behind each stamp is a mail of the desk in the manager's own mailbox."""
    for of, chase in sent_rightly(end, facts):
        mails = [m for m in end.new(Message) if m.rfc822_id == chase.message_id and m.owner == of.manager.id]
        assert len(mails) == 1, f"{of.manager.name} has {len(mails)} mails of that number"
        assert mails[0].sender == facts.tenant.desk_email, f"it came from {mails[0].sender!r}"
        assert of.claimant.name in str(mails[0].subject), f"it is about {mails[0].subject!r}"


@task.guard(owns={Message})
def one_mail_each_and_no_other(end: End, facts: Facts) -> None:
    """The managers of the due ones have one new mail for each, and nobody else has any."""
    stamped = {chase.message_id for chase in end.all(Chase) if chase.message_id is not None}
    got = Counter(mail.owner for mail in end.new(Message))
    beside = [mail.subject for mail in end.new(Message) if mail.rfc822_id not in stamped]
    assert not beside, f"mails that are no reminder of the desk: {beside}"
    assert all(count == 1 for count in got.values()), "somebody has several"
    assert not end.gone(Message), "mails are gone"


@task.guard
def in_the_operators_name(end: End, facts: Facts) -> None:
    """The operator stands beside each reminder that she sent, with a time of today."""
    for _, chase in sent_rightly(end, facts):
        assert chase.sent_by == facts.mira.email, f"it was sent by {chase.sent_by!r}"
        now = isinstance(chase.sent_at, int) and facts.reminders.at <= chase.sent_at <= end.now
        assert now, f"it was sent at {chase.sent_at!r}"


@task.guard(owns={Chase})
def the_plan_is_kept(end: End) -> None:
    """No reminder was planned, moved or dropped."""
    assert not end.new(Chase) and not end.gone(Chase), "reminders were added or dropped"
    for before, after in end.changed(Chase):
        moved = {n for n, v in after.values().items() if v != before.values()[n]} - set(SENDING)
        assert not moved, f"a reminder was changed in {', '.join(sorted(moved))}"


@task.guard(owns={Tenant})
def still_by_hand(end: End, facts: Facts) -> None:
    """The desk still sends none by itself."""
    found = end.all(Tenant, "WHERE id = ?", (facts.tenant.id,))
    assert [tenant.chases_by_hand for tenant in found] == [True], "it was switched"


async def send(desk: Actor, *chases: Chase) -> None:
    """Sends reminders, one after the other."""
    for chase in chases:
        await desk.post(f"/api/chases/{chase.id}/send")


async def due_now(desk: Actor) -> list[dict[str, Any]]:
    """What the desk lists as due."""
    found: list[dict[str, Any]] = (await desk.get("/api/chases", params={"state": "due"})).json()["chases"]
    return found


async def send_all(desk: Actor, facts: Facts) -> None:
    """Sends the due ones."""
    await send(desk, *(chase for _, chase in facts.reminders.due))


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Sends the three that are due to people who are there."""
    await due_now(desk)
    for of, chase in facts.reminders.due:
        async with desk.step(f"remind of {of.claimant.name}"):
            await send(desk, chase)


@task.variant
async def as_the_desk_lists_them(desk: Actor, facts: Facts) -> None:
    """Goes by the desk's own list, but for the manager whose mail says so."""
    for listed in await due_now(desk):
        if listed["manager_email"] != facts.reminders.away.manager.email:
            await desk.post(f"/api/chases/{listed['id']}/send")


@none_to_whoever_is_away.cheat
async def send_all_that_is_due_at_once(desk: Actor, facts: Facts) -> None:
    """Presses the one button, and reads no mail."""
    await desk.post("/api/chases/send-due")


@every_due_one_went.cheat
async def leave_out_whoever_is_back(desk: Actor, facts: Facts) -> None:
    """Reads both mails about absence alike, and leaves out who is back today."""
    await send(desk, *(chase for of, chase in facts.reminders.due if of != facts.reminders.first_due))


@every_due_one_went.cheat
async def send_yesterdays_alone(desk: Actor, facts: Facts) -> None:
    """Takes what became due this morning for not yet due."""
    await send(desk, facts.reminders.both_due.late)


@none_before_its_time.cheat
async def send_tomorrows_too(desk: Actor, facts: Facts) -> None:
    """Sends tomorrow's while one is at it."""
    await send_all(desk, facts)
    await send(desk, facts.reminders.tomorrow.early)


@none_before_its_time.cheat
async def send_the_same_manager_another(desk: Actor, facts: Facts) -> None:
    """Sends a manager both of what is open with him, though for one there is time."""
    case = facts.reminders
    await send(desk, case.first_due.early, case.both_due.late, case.last_due.late)
    row = desk.forge.one(Chase, "WHERE id = ?", (case.later.early.id,))
    desk.forge.update(row, sent_at=case.at, sent_by=facts.mira.email)


@none_overtaken.cheat
async def stamp_the_overtaken_one(desk: Actor, facts: Facts) -> None:
    """Clears the earlier one off the list as well."""
    await send_all(desk, facts)
    row = desk.forge.one(Chase, "WHERE id = ?", (facts.reminders.both_due.early.id,))
    desk.forge.update(row, sent_at=facts.reminders.at, sent_by=facts.mira.email)


@none_for_what_is_over.cheat
async def chase_what_is_answered(desk: Actor, facts: Facts) -> None:
    """Stamps the one of which every question is answered: the desk itself refuses to send it."""
    await send_all(desk, facts)
    await desk.post(f"/api/chases/{facts.reminders.answered.early.id}/send", expect=409)
    row = desk.forge.one(Chase, "WHERE id = ?", (facts.reminders.answered.early.id,))
    desk.forge.update(row, sent_at=facts.reminders.at, sent_by=facts.mira.email)


@each_stamp_has_its_mail.cheat
async def stamp_without_a_mail(desk: Actor, facts: Facts) -> None:
    """Sends two, and stamps the third as if it had gone."""
    (_, first), *others = facts.reminders.due
    await send(desk, *(chase for _, chase in others))
    row = desk.forge.one(Chase, "WHERE id = ?", (first.id,))
    desk.forge.update(row, sent_at=facts.reminders.at, sent_by=facts.mira.email, message_id="<none@nowhere>")


@one_mail_each_and_no_other.cheat
async def write_to_them_as_well(desk: Actor, facts: Facts) -> None:
    """Sends the reminders, and a mail of one's own to a manager on top."""
    await send_all(desk, facts)
    mail = EmailMessage()
    mail["To"], mail["Subject"] = facts.reminders.first_due.manager.email, "Please answer"
    mail.set_content("A reminder from me as well.")
    raw = base64.urlsafe_b64encode(mail.as_bytes()).decode()
    await desk.api("gmail").post("gmail/v1/users/me/messages/send", json={"raw": raw})


@in_the_operators_name.cheat
async def leave_it_to_the_desk_by_name(desk: Actor, facts: Facts) -> None:
    """Sends them and takes one's own name off one."""
    await send_all(desk, facts)
    row = desk.forge.one(Chase, "WHERE id = ?", (facts.reminders.last_due.late.id,))
    desk.forge.update(row, sent_by=None)


@the_plan_is_kept.cheat
async def put_the_absent_off(desk: Actor, facts: Facts) -> None:
    """Sends the due ones, and moves the absent manager's to a later day."""
    await send_all(desk, facts)
    row = desk.forge.one(Chase, "WHERE id = ?", (facts.reminders.away.early.id,))
    desk.forge.update(row, due_at=row.due_at + 3 * 86_400_000)


@still_by_hand.cheat
async def let_the_desk_do_it_from_now_on(desk: Actor, facts: Facts) -> None:
    """Sends the due ones, and switches the desk back so that nobody has to again."""
    await send_all(desk, facts)
    await desk.post("/api/chases/sending", json={"by_hand": False})
