from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from fakes.core.ui import filters

NINE_OH_FIVE = 1_760_447_100_000  # 2025-10-14 13:05 UTC


@pytest.mark.parametrize(
    ("value", "printed"),
    [(date(2025, 10, 4), "Sat 4 Oct 2025"), (date(2024, 2, 29), "Thu 29 Feb 2024"), (None, ""), ("?", "?")],
)
def test_day(value: date | str | None, printed: str) -> None:
    assert filters.day(value) == printed


def test_instant_is_local_to_the_zone() -> None:
    assert filters.instant(NINE_OH_FIVE, ZoneInfo("America/New_York")) == "Tue 14 Oct 2025, 09:05"
    assert filters.instant(NINE_OH_FIVE) == "Tue 14 Oct 2025, 13:05"


def test_instant_keeps_what_is_no_instant() -> None:
    assert filters.instant(None) == ""
    assert filters.instant("yesterday") == "yesterday"


@pytest.mark.parametrize(
    ("cents", "printed"),
    [(123_450, "$1,234.50"), (0, "$0.00"), (5, "$0.05"), (-300, "-$3.00"), (None, ""), ("n/a", "n/a")],
)
def test_money(cents: int | str | None, printed: str) -> None:
    assert filters.money(cents) == printed
