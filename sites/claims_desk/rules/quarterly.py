"""Harborlight's Q3 New York charge statement: the fixture that a world seeds, the same size on every date."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sites.claims_desk.rules.errors import DoesNotFit
from sites.claims_desk.rules.statements import FORM_ROWS, Reason, StatementLine, charge_statement

Q3_BYTE_SIZE: Final = 1057
"""The fixture's size in bytes, on every run-clock date and for every set of one to six charges."""

HARBORLIGHT_NAME: Final = "Harborlight"
HARBORLIGHT_NY_ACCOUNT: Final = "48-21077 3"

_WEEKS_IN_Q3: Final = 13
_DATED_DAYS_AGO, _MAILED_DAYS_AGO, _DAYS_TO_PROTEST = 5, 4, 30


@dataclass(frozen=True)
class Q3Charge:
    """A line before its dates are known: `weeks` weeks from the quarter's `first_week`-th, 1 to 13."""

    claimant_name: str
    ssn_last4: str
    separation_reason: Reason
    first_week: int
    weeks: int
    weekly_cents: int


def q3_year(today: dt.date) -> int:
    """The year of the Q3 that was last over when the statement (dated five days ago) was made."""
    dated = today - dt.timedelta(days=_DATED_DAYS_AGO)
    return dated.year if dated.month >= 10 else dated.year - 1


def q3_weeks(year: int) -> tuple[dt.date, ...]:
    """The last days (Sundays, as New York counts) of the thirteen benefit weeks from the first in July on."""
    july = dt.date(year, 7, 1)
    first = july + dt.timedelta(days=(6 - july.weekday()) % 7)
    return tuple(first + dt.timedelta(weeks=n) for n in range(_WEEKS_IN_Q3))


def q3_lines(today: dt.date, charges: Sequence[Q3Charge]) -> tuple[StatementLine, ...]:
    """The charges with the dates of their weeks; raises `DoesNotFit` for weeks outside the quarter."""
    weeks = q3_weeks(q3_year(today))
    return tuple(_line(charge, weeks) for charge in charges)


def q3_statement(
    today: dt.date,
    charges: Sequence[Q3Charge],
    *,
    employer_name: str = HARBORLIGHT_NAME,
    employer_account: str = HARBORLIGHT_NY_ACCOUNT,
) -> str:
    """The New York statement for the last complete Q3, mailed four days before `today`.

    Always `Q3_BYTE_SIZE` ASCII bytes. Raises `DoesNotFit` for more charges than the form has rows (six).
    """
    if not 1 <= len(charges) <= FORM_ROWS:
        raise DoesNotFit("charges", len(charges), f"the form has {FORM_ROWS} rows; give one to {FORM_ROWS}.")
    mailed = today - dt.timedelta(days=_MAILED_DAYS_AGO)
    return charge_statement(
        state="NY",
        quarter=f"Q3 {q3_year(today):04d}",
        employer_name=employer_name,
        employer_account=employer_account,
        statement_date=today - dt.timedelta(days=_DATED_DAYS_AGO),
        mail_date=mailed,
        printed_due=mailed + dt.timedelta(days=_DAYS_TO_PROTEST),
        lines=q3_lines(today, charges),
    )


def _line(charge: Q3Charge, weeks: tuple[dt.date, ...]) -> StatementLine:
    last = charge.first_week + charge.weeks - 1
    if not (1 <= charge.first_week and charge.weeks >= 1 and last <= len(weeks)):
        raise DoesNotFit("weeks", (charge.first_week, charge.weeks), f"Q3 has the weeks 1 to {len(weeks)}.")
    return StatementLine(
        claimant_name=charge.claimant_name,
        ssn_last4=charge.ssn_last4,
        first_week=weeks[charge.first_week - 1],
        last_week=weeks[last - 1],
        weeks=charge.weeks,
        separation_reason=charge.separation_reason,
        amount_cents=charge.weeks * charge.weekly_cents,
    )
