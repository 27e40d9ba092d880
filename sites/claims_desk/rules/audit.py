"""The audit of a charge statement: each line expected or questionable, with the reason in sentences.

A line is questionable as soon as one check finds something; then its reason is every finding, in the order of
the checks. The totals are sums over the marked lines, so the headline and the body of a ledger cannot
disagree.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sites.claims_desk.rules.charging import CHARGING, relieves, weekly_maximum
from sites.claims_desk.rules.money import dollars
from sites.claims_desk.rules.statements import Statement, StatementLine

Mark = Literal["expected", "questionable"]

_REASON_IN_WORDS = {
    "voluntary_quit": "quit voluntarily",
    "discharge_misconduct": "was discharged for misconduct",
    "lack_of_work": "was laid off for lack of work",
}


@dataclass(frozen=True)
class KnownClaim:
    """What the desk knows of a claim. Dates and reason are None until told; `status` "won": a protest won."""

    claimant_name: str
    ssn_last4: str
    state: str
    separation_reason: str | None = None
    separated_on: dt.date | None = None
    last_day_worked: dt.date | None = None
    status: str = "open"
    protest_decided_on: dt.date | None = None
    claim_id: str | None = None


@dataclass(frozen=True)
class AuditedLine:
    """A marked line. `number` counts from 1 as printed; `claim` is the claim that it was held against."""

    number: int
    line: StatementLine
    mark: Mark
    reason: str
    claim: KnownClaim | None


@dataclass(frozen=True)
class Audit:
    """The marked lines and their sums; `headline_note` is a sentence when the paper's headline differs."""

    lines: tuple[AuditedLine, ...]
    headline_note: str | None

    @property
    def expected_cents(self) -> int:
        """What the lines marked expected add up to."""
        return self._sum("expected")

    @property
    def questionable_cents(self) -> int:
        """What the lines marked questionable add up to."""
        return self._sum("questionable")

    @property
    def total_cents(self) -> int:
        """All lines together."""
        return self.expected_cents + self.questionable_cents

    def count(self, mark: Mark) -> int:
        """How many lines carry that mark."""
        return sum(1 for line in self.lines if line.mark == mark)

    def _sum(self, mark: Mark) -> int:
        return sum(audited.line.amount_cents for audited in self.lines if audited.mark == mark)


def audit_statement(statement: Statement, claims: Sequence[KnownClaim]) -> Audit:
    """Marks every line of the statement against the claims that the desk knows, in any order."""
    marked = tuple(
        _mark(number, line, statement, claims) for number, line in enumerate(statement.lines, start=1)
    )
    return Audit(marked, _headline_note(statement))


def _mark(
    number: int, line: StatementLine, statement: Statement, claims: Sequence[KnownClaim]
) -> AuditedLine:
    claim = _claim_for(line, statement.state, claims)
    findings = [
        *_of_the_line(number, line, statement),
        *(_of_the_claim(line, claim) if claim else [_nothing_on_file(line, statement.state, claims)]),
    ]
    if findings or claim is None:
        return AuditedLine(number, line, "questionable", " ".join(findings), claim)
    return AuditedLine(number, line, "expected", _as_expected(line, claim), claim)


def _person(record: StatementLine | KnownClaim) -> tuple[str, str]:
    return " ".join(record.claimant_name.casefold().split()), record.ssn_last4


def _claim_for(line: StatementLine, state: str, claims: Sequence[KnownClaim]) -> KnownClaim | None:
    """The person's claim there: the latest separation before the first week charged, else the earliest."""
    own = [claim for claim in claims if claim.state == state and _person(claim) == _person(line)]
    before = [claim for claim in own if _separated(claim) < line.first_week]
    if before:
        return max(before, key=_separated)
    return min(own, key=_separated, default=None)


def _separated(claim: KnownClaim) -> dt.date:
    return claim.separated_on or claim.last_day_worked or dt.date.min


def _of_the_line(number: int, line: StatementLine, statement: Statement) -> Iterator[str]:
    for other_number, other in enumerate(statement.lines[: number - 1], start=1):
        common = _weeks_in_common(line, other)
        if common:
            yield f"Line {other_number} already charges {line.claimant_name} for {common}."
            break
    spanned = (line.last_week - line.first_week).days // 7 + 1
    if spanned != line.weeks:
        yield f"The line charges {_weeks(line.weeks)}, but its dates span {_weeks(max(spanned, 0))}."
    yield from _above_maximum(line, statement.state)


def _above_maximum(line: StatementLine, state: str) -> Iterator[str]:
    maximum = weekly_maximum(state)
    if maximum is not None and line.amount_cents > maximum * line.weeks:
        yield (
            f"{dollars(line.amount_cents)} for {_weeks(line.weeks)} is above {state}'s weekly maximum of "
            f"{dollars(maximum)}, which allows {dollars(maximum * line.weeks)}."
        )


def _of_the_claim(line: StatementLine, claim: KnownClaim) -> Iterator[str]:
    if claim.status == "won":
        when = f" on {claim.protest_decided_on.isoformat()}" if claim.protest_decided_on else ""
        yield f"The protest of this claim was won{when}, so the charge should have been taken off."
    if claim.separation_reason and relieves(claim.state, claim.separation_reason):
        why = _REASON_IN_WORDS[claim.separation_reason]
        yield (
            f"{line.claimant_name} {why}, and {claim.state} relieves the employer of such charges "
            f"({CHARGING[claim.state].relief_source})."
        )
    yield from _before_separation(line, claim)


def _before_separation(line: StatementLine, claim: KnownClaim) -> Iterator[str]:
    if (claim.separated_on or claim.last_day_worked) and line.first_week <= _separated(claim):
        end = min(line.last_week, _separated(claim))
        early = (end - line.first_week).days // 7 + 1
        yield (
            f"{_weeks(early)} charged from {line.first_week.isoformat()} on ended before the separation on "
            f"{_separated(claim).isoformat()}."
        )


def _nothing_on_file(line: StatementLine, state: str, claims: Sequence[KnownClaim]) -> str:
    elsewhere = sorted({claim.state for claim in claims if _person(claim) == _person(line)})
    if elsewhere:
        return f"{line.claimant_name} has no {state} claim on file, only one in {', '.join(elsewhere)}."
    same_name = sorted({claim.ssn_last4 for claim in claims if _person(claim)[0] == _person(line)[0]})
    if same_name:
        return (
            f"No claim is on file for the {line.claimant_name} whose SSN ends in {line.ssn_last4}; the one "
            f"on file ends in {', '.join(same_name)}."
        )
    return f"No claim is on file for {line.claimant_name}, SSN ending {line.ssn_last4}."


def _as_expected(line: StatementLine, claim: KnownClaim) -> str:
    why = _REASON_IN_WORDS.get(claim.separation_reason or "", "has a claim on file")
    when = "" if _separated(claim) == dt.date.min else f", separated on {_separated(claim).isoformat()}"
    return f"{line.claimant_name} {why}{when}; {_weeks(line.weeks)} are charged after that."


def _weeks_in_common(line: StatementLine, other: StatementLine) -> str | None:
    first, last = max(line.first_week, other.first_week), min(line.last_week, other.last_week)
    if first > last or _person(line) != _person(other):
        return None
    if first == last:
        return f"the week that ended on {first.isoformat()}"
    return f"the weeks that ended from {first.isoformat()} to {last.isoformat()}"


def _weeks(count: int) -> str:
    return "1 week" if count == 1 else f"{count} weeks"


def _headline_note(statement: Statement) -> str | None:
    if statement.headline_cents == statement.charged_cents:
        return None
    return (
        f"The statement's headline says {dollars(statement.headline_cents)}, but its lines add up to "
        f"{dollars(statement.charged_cents)}: the lines are what was audited."
    )
