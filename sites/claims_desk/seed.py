"""Builders that fill a desk, used by scenarios. What happened is written by the desk's own verbs at its own
time: `with w.on(-3, "10:15"): questionnaire(w, me, claim, "lack_of_work")`. Dates go by the run clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from fakes.core.people import Person
from fakes.core.seeding import Seed
from sites.claims_desk import rules
from sites.claims_desk.rules import NoticeType, StatementLine, charge_statement
from sites.claims_desk.schema import (
    Chase,
    Claim,
    Claimant,
    Document,
    Draft,
    FactRequest,
    Notice,
    Operator,
    Statement,
    Tenant,
)
from sites.claims_desk.store import chases, claims, ledger, notices, protests, questionnaires
from sites.claims_desk.store.notices import NoticeInput
from sites.claims_desk.store.questionnaires import AnswerInput

SecondFactor = Literal["totp", "email"]
Reason = Literal["discharge_misconduct", "voluntary_quit", "lack_of_work"]

_PA_ACCOUNT = "80-11902"


# one row or deed each


def tenant(w: Seed, name: str, account: str, desk_email: str) -> Tenant:
    """An employer; its desk's mail comes from `desk_email`."""
    return w.insert(Tenant(
        id=w.new_id("cd_tenant", prefix="ten_"), seq=w.seq("cd_tenant"), name=name, employer_account=account,
        desk_email=desk_email, chases_by_hand=False,
    ))  # fmt: skip


def operator(w: Seed, of: Tenant, person: Person, second_factor: SecondFactor = "totp") -> Operator:
    """A log-in of a person who lives in the world; password as in `people.password`."""
    return w.insert(Operator(
        id=w.new_id("cd_operator", prefix="opr_"), seq=w.seq("cd_operator"), tenant_id=of.id,
        person_id=person.id, email=person.email, name=person.name, second_factor=second_factor,
        disabled_at=None,
    ))  # fmt: skip


def claimant(
    w: Seed,
    of: Tenant,
    name: str,
    ssn_last4: str,
    state: str,
    reason: Reason | None = None,
    *,
    separated_on: date | None = None,
    last_day_worked: date | None = None,
    job_title: str | None = None,
    manager: Person | None = None,
) -> Claimant:
    """A former worker, hired two years before the separation; the last day worked is the one before it, if
    not said.
    """
    if last_day_worked is None and separated_on is not None:
        last_day_worked = separated_on - timedelta(days=1)
    return w.insert(Claimant(
        id=w.new_id("cd_claimant", prefix="cmt_"), seq=w.seq("cd_claimant"), tenant_id=of.id, name=name,
        ssn_last4=ssn_last4, state=state, job_title=job_title,
        hired_on=separated_on - timedelta(days=731) if separated_on else None,
        last_day_worked=last_day_worked,
        separated_on=separated_on, separation_reason=reason,
        manager_name=manager.name if manager else None, manager_email=manager.email if manager else None,
    ))  # fmt: skip


def claim(
    w: Seed, me: Operator, of: Claimant, number: str, status: str = "open", *, filed_on: date | None = None
) -> Claim:
    """A claim that the desk opens at this moment; filed with the agency the day before, if not said."""
    opened = w.insert(Claim(
        id=w.new_id("cd_claim", prefix="clm_"), seq=w.seq("cd_claim"), tenant_id=of.tenant_id,
        claimant_id=of.id, number=number, state=of.state, status=status, filed_on=filed_on or w.day(-1),
        opened_at=w.world.now(), opened_by=me.email,
    ))  # fmt: skip
    claims.note_opened(w.tx, w.world, me, opened, of)
    return opened


def document(w: Seed, me: Operator, kind: str, name: str, text: str) -> Document:
    """A paper with its bytes stored."""
    slot = ledger.start_upload(w.world, me, name, kind, "text/plain")
    ledger.put_upload(w.world, me, slot.id, text.encode())
    return ledger.confirm_upload(w.world, me, slot.id, kind)


def notice_paper(
    of: Tenant,
    whom: Claimant,
    type: NoticeType,
    reference: str,
    mailed: date,
    body: str,
    *,
    account: str,
    name: str | None = None,
    ssn_last4: str | None = None,
    claim_number: str | None = None,
    printed_due: date | None = None,
) -> str:
    """The text of a notice about a claimant, dated and mailed on one day, with the last day that the rules
    give; what is given otherwise is printed so.
    """
    due = notices.deadline(whom.state, type, mailed, mailed, None).computed
    return rules.notice(rules.NoticeFacts(
        type=type, state=whom.state, reference=reference, claim_number=claim_number,
        claimant_name=name or whom.name, ssn_last4=ssn_last4 or whom.ssn_last4, employer_name=of.name,
        employer_account=account, notice_date=mailed, mail_date=mailed, printed_due=printed_due or due,
        body=body,
    ))  # fmt: skip


def notice(w: Seed, me: Operator, of: Claim, paper: Document) -> Notice:
    """A notice recorded as its paper prints it."""
    printed = rules.read_notice(ledger.text_of(w.world, me, paper.id) or "")
    return notices.record_notice(w.world, me, NoticeInput(
        type=printed.type, state=printed.state, document_id=paper.id, notice_date=printed.notice_date,
        mail_date=printed.mail_date, printed_due=printed.printed_due, claim_id=of.id,
    ))  # fmt: skip


def paperless_notice(
    w: Seed, me: Operator, of: Claim, type: str, mail_date: date, printed_due: date | None = None
) -> Notice:
    """A notice from before papers were scanned: no document behind it."""
    due = notices.deadline(of.state, type, mail_date, mail_date, printed_due)
    made = w.insert(Notice(
        id=w.new_id("cd_notice", prefix="ntc_"), seq=w.seq("cd_notice"), tenant_id=of.tenant_id,
        claim_id=of.id, claimant_id=of.claimant_id, document_id=None, type=type, state=of.state,
        notice_date=mail_date, mail_date=mail_date, printed_due=printed_due, due_computed=due.computed,
        due_rule=due.rule, due_disagreement=due.disagreement, needs_human=due.reason is not None,
        needs_human_reason=due.reason, flagged_by=None, recorded_at=w.world.now(), recorded_by=me.email,
        answered_at=None,
    ))  # fmt: skip
    notices.note_recorded(w.tx, w.world, me, made, of, claims.claimant_of(w.world, me, of.claimant_id))
    return made


def audited_statement(w: Seed, me: Operator, name: str, text: str) -> Statement:
    """A charge statement, uploaded and audited."""
    return ledger.start_audit(w.world, me, document(w, me, "statement", name, text).id)


def questionnaire(w: Seed, me: Operator, of: Claim, category: str, *, sent: bool = False) -> FactRequest:
    """A questionnaire of the claim's state; `sent` mails the manager, so the world needs a mail service."""
    made = questionnaires.open_fact_request(w.world, me, of.id, of.state, category)
    return questionnaires.send_fact_request(w.world, me, made.id) if sent else made


def answered_by_telephone(w: Seed, me: Operator, request: FactRequest, texts: Sequence[str]) -> FactRequest:
    """Answers that an operator took down, to the first `len(texts)` questions."""
    questions = questionnaires.fact_request(w.world, me, request.id).questions
    given = [AnswerInput(question.id, text) for question, text in zip(questions, texts, strict=False)]
    questionnaires.answer(w.world, request.id, given, me)
    return questionnaires.fact_request(w.world, me, request.id).request


def answered_through_the_link(
    w: Seed, me: Operator, request: FactRequest, texts: Sequence[str]
) -> FactRequest:
    """Answers that the manager gave on the page behind the link, to the first `len(texts)` questions."""
    view = questionnaires.fact_request(w.world, me, request.id)
    given = [AnswerInput(question.id, text) for question, text in zip(view.questions, texts, strict=False)]
    questionnaires.answer(w.world, request.id, given, questionnaires.manager_of(view))
    return questionnaires.fact_request(w.world, me, request.id).request


def reminded(w: Seed, me: Operator, request: FactRequest, days_before: int) -> Chase:
    """The questionnaire's reminder of so many days before its last day, sent by an operator."""
    lines = chases.of_request(w.world, me, request.id)
    return chases.send(w.world, me, next(x.chase.id for x in lines if x.chase.days_before == days_before))


def reminders_of(w: Seed, me: Operator, request: FactRequest) -> tuple[Chase, ...]:
    """The questionnaire's reminders, the earliest first."""
    return tuple(line.chase for line in chases.of_request(w.world, me, request.id))


def reminders_by_hand(w: Seed, me: Operator) -> None:
    """From this moment on the tenant's reminders wait for an operator."""
    chases.set_by_hand(w.world, me, True)


def draft(w: Seed, me: Operator, about: Notice, body: str, *, filed: bool = False) -> Draft:
    """A protest of a notice."""
    made = protests.open_draft(w.world, me, about.id, body=body)
    return protests.file_draft(w.world, me, made.id) if filed else made


# a desk that has been at work


@dataclass(frozen=True)
class Neighbour:
    """Another employer at the same desk: nothing of it may be seen or touched by Harborlight's operators."""

    tenant: Tenant
    operator: Operator
    claimant: Claimant
    claim: Claim
    document: Document
    notice: Notice
    request: FactRequest
    draft: Draft
    statement: Statement


@dataclass(frozen=True)
class Desk:
    """Harborlight's desk. `determination` is Dana's, not recorded yet; its paper prints `printed`, whose
    last day is earlier than the rules give (`computed`); `request` is the open misconduct questionnaire on
    Lindqvist's claim, sent and unanswered. `q3_text` is the quarterly statement that nobody has uploaded yet.
    """

    tenant: Tenant
    operators: tuple[Operator, ...]
    manager: Person
    dana: Claimant
    dana_claim: Claim
    marcus: Claimant
    marcus_claim: Claim
    lindqvist: Claimant
    lindqvist_claim: Claim
    determination: Document
    printed: rules.NoticeFacts
    computed: date
    request: FactRequest
    q3_name: str
    q3_text: str
    q3_charges: tuple[tuple[str, int], ...]
    neighbour: Neighbour


def harborlight_desk(w: Seed, *, operators: Sequence[Person], manager: Person, outsider: Person) -> Desk:
    """Harborlight's desk after six weeks, and a neighbour whose operator is `outsider`.

    The first operator logs in with an authenticator, the others with mailed codes. `manager` answers for all
    claimants. The world needs a mail service.
    """
    ours = tenant(w, rules.HARBORLIGHT_NAME, rules.HARBORLIGHT_NY_ACCOUNT, "claims@harborlight.example")
    team = tuple(operator(w, ours, person, "email" if n else "totp") for n, person in enumerate(operators))
    me = team[0]
    neighbour = _neighbour(w, outsider)
    _charged_in_q3(w, me, ours, manager)
    _earlier_quarter(w, me, ours, manager)
    _older_claims(w, me, ours, manager)
    (marcus, marcus_claim), (dana, dana_claim) = _whitfields(w, me, ours, manager)
    lindqvist, lindqvist_claim = _lindqvist(w, me, ours, manager)
    with w.on(-3, "10:15"):
        request = questionnaire(w, me, lindqvist_claim, "discharge_misconduct", sent=True)
    determination, printed = _determination(w, me, ours, dana)
    return Desk(
        tenant=ours, operators=team, manager=manager, dana=dana, dana_claim=dana_claim, marcus=marcus,
        marcus_claim=marcus_claim, lindqvist=lindqvist, lindqvist_claim=lindqvist_claim,
        determination=determination, printed=printed, computed=_computed(printed), request=request,
        q3_name=f"ny-charge-statement-q3-{rules.q3_year(w.day()):04d}.txt", q3_text=q3_text(w.day()),
        q3_charges=tuple(
            (line.claimant_name, line.amount_cents) for line in rules.q3_lines(w.day(), Q3_CHARGES)
        ),
        neighbour=neighbour,
    )  # fmt: skip


Q3_CHARGES = (
    rules.Q3Charge("Rosa Delgado", "2291", "lack_of_work", 2, 12, 50400),
    rules.Q3Charge("Howard Pruitt", "7140", "voluntary_quit", 4, 6, 41200),
    rules.Q3Charge("Yusuf Adeyemi", "5518", "lack_of_work", 6, 8, 46050),
    rules.Q3Charge("Terrence Boyd", "3906", "lack_of_work", 3, 4, 91200),
    rules.Q3Charge("Ines Calloway", "8832", "other", 8, 3, 38000),
    rules.Q3Charge("Rosa Delgado", "2291", "lack_of_work", 12, 2, 50400),
)


def q3_text(today: date) -> str:
    """The Q3 New York charge statement as mailed four days before `today`: 1,057 bytes on every date."""
    return rules.q3_statement(today, Q3_CHARGES)


def _charged_in_q3(w: Seed, me: Operator, ours: Tenant, manager: Person) -> None:
    """Four of the five people on the Q3 statement have claims, and separated shortly before its weeks."""
    july = rules.q3_weeks(rules.q3_year(w.day()))[0]
    people: tuple[tuple[str, str, Reason, str, str, str], ...] = (
        ("Rosa Delgado", "2291", "lack_of_work", "Packing lead", "NY-3380114-2", "open"),
        ("Howard Pruitt", "7140", "voluntary_quit", "Forklift driver", "NY-3380562-8", "lost"),
        ("Yusuf Adeyemi", "5518", "lack_of_work", "Dock planner", "NY-3381977-0", "open"),
        ("Terrence Boyd", "3906", "lack_of_work", "Night guard", "NY-3382408-5", "closed"),
    )
    for n, (name, ssn, reason, job, number, status) in enumerate(people):
        with w.on(july - timedelta(days=12 - 2 * n), "11:20"):
            left = july - timedelta(days=20 - 2 * n)
            gone = claimant(
                w, ours, name, ssn, "NY", reason, separated_on=left, job_title=job, manager=manager
            )
            claim(w, me, gone, number, status)


def _earlier_quarter(w: Seed, me: Operator, ours: Tenant, manager: Person) -> None:
    """A Pennsylvania statement of the last whole quarter, audited six weeks ago, and its claim."""
    dated = w.day(-45)
    year, quarter = (dated.year, (dated.month - 1) // 3) if dated.month > 3 else (dated.year - 1, 4)
    last_day = date(year + quarter // 4, quarter % 4 * 3 + 1, 1) - timedelta(days=1)
    last_week = last_day - timedelta(days=(last_day.weekday() + 2) % 7)  # weeks there end on Saturdays
    left = last_week - timedelta(days=50)
    lines = (
        rules.StatementLine(
            "Colin Mbeki", "6675", last_week - timedelta(weeks=3), last_week, 4, "lack_of_work", 184000
        ),
        rules.StatementLine(
            "Greta Sandoval", "1208", last_week - timedelta(weeks=1), last_week, 2, "other", 76400
        ),
    )
    text = rules.charge_statement(
        state="PA", quarter=f"Q{quarter} {year:04d}", employer_name=ours.name, employer_account=_PA_ACCOUNT,
        statement_date=dated, mail_date=dated + timedelta(days=1), printed_due=dated + timedelta(days=22),
        lines=lines,
    )  # fmt: skip
    with w.on(-42, "14:05"):
        mbeki = claimant(
            w, ours, "Colin Mbeki", "6675", "PA", "lack_of_work", separated_on=left, job_title="Sorter",
            manager=manager,
        )  # fmt: skip
        claim(w, me, mbeki, "PA-70219-441", filed_on=left + timedelta(days=8))
        audited_statement(w, me, f"pa-charge-statement-q{quarter}-{year:04d}.txt", text)


def _older_claims(w: Seed, me: Operator, ours: Tenant, manager: Person) -> None:
    """What came in over six weeks, in four more states."""
    with w.on(-41, "10:00"):
        raman = claimant(w, ours, "Anjali Raman", "4471", "NJ", "voluntary_quit", separated_on=w.day(-12),
                         job_title="Bookkeeper", manager=manager)  # fmt: skip
        raman_claim = claim(w, me, raman, "NJ-0553-90812")
    with w.on(-38, "15:30"):
        fischer = claimant(w, ours, "Lena Fischer", "9023", "MA", "lack_of_work", separated_on=w.day(-10),
                           job_title="Showroom assistant", manager=manager)  # fmt: skip
        fischer_claim = claim(w, me, fischer, "MA-2210-0073", "closed")
        paperless_notice(w, me, fischer_claim, "claim_filed", w.day(-3))
    with w.on(-34, "11:10"):
        protested = paperless_notice(w, me, raman_claim, "determination", w.day(-4))
    with w.on(-31, "16:45"):
        draft(
            w,
            me,
            protested,
            "The claimant resigned in writing to move abroad; work was available.",
            filed=True,
        )
    with w.on(-26, "09:15"):
        ostrowski = claimant(w, ours, "Samuel Ostrowski", "3350", "OH", "discharge_misconduct",
                             separated_on=w.day(-15), job_title="Driver", manager=manager)  # fmt: skip
        ostrowski_claim = claim(w, me, ostrowski, "OH-4418-55702")
    with w.on(-22, "13:00"):
        castillo = claimant(w, ours, "Ruben Castillo", "1186", "TX", "lack_of_work", separated_on=w.day(-9),
                            job_title="Stock clerk", manager=manager)  # fmt: skip
        castillo_claim = claim(w, me, castillo, "TX-77120-316")
        asked = questionnaire(w, me, castillo_claim, "lack_of_work")
    with w.on(-20, "10:50"):
        answered_by_telephone(w, me, asked, [
            castillo.last_day_worked.isoformat() if castillo.last_day_worked else "not known",
            "The Houston depot was closed.", "No", "It will not be looked at again.",
            "Two weeks of severance.", "None nearby.",
        ])  # fmt: skip
    with w.on(-12, "09:55"):
        paper = document(w, me, "notice", "oh-hearing-decision-ostrowski.txt", _hearing(w, ours, ostrowski))
        heard = notice(w, me, ostrowski_claim, paper)
    with w.on(-9, "17:20"):
        draft(w, me, heard, "The decision leaves out the second written warning. ")


def _hearing(w: Seed, ours: Tenant, whom: Claimant) -> str:
    mailed = w.day(-3)
    return rules.notice(rules.NoticeFacts(
        type="hearing", state=whom.state, reference="OH-R-26110", claim_number=None, claimant_name=whom.name,
        ssn_last4=whom.ssn_last4, employer_name=ours.name, employer_account="07-66413", notice_date=mailed,
        mail_date=mailed, printed_due=notices.deadline(whom.state, "hearing", mailed, mailed, None).computed,
        body="After a hearing by telephone the discharge was found to be without just cause.",
    ))  # fmt: skip


def _whitfields(w: Seed, me: Operator, ours: Tenant, manager: Person) -> tuple[tuple[Claimant, Claim], ...]:
    """Two people of one surname, employer account and state: only whole name and SSN tell them apart."""
    with w.on(-19, "10:30"):
        marcus = claimant(w, ours, "Marcus Whitfield", "6027", "NY", "lack_of_work", separated_on=w.day(-11),
                          job_title="Line cook", manager=manager)  # fmt: skip
        marcus_claim = claim(w, me, marcus, "NY-3391204-7")
    with w.on(-17, "14:40"):
        dana = claimant(w, ours, "Dana Whitfield", "4413", "NY", "voluntary_quit", separated_on=w.day(-13),
                        job_title="Shift supervisor", manager=manager)  # fmt: skip
        dana_claim = claim(w, me, dana, "NY-3391873-1")
    return (marcus, marcus_claim), (dana, dana_claim)


def _lindqvist(w: Seed, me: Operator, ours: Tenant, manager: Person) -> tuple[Claimant, Claim]:
    with w.on(-8, "09:25"):
        gone = claimant(w, ours, "Astrid Lindqvist", "7754", "PA", "discharge_misconduct",
                        separated_on=w.day(-14), job_title="Warehouse worker", manager=manager)  # fmt: skip
        opened = claim(w, me, gone, "PA-70964-128")
        mailed = w.day(-2)
        paper = document(w, me, "notice", "pa-claim-filed-lindqvist.txt", rules.notice(rules.NoticeFacts(
            type="claim_filed", state="PA", reference="PA-UC45-88213", claim_number=opened.number,
            claimant_name=gone.name, ssn_last4=gone.ssn_last4, employer_name=ours.name,
            employer_account=_PA_ACCOUNT, notice_date=mailed, mail_date=mailed,
            printed_due=notices.deadline("PA", "claim_filed", mailed, mailed, None).computed,
            body="The claimant says that there was no more work. State the facts of the separation.",
        )))  # fmt: skip
        notice(w, me, opened, paper)
    return gone, opened


def _determination(w: Seed, me: Operator, ours: Tenant, dana: Claimant) -> tuple[Document, rules.NoticeFacts]:
    """Dana's determination, in the ledger but not recorded; its last day is ten days too early."""
    dated, mailed = w.day(-6), w.day(-5)
    text = rules.determination(
        state="NY", reference="NY-A-0417-662", claimant_name=dana.name, ssn_last4=dana.ssn_last4,
        employer_name=ours.name, employer_account=ours.employer_account, notice_date=dated, mail_date=mailed,
        printed_due=mailed + timedelta(days=20), eligible=True,
    )  # fmt: skip
    with w.on(-1, "16:10"):
        paper = document(w, me, "notice", "ny-determination-NY-A-0417-662.txt", text)
    return paper, rules.read_notice(text)


def _computed(printed: rules.NoticeFacts) -> date:
    return rules.compute(printed.state, printed.type, printed.notice_date, printed.mail_date).date


def _neighbour(w: Seed, outsider: Person) -> Neighbour:
    """A desk with one row of everything. Its claimant is a Whitfield too; its questionnaire is a draft."""
    theirs = tenant(w, "Cobblestone Foods", "51-90233 8", "claims@cobblestone.example")
    me = operator(w, theirs, outsider)
    with w.on(-37, "10:05"):
        gone = claimant(w, theirs, "Dana Whitfield", "8196", "NY", "lack_of_work", separated_on=w.day(-10),
                        job_title="Baker", manager=outsider)  # fmt: skip
        opened = claim(w, me, gone, "NY-3387730-4")
    mailed = w.day(-35)
    text = rules.determination(
        state="NY", reference="NY-A-0391-108", claimant_name=gone.name, ssn_last4=gone.ssn_last4,
        employer_name=theirs.name, employer_account=theirs.employer_account, notice_date=mailed,
        mail_date=mailed, eligible=True,
        printed_due=notices.deadline("NY", "determination", mailed, mailed, None).computed,
    )  # fmt: skip
    with w.on(-33, "12:00"):
        paper = document(w, me, "notice", "ny-determination-cobblestone.txt", text)
        recorded = notice(w, me, opened, paper)
        protest = draft(w, me, recorded, "The claimant was offered other work.")
        asked = questionnaire(w, me, opened, "lack_of_work")
        weeks = rules.q3_weeks(rules.q3_year(w.day()))
        charged = rules.charge_statement(
            state="NY", quarter=f"Q3 {rules.q3_year(w.day()):04d}", employer_name=theirs.name,
            employer_account=theirs.employer_account, statement_date=mailed, mail_date=mailed,
            printed_due=None, lines=(
                rules.StatementLine(gone.name, gone.ssn_last4, weeks[0], weeks[1], 2, "lack_of_work", 90000),
            ),
        )  # fmt: skip
        audited = audited_statement(w, me, "ny-charge-statement-cobblestone.txt", charged)
    return Neighbour(
        tenant=theirs, operator=me, claimant=gone, claim=opened, document=paper, notice=recorded,
        request=asked, draft=protest, statement=audited,
    )  # fmt: skip


__all__ = [
    "Desk",
    "Neighbour",
    "NoticeType",
    "StatementLine",
    "answered_by_telephone",
    "answered_through_the_link",
    "audited_statement",
    "charge_statement",
    "claim",
    "claimant",
    "document",
    "draft",
    "harborlight_desk",
    "notice",
    "notice_paper",
    "operator",
    "paperless_notice",
    "q3_text",
    "questionnaire",
    "reminded",
    "reminders_by_hand",
    "reminders_of",
    "tenant",
]
