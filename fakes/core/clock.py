"""The run clock: the only time inside a world. The wall clock is read here and nowhere else."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from typing import Literal
from zoneinfo import ZoneInfo

Mode = Literal["frozen", "stepping", "running"]
MODES: tuple[Mode, ...] = ("frozen", "stepping", "running")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def wall_ms() -> int:
    """The wall clock in UTC milliseconds: for running clocks and signatures that real clients check."""
    return time.time_ns() // 1_000_000


def instant(day: date, at: str, zone: ZoneInfo) -> int:
    """UTC milliseconds of the civil time `at` ("09:00" or "09:00:30") on `day` in `zone`."""
    civil = datetime.combine(day, time_of_day.fromisoformat(at), tzinfo=zone)
    return int(civil.timestamp() * 1000)


def civil(at_ms: int, zone: ZoneInfo) -> datetime:
    """The civil date and time of a UTC millisecond instant in `zone`."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone)


def utc(at_ms: int) -> datetime:
    """The aware UTC datetime of an instant, exact to the millisecond."""
    return _EPOCH + timedelta(milliseconds=at_ms)


@dataclass(frozen=True)
class ClockState:
    """What a world stores of its clock: a mode, an anchor on the run clock and, if running, on the wall."""

    mode: Mode
    at_ms: int
    wall_ms: int = 0
    step_ms: int = 1000

    def now(self) -> int:
        """The run clock's instant in UTC milliseconds."""
        if self.mode == "running":
            return self.at_ms + max(0, wall_ms() - self.wall_ms)
        return self.at_ms

    def moved(self, at_ms: int) -> ClockState:
        """The same clock, standing at `at_ms`."""
        return replace(self, at_ms=at_ms, wall_ms=wall_ms() if self.mode == "running" else 0)

    def turned(self, mode: Mode) -> ClockState:
        """The same instant in another mode."""
        return ClockState(mode, self.now(), wall_ms() if mode == "running" else 0, self.step_ms)
