"""A quarterly charge statement, mailed twice, and the payroll list that says who was ever paid."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from scenarios.claims_console.cases.desk import Bench
from scenarios.claims_console.drawing import account
from sites.claims_desk.schema import Claimant, Document
from sites.claims_desk.seed import StatementLine, charge_statement, claim, claimant, document

_STATES = {"IL": "Illinois", "MI": "Michigan", "WA": "Washington", "CA": "California", "TX": "Texas"}


@dataclass(frozen=True)
class Line:
    """A line of the statement with its number as printed; `mark` is what the desk's audit makes of it."""

    number: int
    claimant_name: str
    ssn_last4: str
    first_week: date
    last_week: date
    weeks: int
    separation_reason: Literal["lack_of_work"]
    amount_cents: int
    mark: str
    ours: bool


@dataclass(frozen=True)
class Charged:
    """`corrected` is the statement that counts, `first_print` the one it replaces, with another amount in a
    line that is not ours; `payroll` lists who was paid.

    A line is ours when the list has its SSN ending with pay on or after `since`. `printed_due` is the last
    day to protest on the corrected paper, `first_due` on the other.
    """

    state: str
    quarter: str
    corrected: Document
    first_print: Document
    payroll: Document
    lines: tuple[Line, ...]
    first_cents: tuple[int, ...]
    since: date
    statement_date: date
    printed_due: date
    first_due: date
    total_cents: int

    @property
    def state_name(self) -> str:
        """The state in words."""
        return _STATES[self.state]

    @property
    def not_ours(self) -> tuple[Line, ...]:
        """The lines of people whom nobody paid in time, as printed."""
        return tuple(line for line in self.lines if not line.ours)

    @property
    def marked_cents(self) -> int:
        """What the desk's own audit marks as questionable."""
        return sum(line.amount_cents for line in self.lines if line.mark == "questionable")


def quarter_before(today: date) -> tuple[int, int]:
    """The year and number of the last quarter that is over."""
    number = (today.month - 1) // 3
    return (today.year, number) if number else (today.year - 1, 4)


def charged(b: Bench) -> Charged:
    """Lays it out."""
    w, draw = b.w, b.draw
    state = draw.pick(list(_STATES))
    year, number = quarter_before(w.day(-12))
    start = date(year, number * 3 - 2, 1)
    since = date(year - 1, start.month, 1)
    saturdays = [start + timedelta(days=(5 - start.weekday()) % 7 + 7 * n) for n in range(12)]
    paid: list[tuple[str, str, date]] = []
    made: list[tuple[str, str, bool, bool]] = []  # name, SSN ending, claim on file, ours

    def charge(name: str, ssn: str, *, on_file: bool = True, ours: bool = True) -> None:
        made.append((name, ssn, on_file, ours))

    for _ in range(2):  # all in order
        name, ssn = draw.name(), draw.ssn()
        paid.append((name, ssn, start - timedelta(days=draw.number(20, 60))))
        charge(name, ssn)
    name, ssn = draw.name(), draw.ssn()  # paid under another surname
    paid.append((f"{name.split()[0]} {draw.last_name()}", ssn, start - timedelta(days=draw.number(20, 60))))
    charge(name, ssn)
    name, ssn = draw.name(), draw.ssn()  # paid on the first day that counts
    paid.append((name, ssn, since))
    charge(name, ssn)
    name, ssn = draw.name(), draw.ssn()  # paid too long ago
    paid.append((name, ssn, since - timedelta(days=draw.number(1, 6))))
    charge(name, ssn, ours=False)
    charge(draw.name(), draw.ssn(), ours=False)  # never heard of
    name, ssn = draw.name(), draw.ssn()  # somebody else of that name was paid
    paid.append((name, draw.ssn_like(ssn), start - timedelta(days=draw.number(20, 60))))
    charge(name, ssn, ours=False)
    name, ssn = draw.name(), draw.ssn()  # ours, but the desk has no claim
    paid.append((name, ssn, start - timedelta(days=draw.number(20, 60))))
    charge(name, ssn, on_file=False)
    for _ in range(5):  # paid, and not on the statement
        paid.append((draw.name(), draw.ssn(), start - timedelta(days=draw.number(1, 90))))

    _claims(b, state, [(n, s) for n, s, on_file, _ in made if on_file], start)
    lines, first_cents = [], []
    for at, (name, ssn, on_file, ours) in enumerate(draw.shuffled(made), start=1):
        first = draw.number(0, 7)
        weeks = draw.number(2, 4)
        weekly = draw.number(180, 330) * 100
        mark = "expected" if on_file else "questionable"
        lines.append(Line(
            at, name, ssn, saturdays[first], saturdays[first + weeks - 1], weeks, "lack_of_work",
            weekly * weeks, mark, ours,
        ))  # fmt: skip
        first_cents.append(weekly * weeks)
    wrong = draw.pick([at for at, line in enumerate(lines) if not line.ours])
    first_cents[wrong] += draw.number(11, 49) * 100
    first_dated, dated = w.day(-8), w.day(-5)
    due, first_due = w.day(21 + draw.number(0, 5)), w.day(14 + draw.number(0, 5))
    quarter = f"Q{number} {year:04d}"

    def paper(cents: list[int], on: date, last_day: date) -> str:
        return charge_statement(
            state=state, quarter=quarter, employer_name=b.tenant.name, employer_account=account(state),
            statement_date=on, mail_date=on, printed_due=last_day, lines=[
                StatementLine(
                    line.claimant_name, line.ssn_last4, line.first_week, line.last_week, line.weeks,
                    line.separation_reason, amount,
                )
                for line, amount in zip(lines, cents, strict=True)
            ],
        )  # fmt: skip

    stem = f"{state.lower()}-charge-statement-q{number}-{year:04d}"
    with w.on(-6, "13:15"):
        first_print = document(
            w, b.mira, "statement", f"{stem}.txt", paper(first_cents, first_dated, first_due)
        )
    with w.on(-3, "13:40"):
        listed = document(
            w, b.nadia, "other", f"payroll-list-{state.lower()}.txt", _list(draw.shuffled(paid))
        )
    cents = [line.amount_cents for line in lines]
    with w.on(-2, "12:30"):
        corrected = document(w, b.mira, "statement", f"{stem}-corrected.txt", paper(cents, dated, due))
    return Charged(
        state=state, quarter=quarter, corrected=corrected, first_print=first_print, payroll=listed,
        lines=tuple(lines), first_cents=tuple(first_cents), since=since, statement_date=dated,
        printed_due=due, first_due=first_due, total_cents=sum(cents),
    )  # fmt: skip


def _claims(b: Bench, state: str, people: list[tuple[str, str]], start: date) -> None:
    """Claims of people who left before the quarter; of nobody is the day known at the desk."""
    for name, ssn in people:
        with b.w.on(start - timedelta(days=b.draw.number(3, 12)), "12:10"):
            who: Claimant = claimant(b.w, b.tenant, name, ssn, state)
            claim(b.w, b.nadia, who, b.draw.claim_number(state))


def _list(paid: list[tuple[str, str, date]]) -> str:
    rows = [f"{name:<24}{ssn:<8}{last.isoformat()}" for name, ssn, last in paid]
    heading = ["HARBORLIGHT PAYROLL, SIMULATED PAPER", "Everybody who was ever paid there.", ""]
    return "\n".join([*heading, f"{'Employee':<24}{'SSN':<8}Last paid", *rows]) + "\n"
