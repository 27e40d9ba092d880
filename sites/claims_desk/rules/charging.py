"""What states let be charged to an employer: relief by reason of separation, and the weekly maximum.

The maxima are the highest that we know of, dependants' allowances included: they question what no reading
of the state's table allows. Agencies raise them every year or so. Relief is given on different terms (on
request, in time, to base-period employers only …); the table says only that the state has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Charging:
    """A state's rules: the most that one benefit week pays, and the reasons that relieve the employer."""

    state: str
    weekly_maximum_cents: int
    maximum_source: str
    relieved_reasons: frozenset[str]
    relief_source: str


_QUIT_OR_MISCONDUCT = frozenset({"voluntary_quit", "discharge_misconduct"})


def _state(state: str, dollars_a_week: int, maximum_source: str, relief_source: str) -> Charging:
    return Charging(state, dollars_a_week * 100, maximum_source, _QUIT_OR_MISCONDUCT, relief_source)


CHARGING: Final[dict[str, Charging]] = {
    rule.state: rule
    for rule in (
        _state("NY", 869, "New York Department of Labor, from October 2025; $504 before",
               "N.Y. Labor Law § 581(1)(e); Department of Labor, Your Notice of Experience Rating Charges"),
        _state("PA", 613, "to confirm: $605 by the department's table, $8 for dependants",
               "Pennsylvania Unemployment Compensation Law § 302.1(a)"),
        _state("CA", 450, "Cal. Unemployment Insurance Code § 1280",
               "Cal. Unemployment Insurance Code § 1032"),
        _state("TX", 605, "to confirm: Texas Workforce Commission, 2025-26", "Tex. Labor Code § 204.022"),
        _state("FL", 275, "Fla. Stat. § 443.111", "Fla. Stat. § 443.131(3)(a)"),
        _state("OH", 858, "to confirm: Ohio's highest class of dependants, 2026, rounded up",
               "Ohio Rev. Code § 4141.24(D)"),
        _state("IL", 898, "to confirm: Illinois, with dependants, 2026", "820 ILCS 405/1502.1"),
        _state("NJ", 905, "to confirm: New Jersey, 2026", "to confirm: N.J.S.A. 43:21-7(c)"),
        _state("MA", 1657, "to confirm: Massachusetts, $1,105 from October 2025 and half of it more",
               "G.L. c. 151A § 14(d)"),
        _state("MI", 614, "MCL 421.27 as amended in 2024: $614 by 2027, lower before",
               "to confirm: MCL 421.20 and 421.29"),
        _state("WA", 1152, "to confirm: Washington Employment Security Department, from July 2025",
               "RCW 50.29.021"),
        _state("GA", 365, "O.C.G.A. § 34-8-193", "O.C.G.A. § 34-8-157"),
    )
}
"""State to its rules on charges; states that are not here are audited without them."""


def relieves(state: str, separation_reason: str) -> bool:
    """Whether the state has relief of charges for this reason of separation."""
    rule = CHARGING.get(state)
    return rule is not None and separation_reason in rule.relieved_reasons


def weekly_maximum(state: str) -> int | None:
    """The highest amount of one benefit week in cents; None where we keep none."""
    rule = CHARGING.get(state)
    return None if rule is None else rule.weekly_maximum_cents
