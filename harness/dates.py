"""The days on which graders are proved beside the base date: where calendars, clocks and zones go wrong.

Six kinds of day in three places each. `--dates` plays the first place of each kind, `--full` all of them; the
base date is in neither, since plain `prove` plays it. A world begins at 09:30 there, by its own zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from harness.app import BASE_DATE, ZONE


@dataclass(frozen=True)
class Setting:
    """What a proof is repeated over: day and zone in which worlds begin, and the seed they are made of."""

    day: date = BASE_DATE
    zone: str = ZONE
    seed: int = 1

    @property
    def is_base(self) -> bool:
        """Whether it is where plain `prove` plays."""
        return self == BASE

    def __str__(self) -> str:
        """`2024-02-29 Asia/Kolkata`, and the seed if it is not the first."""
        return f"{self.day} {self.zone}" + (f" seed {self.seed}" if self.seed != BASE.seed else "")


BASE = Setting()

_TABLE = (
    ("leap day", (
        ("2024-02-29", "Asia/Kolkata", "a year on there is no such day; half an hour off, no summer time"),
        ("2028-02-29", "America/New_York", "the next one, in the base zone"),
        ("2028-02-29", "Pacific/Auckland", "summer there; in UTC it is still the 28th"),
    )),
    ("last day of the year", (
        ("2025-12-31", "Pacific/Kiritimati", "as far east as zones go, UTC+14: in UTC it is the 30th"),
        ("2026-12-31", "Europe/London", "UTC itself, in winter"),
        ("2027-12-31", "Pacific/Pago_Pago", "far west: the afternoon is next year in UTC; a Friday"),
    )),
    ("clocks go forward", (
        ("2026-03-08", "America/New_York", "a day of 23 hours: no 02:30; a Sunday"),
        ("2026-03-29", "Europe/Berlin", "three weeks later than in New York"),
        ("2026-10-04", "Australia/Lord_Howe", "by half an hour, in October"),
    )),
    ("clocks go back", (
        ("2025-10-26", "Europe/Berlin", "a day of 25 hours: 02:30 twice; a Sunday"),
        ("2025-11-02", "America/St_Johns", "from UTC-2:30 to UTC-3:30"),
        ("2026-04-05", "Pacific/Chatham", "from UTC+13:45 to UTC+12:45"),
    )),
    ("end of a month", (
        ("2026-04-30", "Pacific/Pago_Pago", "far west, UTC-11: the afternoon is May in UTC"),
        ("2026-01-31", "Asia/Kathmandu", "a month on there is no such day; UTC+5:45; a Saturday"),
        ("2025-02-28", "America/Los_Angeles", "a short month, before the base date"),
    )),
    ("three years on", (
        ("2028-10-21", "Asia/Tokyo", "the base date falls on a Saturday; what expires has expired"),
        ("2028-10-20", "America/Sao_Paulo", "the Friday before; south, without summer time"),
        ("2028-10-22", "Africa/Casablanca", "the Sunday after; summer time all year but in Ramadan"),
    )),
)  # fmt: skip
"""Kind of day, and its places: date, zone, why."""

FULL = tuple(Setting(date.fromisoformat(day), zone) for _, places in _TABLE for day, zone, _ in places)
"""All eighteen."""
DATES = FULL[::3]
"""The six that stand for their kinds."""
