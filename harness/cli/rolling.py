"""How a run gets on: in a terminal a line for each rollout under way, elsewhere one for each that is over."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from harness.cli.live import LINES
from harness.cli.show import line
from harness.parallel import Job, Listener, Lost
from harness.rollouts import WORDS, Made

SHOWN = 12
"""So many rollouts under way have a line; more are counted."""


class Rolling(Listener):
    """`with Rolling(console) as rolling, Crew(2, rolling) as crew`: shows rollouts, counts and what passed.

    Jobs that are no rollouts, such as the search for instances, are told in a terminal alone.
    """

    def __init__(self, console: Console) -> None:
        self.console, self.many = console, False
        self._began: dict[str, float] = {}
        self._doing: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._expected = 0
        self._live: Live | None = None

    def __enter__(self) -> Rolling:
        if self.console.is_terminal:
            self._live = Live(
                console=self.console, get_renderable=self.shown, transient=True, refresh_per_second=4
            )
            self._live.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._live is not None:
            self._live.stop()

    def expect(self, jobs: Sequence[Job]) -> None:
        """Begins to count."""
        self._expected = len(jobs)
        self._counts.clear()

    def say(self, job: Job, task: str, what: str) -> None:
        """Notes that a job is under way, and what it does."""
        self._began.setdefault(job.name, time.monotonic())
        self._doing[job.name] = what

    def done(self, job: Job, came: Any) -> None:
        """Counts it; where there is no terminal, tells it, or some of very many."""
        self._doing.pop(job.name, None)
        took = time.monotonic() - self._began.pop(job.name, time.monotonic())
        self._counts[_state(came)] += 1
        if not self.many or self._live is not None or not isinstance(came, (Made, Lost)):
            return
        over = self._counts.total()
        if over % (self._expected // LINES or 1) == 0:
            line(self.console, f"{over}/{self._expected} {job.name}: {_state(came)} ({took:.1f} s)")

    def shown(self) -> Group:
        """The lines of a terminal as they are now."""
        now, doing = time.monotonic(), list(self._doing.items())
        lines = [Text(self._counted(), style="bold")]
        for name, what in doing[:SHOWN]:
            lines.append(Text(f"  {name} · {what} · {now - self._began[name]:.0f} s"))
        if len(doing) > SHOWN:
            lines.append(Text(f"  and {len(doing) - SHOWN} more"))
        return Group(*lines)

    def _counted(self) -> str:
        if not self._expected:
            return "starting"
        parts = [f"{self._counts.total()}/{self._expected}", f"passed {self._counts['passed']}"]
        parts += [f"{words} {self._counts[state]}" for state, words in WORDS.items() if self._counts[state]]
        return " · ".join(parts)


def _state(came: object) -> str:
    """How a rollout ended, in a word; of other jobs, that they did."""
    if isinstance(came, Lost):
        return "time-out" if came.overdue else "error"
    return came.outcome.state if isinstance(came, Made) else "looked at"
