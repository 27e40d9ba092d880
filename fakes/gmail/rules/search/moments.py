"""Instants as searches name them: an epoch, a civil date, or so long ago.

Dates are midnights of one zone, whoever asks: Pacific time at Google, as far as is known
(github.com/obot-platform/obot/issues/2584); a world may have another. Months and years are those of the
calendar.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from fakes.core.clock import civil, instant

PACIFIC = "America/Los_Angeles"
_DATE = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})|(\d{1,2})[/-](\d{1,2})[/-](\d{4})")
_EPOCH = re.compile(r"\d{5,11}")
_AGE = re.compile(r"(\d{1,5})([dmy])", re.IGNORECASE)


@dataclass(frozen=True)
class Epoch:
    """An instant in UTC milliseconds."""

    at: int


@dataclass(frozen=True)
class Ago:
    """So many days ("d"), months ("m") or years ("y") before now."""

    count: int
    unit: str


Moment = Epoch | date | Ago


def moment_of(text: str) -> Moment | None:
    """What `after:` and `before:` take: 2025/04/16, 2025-4-16, 4/16/2025, or epoch seconds."""
    if _EPOCH.fullmatch(text):
        return Epoch(int(text) * 1000)
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (found[1], found[2], found[3]) if found[1] else (found[6], found[4], found[5])
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def age_of(text: str) -> Ago | None:
    """What `newer_than:` and `older_than:` take: 2d, 3m, 1y."""
    found = _AGE.fullmatch(text)
    return Ago(int(found[1]), found[2].lower()) if found else None


def instant_of(moment: Moment, now: int, zone: ZoneInfo) -> int:
    """UTC milliseconds of a moment, at the instant `now`."""
    if isinstance(moment, Epoch):
        return moment.at
    if isinstance(moment, date):
        return instant(moment, "00:00", zone)
    if moment.unit == "d":
        return now - moment.count * 86_400_000
    here = civil(now, zone)
    months = moment.count * (12 if moment.unit == "y" else 1)
    return int(_months_before(here, months).timestamp() * 1000)


def _months_before(here: datetime, months: int) -> datetime:
    """The same day and time, months before; the last of a month that is shorter."""
    at = here.year * 12 + here.month - 1 - months
    year, month = max(1, at // 12), at % 12 + 1
    return here.replace(year=year, month=month, day=min(here.day, monthrange(year, month)[1]))
