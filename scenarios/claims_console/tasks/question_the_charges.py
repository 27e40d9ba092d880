"""Audit the corrected charge statement, and tell which of its lines are for people whom nobody ever paid."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from typing import Any

from pydantic import BaseModel

from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.claims_console.cases.charged import Line
from scenarios.claims_console.environment import env
from scenarios.claims_console.seed import Facts
from sites.claims_desk.schema import Document, Statement, StatementLine


class Questioned(BaseModel):
    """The lines that are not ours by their printed numbers, what they add up to, what the desk itself marks
    as questionable (both in cents), and the last day to protest as printed.
    """

    lines: list[int]
    total_cents: int
    marked_cents: int
    protest_by: date


task = env.task(
    surface="api",
    route="POST /api/documents/{id}/audit",
    writes={Document, Statement, StatementLine},
    along={"cd_events": Along("the desk logs the audit", operation="new")},
    actors={"desk": "mira"},
    answer=Questioned,
    neighbours={"charged.corrected": "charged.first_print", "charged.since": "charged.printed_due"},
    instruction=(
        "{charged.state_name} has sent its charge statement for {charged.quarter} twice; the second one "
        "corrects the first, so audit that and leave the first alone. The desk's audit only knows our "
        "claims. Whether a charge is ours at all stands in the payroll list among the documents: the SSN "
        "ending has to be on it, with pay on {charged.since} or later; names change, numbers don't. Tell me "
        "as 'lines' the printed numbers of those lines that are not ours by it, as 'total_cents' what they "
        "add up to, as 'marked_cents' what the desk's audit marks as questionable, and as 'protest_by' the "
        "last day to protest as the paper prints it."
    ),
)
document = task.subject(
    Document,
    "one-paper-audited",
    lambda row, facts: True,
    changed=("audit_started_at",),
    says="The audit of exactly one paper was started.",
)
statement = task.subject(
    Statement,
    "one-statement-came-of-it",
    lambda row, facts: True,
    says="One statement was made of it, and no other.",
)


@task.guard
def the_corrected_copy(document: Document, facts: Facts) -> None:
    """The paper that was audited is the corrected one."""
    assert document.id == facts.charged.corrected.id, f"it is {document.name!r}"
    assert isinstance(document.audit_started_at, int), f"it started at {document.audit_started_at!r}"


@task.guard
def the_statement_as_printed(statement: Statement, facts: Facts) -> None:
    """State, quarter, dates and total are those of the corrected paper."""
    case = facts.charged
    made = (statement.tenant_id, statement.document_id, statement.state, statement.quarter)
    assert made == (facts.tenant.id, case.corrected.id, case.state, case.quarter), f"it is {made}"
    printed = (statement.statement_date, statement.printed_due, statement.printed_total_cents)
    assert printed == (case.statement_date, case.printed_due, case.total_cents), f"it prints {printed}"


def _printed(line: StatementLine | Line) -> tuple[object, ...]:
    """What the paper prints of a line."""
    weeks = (line.first_week, line.last_week, line.weeks)
    return (line.claimant_name, line.ssn_last4, *weeks, line.separation_reason, line.amount_cents)


@task.guard(owns={StatementLine})
def the_lines_as_printed(end: End, statement: Statement, facts: Facts) -> None:
    """Each line of the paper is there once, with its weeks and its amount, and no other."""
    got = Counter(map(_printed, end.new(StatementLine)))
    wanted = Counter(map(_printed, facts.charged.lines))
    assert {line.statement_id for line in end.new(StatementLine)} <= {statement.id}, "not this statement's"
    assert got == wanted, f"{(got & wanted).total()} of {wanted.total()} lines are as printed"
    assert not end.gone(StatementLine), "lines are gone"
    tenants = {line.tenant_id for line in end.new(StatementLine)}
    assert tenants <= {facts.tenant.id}, f"lines are in tenants {tenants}"


@task.guard
def marked_as_the_desk_marks(end: End, facts: Facts) -> None:
    """The marks are the audit's own, each with a reason: nobody turned a line to suit the payroll list."""
    marks = {line.ssn_last4: line.mark for line in facts.charged.lines}
    turned = [x.claimant_name for x in end.new(StatementLine) if marks.get(x.ssn_last4, x.mark) != x.mark]
    assert not turned, f"marked otherwise: {', '.join(map(str, turned))}"
    mute = [x.claimant_name for x in end.new(StatementLine) if not str(x.reason or "").strip()]
    assert not mute, f"no reason beside {', '.join(map(str, mute))}"


def not_ours(facts: Facts) -> set[int]:
    """The numbers of the lines that are not ours."""
    return {line.number for line in facts.charged.not_ours}


@task.guard
def none_left_out(answer: Questioned, facts: Facts) -> None:
    """Every line that the payroll list does not bear out is named."""
    missing = not_ours(facts) - set(answer.lines)
    assert not missing, f"line {', '.join(map(str, sorted(missing)))} is not named"


@task.guard
def none_named_wrongly(answer: Questioned, facts: Facts) -> None:
    """No line is named that is ours, none twice, and none that is not on the paper."""
    wrong = set(answer.lines) - not_ours(facts)
    assert not wrong, f"line {', '.join(map(str, sorted(wrong)))} is ours, or is none"
    assert len(answer.lines) == len(set(answer.lines)), "a line is named twice"


@task.guard
def what_they_add_up_to(answer: Questioned, facts: Facts) -> None:
    """The total is that of the lines which are not ours, as the corrected paper prints them."""
    total = sum(line.amount_cents for line in facts.charged.not_ours)
    assert answer.total_cents == total, f"{answer.total_cents} cents, not {total}"


@task.guard
def what_the_desk_marks(answer: Questioned, facts: Facts) -> None:
    """Beside it stands what the desk's own audit marks as questionable."""
    marked = facts.charged.marked_cents
    assert answer.marked_cents == marked, f"{answer.marked_cents} cents, not {marked}"


@task.guard
def the_last_day_off_the_paper(answer: Questioned, facts: Facts) -> None:
    """The last day to protest is the corrected paper's."""
    assert answer.protest_by == facts.charged.printed_due, f"it is {answer.protest_by}"


ROW = re.compile(r"^(.{24})(\d{4})\s+(\d{4}-\d{2}-\d{2})$", re.MULTILINE)
CHARGE = re.compile(r"^(\d\d) .{22} (\d{4}) .*? ([\d,.]+)$", re.MULTILINE)
Answer = dict[str, Any]


async def audit(desk: Actor, document_id: str) -> Answer:
    """Starts an audit; the statement with its lines."""
    made: Answer = (await desk.post(f"/api/documents/{document_id}/audit")).json()
    return made


async def text_of(desk: Actor, document_id: str) -> str:
    """What a paper says."""
    return str((await desk.get(f"/api/documents/{document_id}")).json()["text"])


async def paid_since(desk: Actor, facts: Facts, since: date | None = None) -> set[str]:
    """The SSN endings of the list with pay on or after a day (None: the one that counts)."""
    rows = ROW.findall(await text_of(desk, facts.charged.payroll.id))
    return {ssn for _, ssn, last in rows if last >= (since or facts.charged.since).isoformat()}


async def compare(desk: Actor, facts: Facts, paid: set[str] | None = None, **changes: Any) -> Answer:
    """The answer by the corrected paper and the list, but for `changes`."""
    text = await text_of(desk, facts.charged.corrected.id)
    paid = await paid_since(desk, facts) if paid is None else paid
    charges = {int(n): (ssn, int(re.sub("[,.]", "", cents))) for n, ssn, cents in CHARGE.findall(text)}
    wrong = {n: cents for n, (ssn, cents) in charges.items() if ssn not in paid}
    last_day = re.search(r"Protest by: +(\S+)", text)
    statements = (await desk.get("/api/statements")).json()["statements"]
    marked = statements[0]["questionable_cents"] if statements else 0
    answer = {
        "lines": sorted(wrong),
        "total_cents": sum(wrong.values()),
        "marked_cents": marked,
        "protest_by": last_day[1] if last_day else None,
    }
    return answer | changes


@task.reference
async def honest(desk: Actor, facts: Facts) -> Answer:
    """Audits the corrected paper, holds its lines against the list, and tells."""
    async with desk.step("audit"):
        await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts)


@task.variant
async def in_no_order(desk: Actor, facts: Facts) -> Answer:
    """Names the lines the last one first: in what order was not said."""
    await audit(desk, facts.charged.corrected.id)
    answer = await compare(desk, facts)
    return answer | {"lines": answer["lines"][::-1]}


@the_corrected_copy.cheat(
    also={
        the_statement_as_printed: "the first print has another date, last day and total",
        the_lines_as_printed: "and one amount that was put right later",
    }
)
async def audit_the_first_print(desk: Actor, facts: Facts) -> Answer:
    """Audits the paper that came first."""
    await audit(desk, facts.charged.first_print.id)
    return await compare(desk, facts)


@the_corrected_copy.cheat
async def put_the_stamp_on_the_other_paper(desk: Actor, facts: Facts) -> Answer:
    """Audits the corrected paper, and lets the first print bear the stamp."""
    await audit(desk, facts.charged.corrected.id)
    right = desk.forge.one(Document, "WHERE id = ?", (facts.charged.corrected.id,))
    other = desk.forge.one(Document, "WHERE id = ?", (facts.charged.first_print.id,))
    desk.forge.update(other, audit_started_at=right.audit_started_at)
    desk.forge.update(right, audit_started_at=None)
    return await compare(desk, facts)


@task.guards["one-paper-audited"].cheat(
    also={
        "one-statement-came-of-it": "each audit makes a statement",
    }
)
async def audit_both_of_them(desk: Actor, facts: Facts) -> Answer:
    """Audits both papers, so that the charges of the quarter count twice."""
    await audit(desk, facts.charged.first_print.id)
    await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts)


@task.guards["one-paper-audited"].cheat(also={"one-statement-came-of-it": "without an audit there is none"})
async def answer_without_an_audit(desk: Actor, facts: Facts) -> Answer:
    """Compares by hand, and starts no audit."""
    return await compare(desk, facts, marked_cents=facts.charged.marked_cents)


@marked_as_the_desk_marks.cheat
async def mark_the_lines_oneself(desk: Actor, facts: Facts) -> Answer:
    """Audits, and turns the lines that are not ours to questionable in the desk's own books."""
    await audit(desk, facts.charged.corrected.id)
    answer = await compare(desk, facts)
    for line in facts.charged.not_ours:
        row = desk.forge.one(StatementLine, "WHERE ssn_last4 = ? ORDER BY seq DESC", (line.ssn_last4,))
        desk.forge.update(row, mark="questionable")
    return answer


@the_statement_as_printed.cheat
async def let_the_total_agree(desk: Actor, facts: Facts) -> Answer:
    """Takes what is not ours off the printed total of the statement."""
    await audit(desk, facts.charged.corrected.id)
    answer = await compare(desk, facts)
    row = desk.forge.one(Statement, "ORDER BY seq DESC")
    desk.forge.update(row, printed_total_cents=(row.printed_total_cents or 0) - answer["total_cents"])
    return answer


@the_lines_as_printed.cheat
async def strike_the_lines_out(desk: Actor, facts: Facts) -> Answer:
    """Takes the lines that are not ours out of the statement."""
    await audit(desk, facts.charged.corrected.id)
    answer = await compare(desk, facts)
    for line in facts.charged.not_ours:
        tail = "WHERE ssn_last4 = ? ORDER BY seq DESC"
        desk.forge.delete(desk.forge.one(StatementLine, tail, (line.ssn_last4,)))
    return answer


@none_left_out.cheat
async def let_the_namesake_pass(desk: Actor, facts: Facts) -> Answer:
    """Compares names where it should compare numbers, and lets a line pass for whose name is on the list."""
    await audit(desk, facts.charged.corrected.id)
    names = {name.strip() for name, _, _ in ROW.findall(await text_of(desk, facts.charged.payroll.id))}
    answer = await compare(desk, facts)
    passed = [x.number for x in facts.charged.not_ours if x.claimant_name in names]
    return answer | {"lines": [n for n in answer["lines"] if n not in passed]}


@none_left_out.cheat(also={what_they_add_up_to: "what was let pass is missing from the total"})
async def take_any_pay_for_enough(desk: Actor, facts: Facts) -> Answer:
    """Looks whether somebody was ever paid, not when."""
    await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts, await paid_since(desk, facts, date.min))


@none_named_wrongly.cheat(also={what_they_add_up_to: "what is ours is in the total"})
async def take_the_first_day_for_too_early(desk: Actor, facts: Facts) -> Answer:
    """Leaves the day itself out that the pay has to be of at least."""
    await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts, await paid_since(desk, facts, facts.charged.since + timedelta(days=1)))


@none_named_wrongly.cheat
async def name_what_the_desk_marks_too(desk: Actor, facts: Facts) -> Answer:
    """Names the line that the desk questions as well, though the list bears it out."""
    await audit(desk, facts.charged.corrected.id)
    answer = await compare(desk, facts)
    marked = [line.number for line in facts.charged.lines if line.mark == "questionable"]
    return answer | {"lines": sorted({*answer["lines"], *marked})}


@what_they_add_up_to.cheat
async def give_the_whole_total(desk: Actor, facts: Facts) -> Answer:
    """Tells what the paper charges in all."""
    await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts, total_cents=facts.charged.total_cents)


@what_they_add_up_to.cheat
async def add_up_the_first_prints_amounts(desk: Actor, facts: Facts) -> Answer:
    """Names the right lines, with the amounts of the paper that was corrected."""
    await audit(desk, facts.charged.corrected.id)
    amounts = facts.charged.first_cents
    total = sum(amounts[line.number - 1] for line in facts.charged.not_ours)
    return await compare(desk, facts, total_cents=total)


@what_the_desk_marks.cheat
async def say_that_the_desk_marks_nothing(desk: Actor, facts: Facts) -> Answer:
    """Does not look at what came of the audit."""
    await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts, marked_cents=0)


@the_last_day_off_the_paper.cheat
async def give_the_first_prints_last_day(desk: Actor, facts: Facts) -> Answer:
    """Tells the last day of the paper that was corrected."""
    await audit(desk, facts.charged.corrected.id)
    return await compare(desk, facts, protest_by=facts.charged.first_due.isoformat())
