"""Federal holidays by rule, and business days by them."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites.claims_desk.rules import federal_holidays, is_business_day
from sites.claims_desk.rules.holidays import add_business_days, observed, on_or_after

DAYS = st.dates(dt.date(1935, 1, 1), dt.date(2999, 12, 31))


def test_the_holidays_of_2026_are_those_that_the_government_lists() -> None:
    assert [day.isoformat()[5:] for day in federal_holidays(2026)] == [
        "01-01", "01-19", "02-16", "05-25", "06-19", "07-03", "09-07", "10-12", "11-11", "11-26", "12-25",
    ]  # fmt: skip


def test_a_holiday_on_a_saturday_is_observed_on_friday() -> None:
    assert federal_holidays(2026)[dt.date(2026, 7, 3)] == "Independence Day"


def test_a_holiday_on_a_sunday_is_observed_on_monday() -> None:
    assert federal_holidays(2027)[dt.date(2027, 7, 5)] == "Independence Day"


def test_a_new_years_day_on_a_saturday_is_observed_in_the_old_year() -> None:
    assert federal_holidays(2021)[dt.date(2021, 12, 31)] == "New Year's Day"
    assert dt.date(2022, 1, 1) not in federal_holidays(2022)


def test_juneteenth_starts_in_2021() -> None:
    assert dt.date(2021, 6, 18) in federal_holidays(2021)
    assert "Juneteenth" not in federal_holidays(2020).values()


def test_martin_luther_king_day_starts_in_1986() -> None:
    assert "Martin Luther King Jr. Day" in federal_holidays(1986).values()
    assert "Martin Luther King Jr. Day" not in federal_holidays(1985).values()


def test_changing_the_answer_does_not_change_the_next_one() -> None:
    federal_holidays(2030).clear()
    assert federal_holidays(2030)


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2026-02-13", True),
        ("2026-02-14", False),
        ("2026-02-15", False),
        ("2026-02-16", False),
        ("2026-02-17", True),
    ],
)
def test_business_days_around_washingtons_birthday(day: str, expected: bool) -> None:
    assert is_business_day(dt.date.fromisoformat(day)) is expected


def test_business_days_step_over_weekend_and_holiday() -> None:
    assert add_business_days(dt.date(2026, 2, 12), 2) == dt.date(2026, 2, 17)


@given(st.integers(1935, 2999))
def test_no_observed_holiday_is_on_a_weekend(year: int) -> None:
    assert all(day.weekday() < 5 and day.year == year for day in federal_holidays(year))


@given(DAYS)
def test_a_holiday_is_observed_within_a_day(day: dt.date) -> None:
    assert abs((observed(day) - day).days) <= 1
    assert observed(day).weekday() < 5


@given(DAYS)
def test_the_next_business_day_is_one_and_near(day: dt.date) -> None:
    found = on_or_after(day)
    assert is_business_day(found)
    assert 0 <= (found - day).days <= 4


@given(DAYS, st.integers(1, 30))
def test_counting_business_days_counts_each_of_them(day: dt.date, count: int) -> None:
    end = add_business_days(day, count)
    passed = [day + dt.timedelta(days=n) for n in range(1, (end - day).days + 1)]
    assert sum(map(is_business_day, passed)) == count
