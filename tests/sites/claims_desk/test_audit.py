"""The audit: which charges are questionable, and why."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sites.claims_desk.rules import (
    CHARGING,
    DEADLINE_STATES,
    AuditedLine,
    KnownClaim,
    Statement,
    StatementLine,
    audit_statement,
    relieves,
    weekly_maximum,
)

LINE = StatementLine(
    "Dana Whitfield", "4417", dt.date(2025, 7, 6), dt.date(2025, 8, 17), 7, "lack_of_work", 352800
)
SSN = st.sampled_from(["4417", "9921", "0001"])
CLAIM = KnownClaim("Dana Whitfield", "4417", "NY", "lack_of_work", dt.date(2025, 6, 27), dt.date(2025, 6, 27))


def statement(*lines: StatementLine, state: str = "NY") -> Statement:
    total = sum(line.amount_cents for line in lines)
    dated = dt.date(2025, 10, 15)
    return Statement(state, "Q3 2025", "Harborlight", "48-21077 3", dated, dated, None, total, lines)


def marked(line: StatementLine, *claims: KnownClaim, state: str = "NY") -> AuditedLine:
    (only,) = audit_statement(statement(line, state=state), claims).lines
    return only


def priced(amount_cents: int, ssn_last4: str) -> StatementLine:
    return replace(LINE, amount_cents=amount_cents, ssn_last4=ssn_last4)


def known(ssn_last4: str, status: str) -> KnownClaim:
    return replace(CLAIM, ssn_last4=ssn_last4, status=status)


def test_a_charge_for_a_lay_off_on_file_is_expected() -> None:
    found = marked(LINE, CLAIM)
    assert (found.mark, found.claim) == ("expected", CLAIM)
    assert found.reason == (
        "Dana Whitfield was laid off for lack of work, separated on 2025-06-27; "
        "7 weeks are charged after that."
    )


def test_a_claim_of_which_little_is_known_is_expected() -> None:
    found = marked(LINE, replace(CLAIM, separation_reason=None, separated_on=None, last_day_worked=None))
    assert found.mark == "expected"
    assert "has a claim on file; 7 weeks" in found.reason


def test_a_charge_for_a_stranger_is_questionable() -> None:
    found = marked(LINE)
    assert (found.mark, found.claim) == ("questionable", None)
    assert found.reason == "No claim is on file for Dana Whitfield, SSN ending 4417."


def test_a_namesake_is_no_match() -> None:
    assert "ends in 9921" in marked(LINE, replace(CLAIM, ssn_last4="9921")).reason


def test_a_relative_is_no_match() -> None:
    assert marked(LINE, replace(CLAIM, claimant_name="Marcus Whitfield")).mark == "questionable"


def test_capitals_and_spaces_do_not_make_another_person() -> None:
    assert marked(LINE, replace(CLAIM, claimant_name="DANA  WHITFIELD")).mark == "expected"


def test_a_claim_in_another_state_is_no_claim_here() -> None:
    assert marked(LINE, replace(CLAIM, state="PA")).reason == (
        "Dana Whitfield has no NY claim on file, only one in PA."
    )


def test_a_voluntary_quit_is_questionable_where_the_state_relieves() -> None:
    found = marked(LINE, replace(CLAIM, separation_reason="voluntary_quit"))
    assert found.mark == "questionable"
    assert "quit voluntarily, and NY relieves the employer" in found.reason


def test_what_the_paper_says_of_the_separation_does_not_decide() -> None:
    assert marked(replace(LINE, separation_reason="voluntary_quit"), CLAIM).mark == "expected"


def test_a_state_without_rules_on_relief_does_not_question_a_quit() -> None:
    claim = replace(CLAIM, state="WY", separation_reason="voluntary_quit")
    assert marked(LINE, claim, state="WY").mark == "expected"


def test_weeks_that_ended_before_the_separation_are_questionable() -> None:
    found = marked(LINE, replace(CLAIM, separated_on=dt.date(2025, 7, 15)))
    assert found.reason == "2 weeks charged from 2025-07-06 on ended before the separation on 2025-07-15."


def test_without_a_separation_date_the_last_day_worked_counts() -> None:
    found = marked(LINE, replace(CLAIM, separated_on=None, last_day_worked=dt.date(2025, 7, 6)))
    assert found.reason.startswith("1 week charged from 2025-07-06 on ended before")


def test_a_charge_wholly_before_the_separation_counts_its_weeks_only() -> None:
    found = marked(LINE, replace(CLAIM, separated_on=dt.date(2025, 12, 1)))
    assert found.reason.startswith("7 weeks charged")


def test_the_later_of_two_separations_before_the_charge_is_held_against_it() -> None:
    earlier = replace(CLAIM, separated_on=dt.date(2024, 1, 5), separation_reason="voluntary_quit")
    later_still = replace(CLAIM, separated_on=dt.date(2026, 1, 5))
    for claims in ([earlier, CLAIM, later_still], [later_still, CLAIM, earlier]):
        assert marked(LINE, *claims).claim == CLAIM


def test_an_amount_above_the_weekly_maximum_is_questionable() -> None:
    found = marked(replace(LINE, amount_cents=7 * 86900 + 1), CLAIM)
    assert found.reason == (
        "$6,083.01 for 7 weeks is above NY's weekly maximum of $869.00, which allows $6,083.00."
    )


def test_an_amount_at_the_weekly_maximum_is_expected() -> None:
    assert marked(replace(LINE, amount_cents=7 * 86900), CLAIM).mark == "expected"


def test_a_duplicate_line_is_questionable_and_the_first_is_not() -> None:
    first, second = audit_statement(statement(LINE, LINE), [CLAIM]).lines
    assert (first.mark, second.mark) == ("expected", "questionable")
    assert second.reason == (
        "Line 1 already charges Dana Whitfield for the weeks that ended from 2025-07-06 to 2025-08-17."
    )


def test_weeks_charged_twice_are_a_duplicate_too() -> None:
    more = replace(LINE, first_week=dt.date(2025, 8, 17), last_week=dt.date(2025, 9, 28))
    second = audit_statement(statement(LINE, more), [CLAIM]).lines[1]
    assert "the week that ended on 2025-08-17" in second.reason


def test_weeks_that_follow_are_no_duplicate() -> None:
    more = replace(LINE, first_week=dt.date(2025, 8, 24), last_week=dt.date(2025, 9, 28), weeks=6)
    assert audit_statement(statement(LINE, more), [CLAIM]).count("expected") == 2


def test_a_charge_whose_protest_was_won_is_questionable() -> None:
    won = replace(CLAIM, status="won", protest_decided_on=dt.date(2025, 9, 2))
    assert marked(LINE, won).reason == (
        "The protest of this claim was won on 2025-09-02, so the charge should have been taken off."
    )


def test_weeks_that_do_not_fit_their_dates_are_questionable() -> None:
    assert (
        marked(replace(LINE, weeks=9), CLAIM).reason
        == "The line charges 9 weeks, but its dates span 7 weeks."
    )


def test_every_finding_is_in_the_reason() -> None:
    claim = replace(
        CLAIM, status="won", separation_reason="voluntary_quit", separated_on=LINE.last_week
    )
    reason = marked(replace(LINE, amount_cents=9_999_99_00), claim).reason
    assert all(
        part in reason for part in ("weekly maximum", "was won", "quit voluntarily", "before the separation")
    )


def test_a_headline_that_disagrees_is_noted_and_not_summed() -> None:
    result = audit_statement(replace(statement(LINE), headline_cents=1), [CLAIM])
    assert result.total_cents == LINE.amount_cents
    assert (
        result.headline_note is not None
        and "$0.01" in result.headline_note
        and "$3,528.00" in result.headline_note
    )


def test_a_headline_that_agrees_needs_no_note() -> None:
    assert audit_statement(statement(LINE), [CLAIM]).headline_note is None


def test_an_empty_statement_adds_up_to_nothing() -> None:
    result = audit_statement(statement(), [CLAIM])
    assert (result.lines, result.total_cents) == ((), 0)


def test_every_deadline_state_has_rules_on_charges() -> None:
    assert set(CHARGING) == set(DEADLINE_STATES)
    assert all(len(rule.maximum_source) > 10 and len(rule.relief_source) > 10 for rule in CHARGING.values())


def test_lack_of_work_is_relieved_nowhere() -> None:
    assert not any(relieves(state, "lack_of_work") for state in CHARGING)
    assert weekly_maximum("WY") is None


@given(
    st.lists(st.builds(priced, st.integers(0, 10**7), SSN), max_size=8),
    st.lists(st.builds(known, SSN, st.sampled_from(["open", "won"])), max_size=3),
)
def test_the_totals_are_those_of_the_lines(lines: list[StatementLine], claims: list[KnownClaim]) -> None:
    result = audit_statement(statement(*lines), claims)
    assert result.total_cents == sum(line.amount_cents for line in lines)
    assert result.expected_cents + result.questionable_cents == result.total_cents
    assert result.count("expected") + result.count("questionable") == len(lines)
    assert [found.number for found in result.lines] == list(range(1, len(lines) + 1))
    assert all(found.reason.endswith(".") for found in result.lines)
