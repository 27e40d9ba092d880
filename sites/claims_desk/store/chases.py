"""Chases: reminders of questionnaires still open, mailed when the run clock reaches them, once each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from fakes.core import agenda
from fakes.core.clock import civil
from fakes.core.journal import Tx
from fakes.core.world import World
from sites.claims_desk.schema import FactRequest
from sites.claims_desk.store import SERVICE, events, letters
from sites.claims_desk.store.mailing import mail

CHASE = "chase"
DAYS_BEFORE = (3, 1)
_IN_THE_MORNING = "09:00"


def plan(tx: Tx, world: World, request: FactRequest) -> None:
    """Plans reminders for nine in the morning three days and one day before the last day."""
    if request.due_at is None:
        return
    last_day = civil(request.due_at, world.zone).date()
    for days in DAYS_BEFORE:
        at = world.instant(last_day - timedelta(days=days), _IN_THE_MORNING)
        if at > world.now():
            payload = {"request_id": request.id, "days_left": days}
            agenda.schedule(tx, service=SERVICE, kind=CHASE, ref=request.id, due_at=at, payload=payload)


def send_chase(world: World, payload: dict[str, Any]) -> None:
    """Mails one reminder, unless every question was answered since. Raises MailNotTaken."""
    request = world.get(FactRequest, payload["request_id"])
    if (
        request is None
        or request.sent_at is None
        or request.answered_at is not None
        or not request.manager_email
    ):
        return
    with world.tx() as tx:
        letter = letters.reminder(world, request, request.manager_email, int(payload["days_left"]))
        mail(world, letter.employer, letter.to, letter.subject, letter.text)
        summary = f"Reminder mailed to {letter.to}"
        events.note(tx, world, request.tenant_id, None, "questionnaire.chased", request.id, summary)
