"""By when an employer has to answer a notice, and the sentence for when the paper says otherwise."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sites.claims_desk.rules import holidays
from sites.claims_desk.rules.deadline_table import DEADLINE_STATES, NOTICE_TYPES, RULES, NoticeType, Rule
from sites.claims_desk.rules.errors import DateOutOfRange, MissingDate, UnknownState, UnknownType
from sites.claims_desk.rules.states import state_name

_FIRST_YEAR, _LAST_YEAR = 1935, 2999  # the Social Security Act is of 1935


@dataclass(frozen=True)
class Due:
    """A deadline: the last day on which an answer is in time, the rule behind it, how it was counted."""

    date: dt.date
    rule: Rule
    explanation: str


def notice_type(text: str) -> NoticeType:
    """`text` as a notice type; raises `UnknownType`."""
    for known in NOTICE_TYPES:
        if known == text:
            return known
    raise UnknownType(text, NOTICE_TYPES)


def rule_for(state: str, type: str) -> Rule:
    """The rule of that state for that type of notice; raises `UnknownState`, `UnknownType`."""
    if state not in DEADLINE_STATES:
        raise UnknownState(state, DEADLINE_STATES)
    return RULES[state, notice_type(type)]


def compute(state: str, type: str, notice_date: dt.date | None, mail_date: dt.date | None) -> Due:
    """When an answer to the notice is due.

    Only the date that the rule counts from is looked at; when it is None this raises `MissingDate` rather
    than count from the other one, which would move the deadline without anybody noticing. Also raises
    `UnknownState`, `UnknownType`, `DateOutOfRange`.
    """
    rule = rule_for(state, type)
    base = _base(rule, notice_date, mail_date)
    if rule.day_kind == "business":
        end = holidays.add_business_days(base, rule.days)
    else:
        end = base + dt.timedelta(days=rule.days)
    last = holidays.on_or_after(end) if rule.last_day == "rolls_forward" else end
    return Due(last, rule, _explain(rule, base, end, last))


def disagreement(due_computed: dt.date, printed_due: dt.date | None) -> str | None:
    """The sentence for when the paper prints another date; None when it prints the same or none."""
    if printed_due is None or printed_due == due_computed:
        return None
    apart = abs((printed_due - due_computed).days)
    side = "later" if due_computed > printed_due else "earlier"
    return (
        f"The paper prints {printed_due.isoformat()} as the last day, but the rules give "
        f"{due_computed.isoformat()}, {_count(apart, 'day')} {side}: "
        "keep the earlier date until a person has asked the agency."
    )


def _base(rule: Rule, notice_date: dt.date | None, mail_date: dt.date | None) -> dt.date:
    base = mail_date if rule.counted_from == "mail_date" else notice_date
    if base is None:
        raise MissingDate(
            rule.counted_from,
            f"{state_name(rule.state)} counts the {_days(rule)} of a {rule.type} from the {_spoken(rule)}, "
            f"and none was given. Read it off the paper and give it as {rule.counted_from}.",
        )
    if not _FIRST_YEAR <= base.year <= _LAST_YEAR:
        raise DateOutOfRange(
            f"The {_spoken(rule)} {base.isoformat()} cannot be right. Read the year off the paper again."
        )
    return base


def _explain(rule: Rule, base: dt.date, end: dt.date, last: dt.date) -> str:
    counted = f"{_days(rule)} from the {_spoken(rule)} {base.isoformat()} end on {_dated(end)}"
    if last != end:
        counted += f", {_why_closed(end)}, so the last day moves to {_dated(last)}"
    elif not holidays.is_business_day(end):
        counted += f", {_why_closed(end)}; the last day stays"
    doubt = "" if rule.confirmed else " The period is unconfirmed: check it against the paper."
    return f"{counted}.{doubt}"


def _days(rule: Rule) -> str:
    return _count(rule.days, f"{rule.day_kind} day")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _spoken(rule: Rule) -> str:
    return rule.counted_from.replace("_", " ")


def _dated(day: dt.date) -> str:
    return f"{_WEEKDAYS[day.weekday()]} {day.isoformat()}"


def _why_closed(day: dt.date) -> str:
    return holidays.holiday_name(day) or "a weekend day"


# Not strftime: that follows the locale of the process.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
