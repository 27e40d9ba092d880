"""What every case works with: the desk, its operators and the people whom they write to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from fakes.core.people import Person
from fakes.core.seeding import Seed
from scenarios.claims_console.drawing import Draw
from scenarios.office.people import Company
from sites.claims_desk.schema import Claim, Claimant, Operator, Tenant
from sites.claims_desk.seed import claim, claimant


@dataclass
class Bench:
    """Where a case is laid out: the hand that seeds, what is drawn, the tenant, its operators and managers.

    `managers` are handed out one after the other, so that two cases share none.
    """

    w: Seed
    draw: Draw
    staff: Company
    tenant: Tenant
    mira: Operator
    nadia: Operator
    managers: Iterator[Person]

    def left(
        self,
        name: str,
        state: str,
        reason: Any,
        days_ago: int,
        *,
        gap: int = 1,
        manager: Person | None = None,
    ) -> tuple[Claimant, Claim]:
        """Somebody who worked until so many days ago, left `gap` days later and claimed; the desk opened
        the claim a week after that.
        """
        w, last_day = self.w, self.w.day(-days_ago)
        with w.on(-days_ago + gap + 7, "11:05"):
            gone = claimant(
                w, self.tenant, name, self.draw.ssn(), state, reason, last_day_worked=last_day,
                separated_on=last_day + timedelta(days=gap), job_title=self.draw.job(), manager=manager,
            )  # fmt: skip
            return gone, claim(w, self.mira, gone, self.draw.claim_number(state))


def day_of(row_day: date | None) -> date:
    """A date that a case has put there itself."""
    assert row_day is not None
    return row_day
