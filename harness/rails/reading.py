"""What is read of an agent while it speaks: entries of its transcript, and what it took."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.evidence import Usage

Entries = list[tuple[str, str]]
Event = Mapping[str, Any]


@dataclass
class Reading:
    """What was read of an agent so far. `problem` is what it said of its own failure."""

    steps: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    out_of_turns: bool = False
    problem: str = ""
    replies: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def usage(self) -> Usage:
        """For the evidence."""
        cost = self.cost_usd
        known = isinstance(cost, int | float) and 0 <= cost < math.inf
        tokens = _counted(self.tokens_in), _counted(self.tokens_out)
        return Usage(_counted(self.steps), *tokens, cost if known else None)

    @property
    def turns(self) -> int:
        """How many steps it has taken, as far as is known."""
        return _counted(self.steps) or 0

    def count(self, *, steps: int = 0, tokens_in: int = 0, tokens_out: int = 0, cost: float = 0.0) -> None:
        """Adds to what there is."""
        self.steps = (self.steps or 0) + steps
        self.tokens_in = (self.tokens_in or 0) + tokens_in
        self.tokens_out = (self.tokens_out or 0) + tokens_out
        if cost:
            self.cost_usd = (self.cost_usd or 0.0) + cost


def _counted(value: Any) -> int | None:
    """A number, if what an agent said is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


Reader = Callable[[str, Reading], Entries]
"""Takes a line of stdout and what was read so far; returns what to note."""


def of_events(read: Callable[[Event, Reading], Entries | None]) -> Reader:
    """A reader of JSON events, one a line. Lines that are none, and events that `read` can't make anything
    of, are noted as they are.
    """

    def reader(line: str, reading: Reading) -> Entries:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            return plain(line, reading)
        try:
            found = read(event, reading)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            found = None
        known = found is not None and all(isinstance(each, str) for entry in found for each in entry)
        return found if found is not None and known else [("event", line)]

    return reader


def plain(line: str, reading: Reading) -> Entries:
    """Text."""
    return [("said", line)] if line.strip() else []
