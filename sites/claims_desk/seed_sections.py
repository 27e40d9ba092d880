"""What a YAML seed may say of a desk: a section for each builder of `seed`."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from fakes.core.people import Person
from fakes.core.seeding import Names, Section, Seed
from sites.claims_desk import rules, seed
from sites.claims_desk.schema import Claim, Claimant, Document, Draft, Notice, Operator, Tenant

Day = int | date


class Entry(BaseModel):
    """An entry; `as` is the name by which later ones speak of it."""

    model_config = ConfigDict(extra="forbid")

    label: str | None = Field(None, alias="as")


class Deed(Entry):
    """Something that an `operator` did at `time` on `day` (days from today, or a date)."""

    operator: str
    day: Day = 0
    time: str = "09:00"


class TenantEntry(Entry):
    """An employer at the desk."""

    name: str
    employer_account: str
    desk_email: str


class OperatorEntry(Entry):
    """A log-in of a person."""

    tenant: str
    person: str
    second_factor: Literal["totp", "email"] = "totp"


class ClaimantEntry(Entry):
    """A former worker; `manager` is a person."""

    tenant: str
    name: str
    ssn_last4: str
    state: str
    reason: Literal["discharge_misconduct", "voluntary_quit", "lack_of_work"] | None = None
    separated_on: Day | None = None
    job_title: str | None = None
    manager: str | None = None


class ClaimEntry(Deed):
    """A claim of a claimant."""

    claimant: str
    number: str
    status: Literal["open", "protested", "won", "lost", "closed"] = "open"


class PrintedNotice(BaseModel):
    """What a notice's paper prints, but for what follows from its claim."""

    model_config = ConfigDict(extra="forbid")

    type: rules.NoticeType
    reference: str
    notice_date: Day
    mail_date: Day | None = None
    printed_due: Day | None = None
    body: str


class DocumentEntry(Deed):
    """A paper: its `text`, or a `notice` of a `claim`, which is printed as agencies do."""

    name: str
    kind: Literal["statement", "notice", "other"] = "other"
    text: str | None = None
    claim: str | None = None
    notice: PrintedNotice | None = None


class NoticeEntry(Deed):
    """A notice recorded from its paper."""

    claim: str
    document: str


class QuestionnaireEntry(Deed):
    """A questionnaire about a claim; `sent` mails the manager, `answers` were taken down by telephone."""

    claim: str
    category: str
    sent: bool = False
    answers: list[str] = []


class ProtestEntry(Deed):
    """A protest of a notice."""

    notice: str
    body: str
    filed: bool = False


def _day(w: Seed, day: Day | None) -> date | None:
    return w.day(day) if isinstance(day, int) else day


def _tenant(w: Seed, names: Names, entry: TenantEntry) -> Tenant:
    return seed.tenant(w, entry.name, entry.employer_account, entry.desk_email)


def _operator(w: Seed, names: Names, entry: OperatorEntry) -> Operator:
    of, person = names.find(entry.tenant, Tenant), names.find(entry.person, Person)
    return seed.operator(w, of, person, entry.second_factor)


def _claimant(w: Seed, names: Names, entry: ClaimantEntry) -> Claimant:
    return seed.claimant(
        w, names.find(entry.tenant, Tenant), entry.name, entry.ssn_last4, entry.state, entry.reason,
        separated_on=_day(w, entry.separated_on), job_title=entry.job_title,
        manager=names.find(entry.manager, Person) if entry.manager else None,
    )  # fmt: skip


def _claim(w: Seed, names: Names, entry: ClaimEntry) -> Claim:
    me, of = names.find(entry.operator, Operator), names.find(entry.claimant, Claimant)
    with w.on(entry.day, entry.time):
        return seed.claim(w, me, of, entry.number, entry.status)


def _document(w: Seed, names: Names, entry: DocumentEntry) -> Document:
    me = names.find(entry.operator, Operator)
    if (entry.text is None) == (entry.notice is None):
        raise ValueError("a document has either a text or a notice")
    text = entry.text if entry.notice is None else _printed(w, names, me, entry, entry.notice)
    with w.on(entry.day, entry.time):
        return seed.document(w, me, entry.kind, entry.name, text or "")


def _printed(w: Seed, names: Names, me: Operator, entry: DocumentEntry, printed: PrintedNotice) -> str:
    if entry.claim is None:
        raise ValueError("a notice names its claim")
    claim = names.find(entry.claim, Claim)
    of, employer = w.world.get(Claimant, claim.claimant_id), w.world.get(Tenant, me.tenant_id)
    assert of is not None and employer is not None
    notice_date = _day(w, printed.notice_date)
    assert notice_date is not None
    return rules.notice(rules.NoticeFacts(
        type=printed.type, state=claim.state, reference=printed.reference, claim_number=claim.number,
        claimant_name=of.name, ssn_last4=of.ssn_last4, employer_name=employer.name,
        employer_account=employer.employer_account, notice_date=notice_date,
        mail_date=_day(w, printed.mail_date), printed_due=_day(w, printed.printed_due), body=printed.body,
    ))  # fmt: skip


def _notice(w: Seed, names: Names, entry: NoticeEntry) -> Notice:
    me, claim = names.find(entry.operator, Operator), names.find(entry.claim, Claim)
    with w.on(entry.day, entry.time):
        return seed.notice(w, me, claim, names.find(entry.document, Document))


def _questionnaire(w: Seed, names: Names, entry: QuestionnaireEntry) -> Any:
    me, claim = names.find(entry.operator, Operator), names.find(entry.claim, Claim)
    with w.on(entry.day, entry.time):
        made = seed.questionnaire(w, me, claim, entry.category, sent=entry.sent)
        return seed.answered_by_telephone(w, me, made, entry.answers) if entry.answers else made


def _protest(w: Seed, names: Names, entry: ProtestEntry) -> Draft:
    me, about = names.find(entry.operator, Operator), names.find(entry.notice, Notice)
    with w.on(entry.day, entry.time):
        return seed.draft(w, me, about, entry.body, filed=entry.filed)


SECTIONS = {
    "tenants": Section(TenantEntry, _tenant),
    "operators": Section(OperatorEntry, _operator),
    "claimants": Section(ClaimantEntry, _claimant),
    "claims": Section(ClaimEntry, _claim),
    "documents": Section(DocumentEntry, _document),
    "notices": Section(NoticeEntry, _notice),
    "questionnaires": Section(QuestionnaireEntry, _questionnaire),
    "protests": Section(ProtestEntry, _protest),
}
