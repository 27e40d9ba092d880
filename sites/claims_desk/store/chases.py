"""Chases: reminders of questionnaires still open, mailed once each, by the desk itself when the run clock
reaches them or, where the tenant wants it so, by an operator.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from fakes.core import agenda
from fakes.core.clock import civil
from fakes.core.journal import Tx
from fakes.core.world import World
from sites.claims_desk.errors import (
    AlreadyAnswered,
    AlreadySent,
    LinkExpired,
    MailNotTaken,
    NoManager,
    NotFound,
    NotNeeded,
)
from sites.claims_desk.schema import Chase, Claim, Claimant, FactRequest, Operator, Tenant
from sites.claims_desk.store import SERVICE, events, letters
from sites.claims_desk.store.mailing import mail
from sites.claims_desk.store.reading import FIRST, Page, columns, split

CHASE = "chase"
DAYS_BEFORE = (3, 1)
_IN_THE_MORNING = "09:00"

State = Literal["sent", "answered", "over", "overtaken", "due", "planned"]
STATES: tuple[State, ...] = ("due", "planned", "sent", "answered", "over", "overtaken")

# A later reminder of the questionnaire that was sent or is due overtakes it: nobody gets two at once.
_STATE = """CASE
WHEN h.sent_at IS NOT NULL THEN 'sent'
WHEN r.answered_at IS NOT NULL THEN 'answered'
WHEN r.expires_at < ?1 THEN 'over'
WHEN EXISTS (SELECT 1 FROM cd_chases l WHERE l.request_id = h.request_id AND l.due_at > h.due_at
  AND (l.sent_at IS NOT NULL OR l.due_at <= ?1)) THEN 'overtaken'
WHEN h.due_at <= ?1 THEN 'due'
ELSE 'planned' END"""
_SELECT = f"""
SELECT {columns(Chase, "h")}, {columns(FactRequest, "r")}, {columns(Claim, "c")}, {columns(Claimant, "p")},
  {_STATE} AS stands
FROM cd_chases h
JOIN cd_fact_requests r ON r.id = h.request_id AND r.tenant_id = h.tenant_id
LEFT JOIN cd_claims c ON c.id = r.claim_id AND c.tenant_id = h.tenant_id
LEFT JOIN cd_claimants p ON p.id = c.claimant_id AND p.tenant_id = h.tenant_id"""
_DUE = "FROM cd_chases h JOIN cd_fact_requests r ON r.id = h.request_id AND r.tenant_id = h.tenant_id"
# A due one belongs to a questionnaire that still takes answers: it was planned a few days ago at most.
_OLDEST_MS = (max(DAYS_BEFORE) + 2) * 86_400_000
_IS_DUE = f"""h.tenant_id = ?2 AND h.sent_at IS NULL AND h.due_at BETWEEN ?1 - {_OLDEST_MS} AND ?1
AND {_STATE} = 'due'"""


@dataclass(frozen=True)
class ChaseLine:
    """A reminder with what it is about, and how it stands now."""

    chase: Chase
    request: FactRequest
    claim: Claim | None
    claimant: Claimant | None
    state: State


@dataclass(frozen=True)
class Sent:
    """What became of the reminders that were due: those sent, and those refused, each with the sentence."""

    sent: tuple[Chase, ...]
    refused: tuple[tuple[Chase, str], ...]


def chases(world: World, me: Operator, page: Page = FIRST, state: str = "") -> list[ChaseLine]:
    """The tenant's reminders, newest first; of one state if that is given."""
    sql = (
        f"{_SELECT} WHERE h.tenant_id = ?2 AND h.seq < ?3 AND ?4 IN ('', stands) ORDER BY h.seq DESC LIMIT ?5"
    )
    return _lines(world, sql, (me.tenant_id, page.end, state, page.limit))


def chase(world: World, me: Operator, id: str) -> ChaseLine:
    """One reminder. Raises NotFound."""
    found = _lines(world, f"{_SELECT} WHERE h.tenant_id = ?2 AND h.id = ?3", (me.tenant_id, id))
    if not found:
        raise NotFound("reminder", id)
    return found[0]


def of_request(world: World, me: Operator, request_id: str) -> list[ChaseLine]:
    """A questionnaire's reminders, in the order of their days."""
    sql = f"{_SELECT} WHERE +h.tenant_id = ?2 AND h.request_id = ?3 ORDER BY h.due_at, h.seq"
    return _lines(world, sql, (me.tenant_id, request_id))


def due(world: World, me: Operator) -> list[ChaseLine]:
    """The reminders whose time has come and that nobody has sent, the earliest first."""
    return _lines(world, f"{_SELECT} WHERE {_IS_DUE} ORDER BY h.due_at, h.seq", (me.tenant_id,))


def count_due(world: World, me: Operator) -> int:
    """How many those are."""
    sql = f"SELECT count(*) {_DUE} WHERE {_IS_DUE}"
    return int(world.select(sql, (world.now(), me.tenant_id))[0][0])


def _lines(world: World, sql: str, params: tuple[Any, ...]) -> list[ChaseLine]:
    rows = (Chase, FactRequest, Claim, Claimant)
    found = (split(values, rows) for values in world.select(sql, (world.now(), *params)))
    return [ChaseLine(*parts, *stands) for parts, stands in found]


def plan(tx: Tx, world: World, request: FactRequest) -> None:
    """Plans reminders for nine in the morning three days and one day before the last day."""
    if request.due_at is None:
        return
    last_day = civil(request.due_at, world.zone).date()
    for days in DAYS_BEFORE:
        at = world.instant(last_day - timedelta(days=days), _IN_THE_MORNING)
        if at > world.now():
            planned = tx.insert(Chase(
                id=tx.new_id("cd_chase", prefix="cha_"), seq=tx.seq("cd_chase"), tenant_id=request.tenant_id,
                request_id=request.id, days_before=days, due_at=at, sent_at=None, sent_by=None,
                message_id=None,
            ))  # fmt: skip
            payload = {"chase_id": planned.id}
            agenda.schedule(tx, service=SERVICE, kind=CHASE, ref=request.id, due_at=at, payload=payload)


# sending


def send_chase(world: World, payload: dict[str, Any]) -> None:
    """Mails a reminder that the run clock has reached, unless operators do that or it is not needed.

    Raises NoManager, MailNotTaken.
    """
    planned = world.get(Chase, payload["chase_id"])
    tenant = world.get(Tenant, planned.tenant_id) if planned else None
    if planned is None or tenant is None or tenant.chases_by_hand:
        return
    for line in _lines(world, f"{_SELECT} WHERE h.tenant_id = ?2 AND h.id = ?3", (tenant.id, planned.id)):
        if line.state == "due":
            _mail(world, line, None)


def send(world: World, me: Operator, id: str) -> Chase:
    """Mails one reminder, also before its time; it is not sent again then.

    Raises NotFound, AlreadySent, AlreadyAnswered, LinkExpired, NotNeeded, NoManager, MailNotTaken.
    """
    line = chase(world, me, id)
    if line.state == "sent":
        raise AlreadySent("This reminder was sent already. There is nothing left to do.")
    if line.state == "answered":
        raise AlreadyAnswered("Every question is answered by now. There is nothing to remind of.")
    if line.state == "over":
        raise LinkExpired("The time to answer is over, and the link with it. Open a new questionnaire.")
    if line.state == "overtaken":
        raise NotNeeded("A later reminder of this questionnaire takes its place. Send that one.")
    return _mail(world, line, me.email)


def send_due(world: World, me: Operator) -> Sent:
    """Mails every reminder that is due; one that is refused stays due and keeps none of the others."""
    sent: list[Chase] = []
    refused: list[tuple[Chase, str]] = []
    for line in due(world, me):
        try:
            sent.append(_mail(world, line, me.email))
        except (NoManager, MailNotTaken) as error:
            refused.append((line.chase, error.sentence))
    return Sent(tuple(sent), tuple(refused))


def _mail(world: World, line: ChaseLine, by: str | None) -> Chase:
    to = line.request.manager_email
    if not to:
        raise NoManager("No manager is known for this claimant, so there is nobody to remind.")
    with world.tx() as tx:
        letter = letters.reminder(world, line.request, to)
        message_id = mail(world, letter.employer, letter.to, letter.subject, letter.text)
        done = tx.update(line.chase, sent_at=world.now(), sent_by=by, message_id=message_id)
        summary = f"Reminder mailed to {letter.to}"
        tenant_id, about = line.request.tenant_id, line.request.id
        events.note(tx, world, tenant_id, by, "questionnaire.chased", about, summary)
    return done


# who sends them


def by_hand(world: World, me: Operator) -> bool:
    """Whether reminders wait for an operator of this tenant."""
    found = world.get(Tenant, me.tenant_id)
    return bool(found and found.chases_by_hand)


def set_by_hand(world: World, me: Operator, by_hand: bool) -> bool:
    """Lets reminders wait for an operator, or the desk send them as their time comes."""
    found = world.get(Tenant, me.tenant_id)
    if found is not None and bool(found.chases_by_hand) != by_hand:
        with world.tx() as tx:
            tx.update(found, chases_by_hand=by_hand)
            how = "wait for an operator" if by_hand else "are sent by the desk itself"
            events.by(tx, world, me, "chases.changed", found.id, f"Reminders {how} from now on")
    return by_hand
