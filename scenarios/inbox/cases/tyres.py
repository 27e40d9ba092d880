"""A mail that has to go out weeks from now, on the other side of a change of clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from fakes.gmail.schema import Message
from scenarios.inbox.cases.desk import Desk

TEXT = "Please book the tyre change for HL-07 and HL-12 this week."
_SEARCHED = 370
_HOUR, _DAY = 3_600_000, 86_400_000


@dataclass(frozen=True)
class Tyres:
    """To whom, what, and when: `monday` at 08:00 in `zone`, the instant `due_at` (UTC ms).

    `wrong_at` is what a calculation with days of 24 hours from this morning gives, off by what the clocks
    change by; in a zone where they never do it is an hour off. `monday_after` is a week late.
    """

    to: str
    subject: str
    text: str
    monday: date
    monday_after: date
    time: str
    zone: str
    due_at: int
    wrong_at: int
    earlier: Message


def tyres(d: Desk) -> Tyres:
    """Lays it out."""
    w = d.w
    zone = ZoneInfo(d.mira.zone)
    today, monday = w.day(), _monday_after_the_change(w.day(), zone)
    due_at = _at(monday, zone)
    wrong_at = _at(today, zone) + (monday - today).days * _DAY
    earlier = d.got(
        d.staff.jonas,
        "Winter tyres",
        "Mira, remind me of the tyres when it is time. I will forget.\n\nJonas\n",
        day=-8,
        time="16:20",
    )
    return Tyres(
        to=d.staff.jonas.email,
        subject="Winter tyres: it is time",
        text=TEXT,
        monday=monday,
        monday_after=monday + timedelta(days=7),
        time="08:00",
        zone=zone.key,
        due_at=due_at,
        wrong_at=wrong_at if wrong_at != due_at else due_at + _HOUR,
        earlier=earlier,
    )


def _monday_after_the_change(today: date, zone: ZoneInfo) -> date:
    """The first Monday after the clocks change next; where they never do, the Monday in two weeks."""
    days = [today + timedelta(days=n) for n in range(1, _SEARCHED)]
    now = _noon(today, zone)
    changed = next((day for day in days if _noon(day, zone) != now), today + timedelta(days=7))
    return changed + timedelta(days=7 - changed.weekday())


def _noon(day: date, zone: ZoneInfo) -> timedelta | None:
    return datetime(day.year, day.month, day.day, 12, tzinfo=zone).utcoffset()


def _at(day: date, zone: ZoneInfo) -> int:
    return int(datetime(day.year, day.month, day.day, 8, tzinfo=zone).timestamp() * 1000)
