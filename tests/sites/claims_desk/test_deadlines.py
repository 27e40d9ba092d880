"""The deadline engine and its table of rules."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites.claims_desk.rules import (
    DEADLINE_STATES,
    NOTICE_TYPES,
    RULES,
    STATE_NAMES,
    DateOutOfRange,
    MissingDate,
    Rule,
    RulesError,
    UnknownState,
    UnknownType,
    compute,
    disagreement,
    is_business_day,
    notice_type,
    rule_for,
)

DAYS = st.dates(dt.date(1935, 1, 1), dt.date(2999, 12, 31))
RULE = st.sampled_from(sorted(RULES.values(), key=lambda rule: (rule.state, rule.type)))


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def test_new_york_gives_thirty_days_from_mailing_for_a_determination() -> None:
    due = compute("NY", "determination", day("2026-02-02"), day("2026-02-03"))
    assert due.date == day("2026-03-05")
    assert due.explanation == "30 calendar days from the mail date 2026-02-03 end on Thursday 2026-03-05."


def test_pennsylvania_gives_twenty_one_days_from_mailing() -> None:
    assert compute("PA", "determination", None, day("2026-02-03")).date == day("2026-02-24")


def test_the_date_that_the_rule_does_not_count_from_is_not_looked_at() -> None:
    early, late = (
        compute("NY", "determination", day(d), day("2026-02-03")) for d in ("2025-01-01", "2026-02-03")
    )
    assert early == late


def test_a_reply_to_a_new_york_claim_counts_from_the_notice_date() -> None:
    due = compute("NY", "claim_filed", day("2026-02-02"), None)
    assert (due.rule.counted_from, due.date) == ("notice_date", day("2026-02-12"))


def test_a_last_day_on_a_weekend_rolls_to_monday_where_the_state_says_so() -> None:
    due = compute("NY", "determination", None, day("2026-02-05"))
    assert due.date == day("2026-03-09")
    assert (
        "end on Saturday 2026-03-07, a weekend day, so the last day moves to Monday 2026-03-09"
        in due.explanation
    )


def test_a_last_day_on_a_holiday_rolls_and_names_it() -> None:
    due = compute("NY", "determination", None, day("2026-01-17"))
    assert due.date == day("2026-02-17")
    assert "Washington's Birthday" in due.explanation


def test_a_last_day_on_a_saturday_stays_in_massachusetts() -> None:
    due = compute("MA", "determination", None, day("2026-02-04"))
    assert due.date == day("2026-02-14")
    assert due.explanation.endswith("Saturday 2026-02-14, a weekend day; the last day stays.")


def test_ohio_counts_business_days_for_a_claim() -> None:
    due = compute("OH", "claim_filed", None, day("2026-02-04"))
    assert due.date == day("2026-02-19")  # ten days without two weekends and Washington's Birthday


def test_counting_passes_a_leap_day_and_a_new_year() -> None:
    assert compute("NY", "determination", None, day("2028-02-01")).date == day("2028-03-02")
    assert compute("PA", "determination", None, day("2026-12-15")).date == day("2027-01-05")


def test_an_unconfirmed_rule_says_so_beside_the_deadline() -> None:
    due = compute("NJ", "charge_statement", None, day("2026-02-03"))
    assert due.explanation.endswith("The period is unconfirmed: check it against the paper.")


def test_a_missing_mail_date_is_asked_for_and_never_invented() -> None:
    with pytest.raises(MissingDate, match="Read it off the paper and give it as mail_date") as caught:
        compute("NY", "determination", day("2026-02-02"), None)
    assert caught.value.field == "mail_date"


def test_a_missing_notice_date_is_asked_for() -> None:
    with pytest.raises(MissingDate, match="New York counts the 10 calendar days of a claim_filed"):
        compute("NY", "claim_filed", None, day("2026-02-02"))


def test_a_state_without_rules_is_refused_with_those_that_have_them() -> None:
    with pytest.raises(UnknownState, match=r"'WY'. Use one of CA, FL, .* WA\."):
        compute("WY", "determination", None, day("2026-02-03"))


def test_an_unknown_type_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownType, match="'subpoena'. Use one of charge_statement"):
        compute("NY", "subpoena", None, day("2026-02-03"))


@pytest.mark.parametrize("slip", [dt.date(206, 2, 3), dt.date(9999, 12, 31), dt.date(1926, 2, 3)])
def test_a_year_that_cannot_be_right_is_refused(slip: dt.date) -> None:
    with pytest.raises(DateOutOfRange, match="Read the year off the paper again"):
        compute("NY", "determination", None, slip)


def test_every_refusal_is_a_rules_error() -> None:
    assert all(
        issubclass(error, RulesError) for error in (UnknownState, UnknownType, MissingDate, DateOutOfRange)
    )


def test_agreeing_dates_need_no_sentence() -> None:
    assert disagreement(day("2026-03-05"), day("2026-03-05")) is None
    assert disagreement(day("2026-03-05"), None) is None


def test_a_disagreement_names_both_dates_and_the_distance() -> None:
    sentence = disagreement(day("2026-03-05"), day("2026-02-27"))
    assert sentence is not None
    assert "2026-02-27" in sentence and "the rules give 2026-03-05, 6 days later" in sentence


def test_a_printed_date_after_the_computed_one_disagrees_too() -> None:
    assert "1 day earlier" in (disagreement(day("2026-03-05"), day("2026-03-06")) or "")


def test_ten_states_and_more_have_a_rule_for_every_type() -> None:
    assert len(DEADLINE_STATES) >= 10 and {"NY", "PA"} <= set(DEADLINE_STATES) <= set(STATE_NAMES)
    assert set(RULES) == {(state, type) for state in DEADLINE_STATES for type in NOTICE_TYPES}


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: f"{rule.state}-{rule.type}")
def test_a_rule_names_its_source_and_admits_doubt_there(rule: Rule) -> None:
    found = rule_for(rule.state, rule.type)
    assert found is rule and found.days > 0 and len(found.source) > 30
    assert found.source.startswith("To confirm:") is not found.confirmed


def test_the_two_rules_that_tasks_rest_on_are_confirmed() -> None:
    assert rule_for("NY", "determination").confirmed and rule_for("PA", "determination").confirmed


def test_a_notice_type_is_read_from_text() -> None:
    assert notice_type("hearing") == "hearing"
    with pytest.raises(UnknownType):
        notice_type("Hearing")


@given(RULE, DAYS)
def test_a_deadline_is_never_before_the_date_it_counts_from(rule: Rule, base: dt.date) -> None:
    due = compute(rule.state, rule.type, base, base)
    assert due.date >= base + dt.timedelta(days=due.rule.days)
    assert (due.date - base).days <= due.rule.days * 2 + 10
    assert base.isoformat() in due.explanation and due.date.isoformat() in due.explanation


@given(RULE.filter(lambda rule: rule.last_day == "rolls_forward"), DAYS)
def test_a_rolling_deadline_lands_on_a_business_day(rule: Rule, base: dt.date) -> None:
    assert is_business_day(compute(rule.state, rule.type, base, base).date)


@given(RULE.filter(lambda rule: rule.last_day == "stays"), DAYS)
def test_a_staying_deadline_is_exactly_the_period_away(rule: Rule, base: dt.date) -> None:
    due = compute(rule.state, rule.type, base, base)
    assert due.date == base + dt.timedelta(days=due.rule.days)


@given(RULE, DAYS, st.integers(0, 400))
def test_a_later_date_never_gives_an_earlier_deadline(rule: Rule, base: dt.date, more: int) -> None:
    later = min(base + dt.timedelta(days=more), dt.date(2999, 12, 31))
    state, type = rule.state, rule.type
    assert compute(state, type, later, later).date >= compute(state, type, base, base).date


@given(DAYS, DAYS)
def test_a_sentence_is_there_exactly_when_the_dates_differ(computed: dt.date, printed: dt.date) -> None:
    assert (disagreement(computed, printed) is None) is (computed == printed)
