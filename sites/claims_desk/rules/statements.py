"""The quarterly charge statement, written and read.

The form has fixed-width fields and at least six charge rows, the unused ones ruled: a statement's size
depends on its agency's and employer's print alone, never on dates, amounts or the number of charges (up to
six).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sites.claims_desk.rules import layout
from sites.claims_desk.rules.errors import DoesNotFit, NotAStatement, UnreadablePaper
from sites.claims_desk.rules.money import printed_amount, read_amount
from sites.claims_desk.rules.papers import STATEMENT_TITLE, paper_type, read_notice
from sites.claims_desk.rules.states import STATE_NAMES, agency_name

Reason = Literal["discharge_misconduct", "voluntary_quit", "lack_of_work", "other"]

FORM_ROWS: Final = 6
MOST_ROWS: Final = 99

_PRINTED_REASON: Final[dict[Reason, str]] = {
    "discharge_misconduct": "DISC",
    "voluntary_quit": "QUIT",
    "lack_of_work": "LACK",
    "other": "OTHR",
}
_READ_REASON: Final = {printed: reason for reason, printed in _PRINTED_REASON.items()}

_NAME_WIDTH, _AMOUNT_WIDTH, _TOTAL_WIDTH, _ACCOUNT_WIDTH = 22, 10, 13, 12
_COLUMNS: Final = (
    f"No {'Claimant':<{_NAME_WIDTH}} SSN  First week Last week  Wk Why  {'Charged':>{_AMOUNT_WIDTH}}"
)
_BLANK_ROW: Final = f"-- {'-' * _NAME_WIDTH} ---- ---------- ---------- -- ---- {'-' * _AMOUNT_WIDTH}"
_ROW: Final = re.compile(
    rf"(?P<no>\d\d) (?P<name>.{{{_NAME_WIDTH}}}) (?P<ssn>\d{{4}}) (?P<first>\S{{10}}) (?P<last>\S{{10}}) "
    rf"(?P<weeks>\d\d) (?P<why>[A-Z]{{4}}) (?P<amount>[ \d,.]{{{_AMOUNT_WIDTH}}})",
    re.ASCII,
)
_END: Final = "Each benefit week is named by its last day."


@dataclass(frozen=True)
class StatementLine:
    """One claimant's charges for `weeks` benefit weeks; a week is named by the day on which it ends."""

    claimant_name: str
    ssn_last4: str
    first_week: dt.date
    last_week: dt.date
    weeks: int
    separation_reason: Reason
    amount_cents: int


@dataclass(frozen=True)
class Statement:
    """As printed: `headline_cents` is what the top says, `charged_cents` what the lines add up to."""

    state: str
    quarter: str
    employer_name: str
    employer_account: str
    statement_date: dt.date
    mail_date: dt.date | None
    printed_due: dt.date | None
    headline_cents: int
    lines: tuple[StatementLine, ...]

    @property
    def charged_cents(self) -> int:
        """The sum of the lines."""
        return sum(line.amount_cents for line in self.lines)


def charge_statement(
    *,
    state: str,
    quarter: str,
    employer_name: str,
    employer_account: str,
    statement_date: dt.date,
    mail_date: dt.date | None,
    printed_due: dt.date | None,
    lines: Sequence[StatementLine],
) -> str:
    """The paper; `quarter` reads `Q3 2025`. Raises `DoesNotFit` for a value that its field cannot hold."""
    if not re.fullmatch(r"Q[1-4] \d{4}", quarter):
        raise DoesNotFit("quarter", quarter, "it has to read like 'Q3 2025'.")
    if len(lines) > MOST_ROWS:
        raise DoesNotFit("lines", len(lines), f"a statement holds {MOST_ROWS} of them. Print a second one.")
    account = printable_account(employer_account)
    total = _amount("total", sum(line.amount_cents for line in lines), _TOTAL_WIDTH).strip()
    dated = layout.printed_date(statement_date)
    paper = [
        *layout.heading(agency_name(state), STATEMENT_TITLE),
        layout.two_fields("Employer", employer_name, "Account", account),
        layout.two_fields("State", state, "Quarter", quarter),
        layout.two_fields("Dated", dated, "Mailed", layout.printed_date(mail_date)),
        layout.two_fields("Total", total, "Protest by", layout.printed_date(printed_due)),
        layout.RULE,
        _COLUMNS,
        *(_row(number, line) for number, line in enumerate(lines, start=1)),
        *(_BLANK_ROW for _ in range(FORM_ROWS - len(lines))),
        layout.RULE,
        _END,
    ]
    return "\n".join(paper) + "\n"


def printable_account(employer_account: str) -> str:
    """The account number, padded on its left: it ends a line, and a line has no trailing spaces."""
    return f"{layout.printable('account', employer_account, _ACCOUNT_WIDTH):>{_ACCOUNT_WIDTH}}"


def read_statement(text: str) -> Statement:
    """The statement that the text prints, headline and lines; raises `NotAStatement`, saying what is wrong.

    The headline is given as printed, even where the lines add up to something else: that is for the audit to
    say.
    """
    text = layout.unix_lines(text)
    if paper_type(text) != "charge_statement":
        raise NotAStatement(_what_else(text))
    fields = layout.header_fields(text)
    statement_date = _date(fields, "Dated")
    if statement_date is None:
        raise NotAStatement("The statement carries no date. Ask the agency for a copy that does.")
    return Statement(
        state=_state(fields),
        quarter=_printed(fields, "Quarter"),
        employer_name=_printed(fields, "Employer"),
        employer_account=_printed(fields, "Account"),
        statement_date=statement_date,
        mail_date=_date(fields, "Mailed"),
        printed_due=_date(fields, "Protest by"),
        headline_cents=_headline(fields),
        lines=tuple(_read_rows(text)),
    )


def _row(number: int, line: StatementLine) -> str:
    name = layout.printable("claimant", line.claimant_name, _NAME_WIDTH)
    if not re.fullmatch(r"[0-9]{4}", line.ssn_last4):
        raise DoesNotFit("SSN ending", line.ssn_last4, "it has to be four digits.")
    if not 1 <= line.weeks <= 99:
        raise DoesNotFit("weeks", line.weeks, "a line charges 1 to 99 weeks.")
    return (
        f"{number:02d} {name:<{_NAME_WIDTH}} {line.ssn_last4} {line.first_week.isoformat()} "
        f"{line.last_week.isoformat()} {line.weeks:02d} {_PRINTED_REASON[line.separation_reason]} "
        f"{_amount('amount', line.amount_cents, _AMOUNT_WIDTH)}"
    )


def _amount(field: str, cents: int, width: int) -> str:
    if cents < 0:
        raise DoesNotFit(field, cents, "a charge is never negative. Print a credit on a paper of its own.")
    printed = printed_amount(cents)
    if len(printed) > width:
        raise DoesNotFit(field, cents, f"the field holds {width} characters. Split the charge.")
    return f"{printed:>{width}}"


def _what_else(text: str) -> str:
    if not text.strip():
        return "The document is empty. Upload the statement's text again."
    try:
        other = read_notice(text)
    except UnreadablePaper:
        return (
            "This text is no charge statement: its second line does not say "
            f"{STATEMENT_TITLE!r}. Upload the paper that the agency mailed."
        )
    return f"This paper is a {other.type} notice, no charge statement. Record it as a notice instead."


def _printed(fields: dict[str, str], label: str) -> str:
    try:
        return fields[label]
    except KeyError:
        raise NotAStatement(f"The statement has no field {label!r}. Upload the whole paper.") from None


def _date(fields: dict[str, str], label: str) -> dt.date | None:
    printed = _printed(fields, label)
    try:
        return layout.read_date(printed)
    except ValueError as error:
        raise NotAStatement(f"The field {label!r} cannot be read: {error}. Compare the paper.") from None


def _state(fields: dict[str, str]) -> str:
    state = _printed(fields, "State")
    if state not in STATE_NAMES:
        raise NotAStatement(f"The statement prints the state {state!r}, which is none. Compare the paper.")
    return state


def _headline(fields: dict[str, str]) -> int:
    printed = _printed(fields, "Total")
    try:
        return read_amount(printed)
    except ValueError as error:
        raise NotAStatement(f"The total cannot be read: {error} Compare it with the paper.") from None


def _read_rows(text: str) -> list[StatementLine]:
    _, columns, below = text.partition(_COLUMNS)
    rows, rule, _ = below.partition(layout.RULE)
    if not (columns and rule):
        raise NotAStatement("The statement's table of charges is cut off. Upload the whole paper.")
    return [_read_row(row) for row in rows.strip("\r\n").splitlines() if row.strip("- ")]


def _read_row(row: str) -> StatementLine:
    match = _ROW.fullmatch(row.rstrip())
    if match is None:
        raise NotAStatement(f"The charge line {row!r} cannot be read. Compare it with the paper.")
    first, last = (_row_date(match[name], row) for name in ("first", "last"))
    try:
        reason, cents = _READ_REASON[match["why"]], read_amount(match["amount"].strip())
    except (KeyError, ValueError):
        raise NotAStatement(
            f"The reason or amount on the charge line {row!r} cannot be read. Compare it with the paper."
        ) from None
    return StatementLine(match["name"].strip(), match["ssn"], first, last, int(match["weeks"]), reason, cents)


def _row_date(printed: str, row: str) -> dt.date:
    try:
        day = layout.read_date(printed)
    except ValueError as error:
        raise NotAStatement(f"A week on the charge line {row!r} cannot be read: {error}.") from None
    if day is None:
        raise NotAStatement(f"The charge line {row!r} names no week. Ask the agency for a copy that does.")
    return day
