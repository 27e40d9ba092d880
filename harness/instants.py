"""Instants as people and programs name them: for all who move run clocks, by page, by JSON or by command."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fakes.core import agenda
from fakes.core.clock import civil, utc
from fakes.core.world import World
from harness.app import morning_of
from harness.fields import BadInput

_FIRST, _LAST = date(1990, 1, 1), date(2200, 1, 1)
_STEP = re.compile(r"(\d{1,7})([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def zone_of(name: str) -> ZoneInfo:
    """The zone with an IANA name such as "Europe/Paris". Raises BadInput."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(f"{name!r} is no time zone; use an IANA name such as America/New_York.") from None


def instant_of(text: str, zone: ZoneInfo) -> int:
    """UTC milliseconds of "2025-10-21" (its 09:30), "2025-10-21T14:00" (in `zone`) or one with an offset.

    Raises BadInput, also outside 1990 to 2200.
    """
    try:
        if len(text) == 10:
            return morning_of(_bounded(date.fromisoformat(text)), zone.key)
        moment = datetime.fromisoformat(text)
        _bounded(moment.date())
    except ValueError:
        raise BadInput(
            f"{text!r} is no instant; write 2025-10-21 or 2025-10-21T14:00, between 1990 and 2200."
        ) from None
    return _ms(moment if moment.tzinfo else moment.replace(tzinfo=zone))


def later(world: World, step: str) -> int:
    """Where the run clock stands after "90s", "10m", "2h", "1d" or "1w"; days and weeks keep the time of day.

    Raises BadInput.
    """
    found = _STEP.fullmatch(step)
    if not found:
        raise BadInput(f"{step!r} is no length of time; write 90s, 10m, 2h, 1d or 1w.")
    ahead = timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        moment = civil(world.now(), world.zone)
        moved = moment + ahead if found[2] in "dw" else moment.astimezone(UTC) + ahead
        _bounded(moved.date())
    except (ValueError, OverflowError):
        raise BadInput(f"{step!r} from now lies after the year 2200.") from None
    return max(_ms(moved), world.now())


def next_due(world: World) -> int | None:
    """The instant of the earliest planned thing, not before now; None when nothing is planned."""
    planned = agenda.next_due(world)
    return max(planned.due_at, world.now()) if planned else None


def iso(at_ms: int, zone: ZoneInfo) -> str:
    """An instant as "2025-10-21T09:30:00.000-04:00"."""
    return utc(at_ms).astimezone(zone).isoformat(timespec="milliseconds")


def _ms(moment: datetime) -> int:
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))


def _bounded(day: date) -> date:
    if not _FIRST <= day < _LAST:
        raise ValueError(day)
    return day
