"""United States federal holidays by rule, for any year, and business days by them.

Source: 5 U.S.C. § 6103(a) for the days; § 6103(b) and Executive Order 11582 for the day on which one is
observed (a Saturday's on the Friday before, a Sunday's on the Monday after). Today's list is applied to every
year, except that Martin Luther King Day starts in 1986 and Juneteenth in 2021. States' own calendars are not
modelled: some keep more days (Texas, Pennsylvania), some work on Columbus Day (California); near such a day
the paper's own date is worth a second look.
"""

from __future__ import annotations

import datetime as dt
from functools import cache

_MONDAY, _THURSDAY, _SATURDAY, _SUNDAY = 0, 3, 5, 6
_ONE_DAY = dt.timedelta(days=1)


def _nth(year: int, month: int, weekday: int, n: int) -> dt.date:
    first = dt.date(year, month, 1)
    return first + dt.timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))


def _last_monday_of_may(year: int) -> dt.date:
    end = dt.date(year, 5, 31)
    return end - dt.timedelta(days=end.weekday())


def _legal_days(year: int) -> dict[dt.date, str]:
    days = {
        dt.date(year, 1, 1): "New Year's Day",
        _nth(year, 2, _MONDAY, 3): "Washington's Birthday",
        _last_monday_of_may(year): "Memorial Day",
        dt.date(year, 7, 4): "Independence Day",
        _nth(year, 9, _MONDAY, 1): "Labor Day",
        _nth(year, 10, _MONDAY, 2): "Columbus Day",
        dt.date(year, 11, 11): "Veterans Day",
        _nth(year, 11, _THURSDAY, 4): "Thanksgiving Day",
        dt.date(year, 12, 25): "Christmas Day",
    }
    if year >= 1986:
        days[_nth(year, 1, _MONDAY, 3)] = "Martin Luther King Jr. Day"
    if year >= 2021:
        days[dt.date(year, 6, 19)] = "Juneteenth"
    return days


def observed(day: dt.date) -> dt.date:
    """The day on which offices close for a holiday that falls on `day`."""
    if day.weekday() == _SATURDAY:
        return day - _ONE_DAY
    return day + _ONE_DAY if day.weekday() == _SUNDAY else day


@cache
def _observed_in(year: int) -> dict[dt.date, str]:
    # A New Year's Day on a Saturday is observed on 31 December of the year before.
    legal = _legal_days(year) | {dt.date(year + 1, 1, 1): "New Year's Day"}
    return dict(sorted((observed(day), name) for day, name in legal.items() if observed(day).year == year))


def federal_holidays(year: int) -> dict[dt.date, str]:
    """Observed day to name, in order of date, for the days that fall in `year` (1 to 9998)."""
    return dict(_observed_in(year))


def holiday_name(day: dt.date) -> str | None:
    """The holiday observed on that day, if any."""
    return _observed_in(day.year).get(day)


def is_business_day(day: dt.date) -> bool:
    """Monday to Friday and no observed federal holiday."""
    return day.weekday() < _SATURDAY and holiday_name(day) is None


def on_or_after(day: dt.date) -> dt.date:
    """The first business day on or after `day`."""
    while not is_business_day(day):
        day += _ONE_DAY
    return day


def add_business_days(day: dt.date, count: int) -> dt.date:
    """The `count`-th business day after `day` (the day itself is never counted); `count` is at least 1."""
    for _ in range(count):
        day = on_or_after(day + _ONE_DAY)
    return day
