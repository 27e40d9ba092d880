"""How pages print stored values: civil dates, instants and amounts, in words that depend on no locale.

An absent value prints as nothing, and text where a value should be (a row keeps what it was given) prints as
it stands, so that a page shows a broken row instead of failing on it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(value: date | str | None) -> str:
    """A civil date, as in "Tue 14 Oct 2025"."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{_DAYS[value.weekday()]} {value.day} {_MONTHS[value.month - 1]} {value.year}"


def instant(value: int | str | None, zone: tzinfo = UTC) -> str:
    """An instant in UTC milliseconds as local time, as in "Tue 14 Oct 2025, 09:05"."""
    if value is None or isinstance(value, str):
        return value or ""
    local = datetime.fromtimestamp(value / 1000, zone)
    return f"{day(local)}, {local.hour:02}:{local.minute:02}"


def money(cents: int | str | None) -> str:
    """An amount in US cents, as in "$1,234.50" and "-$3.00"."""
    if cents is None or isinstance(cents, str):
        return cents or ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${dollars:,}.{rest:02}"
