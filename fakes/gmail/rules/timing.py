"""Civil times for what a mailbox does later, in the zone of whose mailbox it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from fakes.core.clock import civil, instant

MORNING, AFTERNOON, EVENING = "08:00", "13:00", "18:00"
_TOO_LATE = 17
"""The hour from which the evening is no longer later today."""
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONDAY, _SATURDAY = 0, 5


@dataclass(frozen=True)
class Preset:
    """A time that is offered: what it is called, and the wall time as "2025-10-22T08:00"."""

    name: str
    wall: str


def sending_times(now_ms: int, zone: ZoneInfo) -> list[Preset]:
    """When one may want a mail to go out: tomorrow morning and afternoon, and on Monday morning."""
    today = civil(now_ms, zone).date()
    tomorrow = today + timedelta(days=1)
    monday = today + timedelta(days=(_MONDAY - today.weekday()) % 7 or 7)
    found = [
        Preset("Tomorrow morning", f"{tomorrow}T{MORNING}"),
        Preset("Tomorrow afternoon", f"{tomorrow}T{AFTERNOON}"),
    ]
    return [*found, Preset("Monday morning", f"{monday}T{MORNING}")] if monday != tomorrow else found


def snooze_times(now_ms: int, zone: ZoneInfo) -> list[Preset]:
    """When one may want to see a mail again: later today, tomorrow, at the weekend, next week."""
    now = civil(now_ms, zone)
    today = now.date()
    tomorrow = today + timedelta(days=1)
    saturday = today + timedelta(days=(_SATURDAY - today.weekday()) % 7 or 7)
    monday = today + timedelta(days=(_MONDAY - today.weekday()) % 7 or 7)
    found = [Preset("Later today", f"{today}T{EVENING}")] if now.hour < _TOO_LATE else []
    found.append(Preset("Tomorrow", f"{tomorrow}T{MORNING}"))
    if saturday != tomorrow and today.weekday() < _SATURDAY:
        found.append(Preset("This weekend", f"{saturday}T{MORNING}"))
    return [*found, Preset("Next week", f"{monday}T{MORNING}")] if monday != tomorrow else found


def days_before(day: str, days: int) -> str:
    """The day so many days before one ("2025-10-21"), as searches write it ("2025/10/18"); "" for no day."""
    return _moved(day, -days)


def day_after(day: str, days: int) -> str:
    """The first day that is more than so many days after one."""
    return _moved(day, days + 1)


def _moved(day: str, days: int) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=days)).strftime("%Y/%m/%d")
    except (ValueError, OverflowError):
        return ""


def at_wall(wall: str, zone: ZoneInfo) -> int | None:
    """The instant of a wall time ("2025-10-22T08:00"), or None for what is none.

    A time that a change of clocks leaves out is an hour later; of one that comes twice, the first is meant.
    """
    day, _, time = wall.strip().partition("T")
    try:
        return instant(date.fromisoformat(day), time, zone)
    except (ValueError, OverflowError):
        return None


def spoken(at_ms: int, zone: ZoneInfo) -> str:
    """An instant as mail programs write it into answers: "Tue, Oct 21, 2025 at 9:30 AM"."""
    at = civil(at_ms, zone)
    return f"{_DAYS[at.weekday()]}, {_MONTHS[at.month - 1]} {at.day}, {at.year} at {clock_time(at)}"


def clock_time(at: datetime) -> str:
    """The time of day, as in "9:30 AM"."""
    return f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"
