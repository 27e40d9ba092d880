"""The desk's tables, a typed row class for each. Instants (`*_at`) are run-clock UTC milliseconds.

Money is cents. What a guard states is never a rule of a table: every column but the key may hold anything, so
that a wrong end state can exist and be refused.
"""

from __future__ import annotations

from datetime import date

from fakes.core.store import Row


class Tenant(Row, table="cd_tenants", indexes=("seq",)):
    """An employer whose claims the desk handles. Nothing of one tenant is visible to another.

    `chases_by_hand`: the desk mails no reminder by itself; its operators send those that are due.
    """

    id: str
    seq: int
    name: str
    employer_account: str
    desk_email: str
    chases_by_hand: bool | None


class Operator(Row, table="cd_operators", indexes=("person_id, seq", "tenant_id, seq")):
    """A log-in at the desk. `second_factor` is "totp" or "email"."""

    id: str
    seq: int
    tenant_id: str
    person_id: str
    email: str
    name: str
    second_factor: str
    disabled_at: int | None


class Claimant(Row, table="cd_claimants", indexes=("tenant_id, seq", "tenant_id, ssn_last4")):
    """A former worker. The manager is who answers questionnaires about the separation."""

    id: str
    seq: int
    tenant_id: str
    name: str
    ssn_last4: str
    state: str
    job_title: str | None
    hired_on: date | None
    last_day_worked: date | None
    separated_on: date | None
    separation_reason: str | None
    manager_name: str | None
    manager_email: str | None


class Claim(Row, table="cd_claims", indexes=("tenant_id, seq", "claimant_id, seq", "tenant_id, number")):
    """A claim for benefits. `status`: open, protested, won, lost, closed."""

    id: str
    seq: int
    tenant_id: str
    claimant_id: str
    number: str
    state: str
    status: str
    filed_on: date | None
    opened_at: int
    opened_by: str | None


class Document(
    Row,
    table="cd_documents",
    indexes=("tenant_id, seq", "object_id", "tenant_id, kind, audit_started_at"),
):
    """A paper. `kind`: statement, notice, other. `byte_size` is the stored object's."""

    id: str
    seq: int
    tenant_id: str
    kind: str
    name: str
    object_id: str | None
    byte_size: int | None
    uploaded_by: str | None
    uploaded_at: int
    audit_started_at: int | None


class Statement(Row, table="cd_statements", indexes=("tenant_id, seq", "document_id")):
    """A quarterly charge statement that was audited. Its totals are never stored: they are sums of lines."""

    id: str
    seq: int
    tenant_id: str
    document_id: str
    state: str
    quarter: str
    statement_date: date | None
    printed_due: date | None
    printed_total_cents: int | None
    created_at: int


class StatementLine(
    Row, table="cd_statement_lines", indexes=("statement_id, seq", "tenant_id, seq", "claim_id, seq")
):
    """One charge. `mark` is "expected" or "questionable", `reason` the sentence that says why."""

    id: str
    seq: int
    tenant_id: str
    statement_id: str
    claimant_name: str
    ssn_last4: str
    first_week: date | None
    last_week: date | None
    weeks: int
    separation_reason: str
    amount_cents: int
    claim_id: str | None
    mark: str
    reason: str


class Notice(
    Row,
    table="cd_notices",
    indexes=(
        "tenant_id, seq",
        "claim_id, seq",
        "document_id",
        "tenant_id, needs_human",
        "tenant_id, answered_at",
    ),
):
    """What a state agency mailed, as the desk recorded it, with the deadline that the desk computed.

    `due_disagreement`: the paper prints another date than the rule gives. `needs_human` never stands without
    `needs_human_reason`. `answered_at`: the agency has its answer, in another way than by a protest.
    """

    id: str
    seq: int
    tenant_id: str
    claim_id: str | None
    claimant_id: str | None
    document_id: str | None
    type: str
    state: str
    notice_date: date | None
    mail_date: date | None
    printed_due: date | None
    due_computed: date | None
    due_rule: str | None
    due_disagreement: bool | None
    needs_human: bool | None
    needs_human_reason: str | None
    flagged_by: str | None
    recorded_at: int
    recorded_by: str | None
    answered_at: int | None


class FactRequest(
    Row,
    table="cd_fact_requests",
    indexes=("tenant_id, seq", "claim_id, seq", "link_digest", "tenant_id, answered_at"),
):
    """A questionnaire about a separation. `status`: draft, sent, answered. `due_at` equals `expires_at`.

    The public link's secret follows from the world's; only its digest is stored.
    """

    id: str
    seq: int
    tenant_id: str
    claim_id: str
    state: str
    category: str
    status: str
    manager_name: str | None
    manager_email: str | None
    link_digest: str
    due_at: int | None
    expires_at: int | None
    sent_at: int | None
    message_id: str | None
    answered_at: int | None
    created_at: int
    created_by: str | None


class FactQuestion(Row, table="cd_fact_questions", indexes=("request_id, position",)):
    """A question, copied from the state's set on opening. `kind`: text, date, yes_no."""

    id: str
    seq: int
    tenant_id: str
    request_id: str
    position: int
    code: str
    text: str
    kind: str


class FactAnswer(Row, table="cd_fact_answers", indexes=("request_id, seq", "question_id")):
    """An answer, with the address it was answered by; `via` is "link" (the manager) or "desk" (telephone)."""

    id: str
    seq: int
    tenant_id: str
    request_id: str
    question_id: str
    text: str | None
    answered_by: str | None
    via: str
    answered_at: int


class Chase(
    Row,
    table="cd_chases",
    indexes=("tenant_id, seq", "request_id, due_at", "tenant_id, sent_at, due_at"),
):
    """A reminder of a questionnaire, due some days before its last day, mailed once.

    `sent_by` is the operator's address; None where the desk sent it by itself.
    """

    id: str
    seq: int
    tenant_id: str
    request_id: str
    days_before: int
    due_at: int
    sent_at: int | None
    sent_by: str | None
    message_id: str | None


class Draft(
    Row, table="cd_drafts", indexes=("tenant_id, seq", "notice_id", "claim_id, seq", "tenant_id, filed_at")
):
    """A protest of a notice. `status`: draft, filed."""

    id: str
    seq: int
    tenant_id: str
    notice_id: str
    claim_id: str | None
    title: str
    body: str
    status: str
    created_at: int
    created_by: str | None
    updated_at: int
    filed_at: int | None
    filed_by: str | None


class Event(Row, table="cd_events", indexes=("tenant_id, seq", "subject_id, seq")):
    """The desk's log: who did what to which row."""

    id: str
    seq: int
    tenant_id: str
    at: int
    actor: str | None
    kind: str
    subject_id: str | None
    summary: str


class Webhook(Row, table="cd_webhooks", indexes=("tenant_id, seq",)):
    """A program outside that is told of events; `events` are their names with spaces between."""

    id: str
    seq: int
    tenant_id: str
    url: str
    events: str
    created_at: int
    created_by: str | None


TABLES: tuple[type[Row], ...] = (
    Tenant, Operator, Claimant, Claim, Document, Statement, StatementLine, Notice, FactRequest, FactQuestion,
    FactAnswer, Chase, Draft, Event, Webhook,
)  # fmt: skip
