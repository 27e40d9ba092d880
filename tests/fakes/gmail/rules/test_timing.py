from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from fakes.core.clock import civil, instant
from fakes.gmail.rules.timing import at_wall, sending_times, spoken

NEW_YORK = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("day", "offered"),
    [
        (date(2025, 10, 21), ["2025-10-22T08:00", "2025-10-22T13:00", "2025-10-27T08:00"]),
        (date(2025, 10, 26), ["2025-10-27T08:00", "2025-10-27T13:00"]),  # a Sunday: tomorrow is Monday
        (date(2025, 10, 27), ["2025-10-28T08:00", "2025-10-28T13:00", "2025-11-03T08:00"]),
    ],
)
def test_times_to_send_at_are_of_the_persons_days(day: date, offered: list[str]) -> None:
    late = instant(day, "23:30", NEW_YORK)
    assert [each.wall for each in sending_times(late, NEW_YORK)] == offered


@pytest.mark.parametrize(
    ("wall", "hour"),
    [("2025-11-03T08:00", 8), ("2026-03-08T02:30", 3), ("2025-11-02T01:30", 1)],
)
def test_a_wall_time_is_meant_as_the_clock_shows_it(wall: str, hour: int) -> None:
    at = at_wall(wall, NEW_YORK)
    assert at is not None and civil(at, NEW_YORK).hour == hour


def test_eight_is_eight_on_both_sides_of_a_change_of_clocks() -> None:
    before, after = at_wall("2025-11-01T08:00", NEW_YORK), at_wall("2025-11-02T08:00", NEW_YORK)
    assert before and after and after - before == 25 * 3_600_000


@pytest.mark.parametrize(
    "wall", ["", "T", "2025-10-22", "2025-13-01T08:00", "2025-10-22Tnoon", "0000-00-00T00:00"]
)
def test_what_is_no_time_is_none(wall: str) -> None:
    assert at_wall(wall, NEW_YORK) is None


def test_an_instant_is_spoken_as_in_answers() -> None:
    assert spoken(instant(date(2025, 10, 21), "00:05", NEW_YORK), NEW_YORK) == "Tue, Oct 21, 2025 at 12:05 AM"
