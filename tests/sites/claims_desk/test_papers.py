"""Papers: what is printed is what is read, and the Q3 statement has one size."""

from __future__ import annotations

import contextlib
import datetime as dt
import string
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sites.claims_desk.rules import (
    Q3_BYTE_SIZE,
    DoesNotFit,
    NotANotice,
    NotAStatement,
    NoticeFacts,
    Q3Charge,
    Statement,
    StatementLine,
    UnknownState,
    UnreadablePaper,
    charge_statement,
    determination,
    notice,
    paper_type,
    q3_lines,
    q3_statement,
    q3_weeks,
    q3_year,
    read_notice,
    read_statement,
)

DAYS = st.dates(dt.date(1000, 1, 10), dt.date(9999, 10, 31))
RUN_DATES = st.dates(dt.date(1001, 1, 10), dt.date(9999, 10, 31))
MAYBE_DAYS = st.none() | DAYS
STATES = st.sampled_from(["NY", "PA", "CA", "WY", "PR"])
SSN = st.from_regex(r"[0-9]{4}", fullmatch=True)
REASONS = st.sampled_from(["discharge_misconduct", "voluntary_quit", "lack_of_work", "other"])


def printable(most: int) -> st.SearchStrategy[str]:
    """What a field may hold: ASCII with single spaces inside."""
    text = st.text(string.ascii_letters + string.digits + string.punctuation + " ", min_size=1, max_size=most)
    return text.map(lambda value: " ".join(value.split())).filter(bool)


LINES = st.builds(
    StatementLine,
    claimant_name=printable(22),
    ssn_last4=SSN,
    first_week=DAYS,
    last_week=DAYS,
    weeks=st.integers(1, 99),
    separation_reason=REASONS,
    amount_cents=st.integers(0, 999_999_99),
)
CHARGES = st.builds(
    Q3Charge,
    claimant_name=printable(22),
    ssn_last4=SSN,
    separation_reason=REASONS,
    first_week=st.integers(1, 7),
    weeks=st.integers(1, 7),
    weekly_cents=st.integers(0, 100_000),
)
NOTICES = st.builds(
    NoticeFacts,
    type=st.sampled_from(["determination", "claim_filed", "hearing"]),
    state=STATES,
    reference=printable(30),
    claim_number=st.none() | printable(30),
    claimant_name=printable(40),
    ssn_last4=SSN,
    employer_name=printable(50),
    employer_account=printable(20),
    notice_date=DAYS,
    mail_date=MAYBE_DAYS,
    printed_due=MAYBE_DAYS,
    body=printable(400),
)

WHITFIELD = Q3Charge("Dana Whitfield", "4417", "voluntary_quit", 1, 7, 50400)
TODAY = dt.date(2026, 2, 9)


def dana() -> str:
    return determination(
        state="NY", reference="NY-DET-20418", claimant_name="Dana Whitfield", ssn_last4="4417",
        employer_name="Harborlight", employer_account="48-21077 3", notice_date=dt.date(2026, 2, 2),
        mail_date=dt.date(2026, 2, 3), printed_due=dt.date(2026, 2, 27), eligible=True,
    )  # fmt: skip


# Notices


def test_a_determination_reads_back_with_its_own_dates() -> None:
    facts = read_notice(dana())
    assert (facts.type, facts.state, facts.claimant_name) == ("determination", "NY", "Dana Whitfield")
    assert (facts.notice_date, facts.mail_date) == (dt.date(2026, 2, 2), dt.date(2026, 2, 3))
    assert (facts.reference, facts.printed_due) == ("NY-DET-20418", dt.date(2026, 2, 27))


def test_a_determination_says_how_it_came_out() -> None:
    assert "the claimant is eligible for benefits" in read_notice(dana()).body


def test_a_date_that_the_paper_does_not_state_is_read_as_none() -> None:
    facts = replace(read_notice(dana()), mail_date=None, printed_due=None)
    text = notice(facts)
    assert text.count("not stated") == 3  # the claim number too
    assert read_notice(text) == facts


def test_papers_say_that_they_are_simulated() -> None:
    assert all(
        "SIMULATED PAPER" in text.splitlines()[1] for text in (dana(), q3_statement(TODAY, [WHITFIELD]))
    )


@given(NOTICES)
def test_a_printed_notice_reads_back_as_it_was(facts: NoticeFacts) -> None:
    # A claim number that reads 'not stated' is none.
    expected = replace(facts, claim_number=None) if facts.claim_number == "not stated" else facts
    assert read_notice(notice(facts)) == expected


@given(NOTICES, DAYS, DAYS, DAYS)
def test_a_notices_size_does_not_depend_on_its_dates(
    facts: NoticeFacts, a: dt.date, b: dt.date, c: dt.date
) -> None:
    assert len(notice(facts)) == len(notice(replace(facts, notice_date=a, mail_date=b, printed_due=c)))


def test_line_ends_of_another_system_change_nothing() -> None:
    assert read_notice(dana().replace("\n", "\r\n")) == read_notice(dana())
    statement = q3_statement(TODAY, [WHITFIELD])
    assert read_statement(statement.replace("\n", "\r\n")) == read_statement(statement)


@pytest.mark.parametrize("text", ["", "   \n", "Dear Mira,\nlunch on Friday?\n", "NOTICE OF DETERMINATION"])
def test_text_that_is_no_notice_is_refused(text: str) -> None:
    with pytest.raises(NotANotice, match="its second line is no title"):
        read_notice(text)


def test_a_statement_read_as_a_notice_is_refused_with_the_way_out() -> None:
    with pytest.raises(NotANotice, match="start its audit"):
        read_notice(q3_statement(TODAY, [WHITFIELD]))


@pytest.mark.parametrize(
    ("printed", "instead", "message"),
    [
        ("2026-02-03", "2026-02-30", "'Mail date' cannot be read"),
        ("2026-02-03", "3 Feb 2026", "'Mail date' cannot be read"),
        ("2026-02-02", "not stated", "states no date of its own"),
        ("Claimant:", "Person:", "no line 'Claimant'"),
        ("NY\n", "ZZ\n", "the state 'ZZ', which is none"),
    ],
)
def test_a_damaged_notice_is_refused_where_it_is_damaged(printed: str, instead: str, message: str) -> None:
    with pytest.raises(NotANotice, match=message):
        read_notice(dana().replace(printed, instead, 1))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("claimant_name", "Zoë Whitfield", "plain ASCII"),
        ("claimant_name", "x" * 60, "holds 52 characters"),
        ("reference", "  ", "it is blank"),
        ("ssn_last4", "44", "four digits"),
        ("type", "charge_statement", "charge_statement"),
    ],
)
def test_a_value_that_no_field_can_hold_is_refused(field: str, value: str, message: str) -> None:
    changed: dict[str, object] = {field: value}
    with pytest.raises(DoesNotFit, match=message):
        notice(replace(read_notice(dana()), **changed))  # type: ignore[arg-type]


def test_a_notice_from_no_state_cannot_be_printed() -> None:
    with pytest.raises(UnknownState):
        notice(replace(read_notice(dana()), state="ZZ"))


def test_the_type_of_a_paper_is_told_by_its_title() -> None:
    assert paper_type(dana()) == "determination"
    assert paper_type(q3_statement(TODAY, [WHITFIELD])) == "charge_statement"
    assert paper_type("a holiday photo\nof the harbour") is None


# Statements


def printed(statement: Statement) -> str:
    return charge_statement(
        state=statement.state, quarter=statement.quarter, employer_name=statement.employer_name,
        employer_account=statement.employer_account, statement_date=statement.statement_date,
        mail_date=statement.mail_date, printed_due=statement.printed_due, lines=statement.lines,
    )  # fmt: skip


@given(
    STATES, printable(28), printable(12), DAYS, MAYBE_DAYS, MAYBE_DAYS, st.lists(LINES, max_size=9).map(tuple)
)
def test_a_printed_statement_reads_back_as_it_was(
    state: str,
    employer: str,
    account: str,
    dated: dt.date,
    mailed: dt.date | None,
    due: dt.date | None,
    lines: tuple[StatementLine, ...],
) -> None:
    total = sum(line.amount_cents for line in lines)
    statement = Statement(state, "Q3 2025", employer, account, dated, mailed, due, total, lines)
    assert read_statement(printed(statement)) == statement


def test_the_headline_is_what_the_lines_add_up_to() -> None:
    statement = read_statement(q3_statement(TODAY, [WHITFIELD, WHITFIELD]))
    assert statement.headline_cents == statement.charged_cents == 2 * 7 * 50400


def test_a_headline_that_disagrees_is_read_as_printed() -> None:
    statement = read_statement(q3_statement(TODAY, [WHITFIELD]).replace("3,528.00", "3,999.00", 1))
    assert (statement.headline_cents, statement.charged_cents) == (399900, 352800)


@pytest.mark.parametrize(
    ("printed", "instead", "message"),
    [
        ("Quarter:", "Period: ", "no field 'Quarter'"),
        ("2026-02-04", "2026-02-31", "'Dated' cannot be read"),
        ("2026-02-04", "not stated", "carries no date"),
        ("3,528.00 ", "much     ", "total cannot be read"),
        ("NY ", "ZZ ", "the state 'ZZ'"),
        ("QUIT", "LEFT", "reason or amount"),
        ("2025-07-06", "2025-07-32", "A week on the charge line"),
        ("2025-07-06", "not stated", "cannot be read"),
        ("01 Dana", "0l Dana", "charge line '0l Dana"),
        ("No Claimant", "No Person  ", "table of charges is cut off"),
    ],
)
def test_a_damaged_statement_is_refused_where_it_is_damaged(printed: str, instead: str, message: str) -> None:
    text = q3_statement(TODAY, [WHITFIELD])
    assert printed in text
    with pytest.raises(NotAStatement, match=message):
        read_statement(text.replace(printed, instead, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("hello\nworld", "no charge statement"),
        (dana(), "a determination notice. Record|determination"),
    ],
)
def test_what_is_no_statement_is_refused_with_the_way_out(text: str, message: str) -> None:
    with pytest.raises(NotAStatement, match=message):
        read_statement(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amount_cents": -1}, "never negative"),
        ({"amount_cents": 1_000_000_00}, "Split the charge"),
        ({"weeks": 0}, "1 to 99 weeks"),
        ({"ssn_last4": "12345"}, "four digits"),
        ({"claimant_name": "Bartholomew Featherstonehaugh"}, "holds 22 characters"),
    ],
)
def test_a_line_that_the_form_cannot_hold_is_refused(change: dict[str, object], message: str) -> None:
    statement = read_statement(q3_statement(TODAY, [WHITFIELD]))
    line = replace(statement.lines[0], **change)  # type: ignore[arg-type]
    with pytest.raises(DoesNotFit, match=message):
        printed(replace(statement, lines=(line,)))


def test_a_quarter_has_one_spelling() -> None:
    with pytest.raises(DoesNotFit, match="Q3 2025"):
        printed(replace(read_statement(q3_statement(TODAY, [WHITFIELD])), quarter="2025/3"))


def test_a_statement_has_no_trailing_spaces() -> None:
    assert all(row == row.rstrip() for row in q3_statement(TODAY, [WHITFIELD]).splitlines())


@given(st.integers(0, 1056), st.text(max_size=4), st.integers(0, 80))
def test_however_a_paper_is_damaged_it_is_read_or_refused(at: int, put_in: str, left_out: int) -> None:
    for text in (dana(), q3_statement(TODAY, [WHITFIELD])):
        damaged = text[:at] + put_in + text[at + left_out :]
        for read in (read_notice, read_statement):
            with contextlib.suppress(UnreadablePaper):
                read(damaged)


# The Q3 fixture


@given(RUN_DATES, st.lists(CHARGES, min_size=1, max_size=6))
@example(dt.date(2028, 2, 29), [WHITFIELD])
@example(dt.date(2025, 12, 31), [WHITFIELD])
@example(dt.date(2026, 1, 1), [WHITFIELD] * 6)
@example(dt.date(2026, 10, 5), [WHITFIELD])
@example(dt.date(2026, 10, 6), [WHITFIELD])
def test_the_q3_statement_is_1057_bytes_on_every_date(today: dt.date, charges: list[Q3Charge]) -> None:
    assert len(q3_statement(today, charges).encode("ascii")) == Q3_BYTE_SIZE == 1057


def test_the_q3_statement_is_1057_bytes_on_each_day_of_five_years() -> None:
    days = (dt.date(2024, 1, 1) + dt.timedelta(days=n) for n in range(5 * 366))
    assert {len(q3_statement(day, [WHITFIELD])) for day in days} == {1057}


@given(RUN_DATES)
def test_the_quarter_was_over_when_its_statement_was_made(today: dt.date) -> None:
    statement = read_statement(q3_statement(today, [WHITFIELD]))
    assert statement.quarter == f"Q3 {q3_year(today):04d}"
    assert dt.date(q3_year(today), 9, 30) < statement.statement_date < today
    assert statement.mail_date is not None and statement.statement_date <= statement.mail_date < today


@given(st.integers(1000, 9000))
def test_the_weeks_of_q3_are_thirteen_sundays_of_its_months(year: int) -> None:
    weeks = q3_weeks(year)
    assert len(weeks) == 13 and all(day.weekday() == 6 for day in weeks)
    assert dt.date(year, 7, 1) <= weeks[0] and weeks[-1] <= dt.date(year, 9, 30)


def test_the_lines_of_the_fixture_are_those_on_the_paper() -> None:
    assert read_statement(q3_statement(TODAY, [WHITFIELD])).lines == q3_lines(TODAY, [WHITFIELD])


def test_the_fixture_is_harborlights() -> None:
    statement = read_statement(q3_statement(TODAY, [WHITFIELD]))
    assert (statement.employer_name, statement.state, statement.quarter) == ("Harborlight", "NY", "Q3 2025")


@pytest.mark.parametrize("count", [0, 7])
def test_the_q3_form_has_six_rows(count: int) -> None:
    with pytest.raises(DoesNotFit, match="give one to 6"):
        q3_statement(TODAY, [WHITFIELD] * count)


@pytest.mark.parametrize(("first_week", "weeks"), [(0, 1), (1, 0), (8, 7), (13, 2)])
def test_weeks_outside_the_quarter_are_refused(first_week: int, weeks: int) -> None:
    with pytest.raises(DoesNotFit, match="weeks 1 to 13"):
        q3_statement(TODAY, [replace(WHITFIELD, first_week=first_week, weeks=weeks)])
