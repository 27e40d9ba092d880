"""The desk's world: Harborlight after six weeks, a neighbour that must stay untouched, and the facts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fakes.core.people import Person
from fakes.core.seeding import Seed
from scenarios.office.people import company
from sites.claims_desk.schema import Claim, Claimant, Document, FactQuestion, FactRequest, Tenant
from sites.claims_desk.seed import harborlight_desk


@dataclass(frozen=True)
class Facts:
    """What texts, guards and plays are made from. Dates are those that the papers print."""

    mira: Person
    tom: Person
    tenant: Tenant
    dana: Claimant
    dana_claim: Claim
    marcus_claim: Claim
    lindqvist: Claimant
    pa_claim: Claim
    pa_questions: tuple[tuple[int, str, str, str], ...]
    determination: Document
    noticed: date
    mailed: date
    printed: date
    computed: date
    open_request: FactRequest
    open_question_ids: tuple[str, ...]
    last_day: date
    q3_name: str
    q3_text: str
    q3_charges: tuple[tuple[str, int], ...]


def seed(w: Seed) -> Facts:
    """Fills the world."""
    staff = company(w)
    outsider = w.person("noor@cobblestone.example", "Noor Haddad", "Claims coordinator")
    desk = harborlight_desk(w, operators=(staff.mira, staff.nadia), manager=staff.tom, outsider=outsider)
    questions = w.world.all(FactQuestion, "WHERE request_id = ? ORDER BY position", (desk.request.id,))
    assert desk.printed.mail_date and desk.printed.printed_due and desk.lindqvist.last_day_worked
    return Facts(
        mira=staff.mira,
        tom=staff.tom,
        tenant=desk.tenant,
        dana=desk.dana,
        dana_claim=desk.dana_claim,
        marcus_claim=desk.marcus_claim,
        lindqvist=desk.lindqvist,
        pa_claim=desk.lindqvist_claim,
        pa_questions=tuple((q.position, q.code, q.text, q.kind) for q in questions),
        determination=desk.determination,
        noticed=desk.printed.notice_date,
        mailed=desk.printed.mail_date,
        printed=desk.printed.printed_due,
        computed=desk.computed,
        open_request=desk.request,
        open_question_ids=tuple(q.id for q in questions),
        last_day=desk.lindqvist.last_day_worked,
        q3_name=desk.q3_name,
        q3_text=desk.q3_text,
        q3_charges=desk.q3_charges,
    )
