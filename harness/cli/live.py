"""How far a crew has got: a moving line in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.status import Status

from harness.cli.show import line
from harness.parallel import Job, Listener

Outcome = Callable[[Any], str]


class Live(Listener):
    """`with Live(console, outcome) as live: Crew(2, live)`. `outcome` says in a word what came of a job.

    Where there is no terminal, few jobs tell their `stages`, many only their ends.
    """

    def __init__(self, console: Console, outcome: Outcome, *, stages: bool = False) -> None:
        self.console, self.outcome, self.stages = console, outcome, stages
        self._status: Status | None = None
        self._expected = self._done = 0
        self._tells_stages = stages
        self._told: set[tuple[str, str]] = set()

    def __enter__(self) -> Live:
        if self.console.is_terminal:
            self._status = self.console.status("starting")
            self._status.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._status is not None:
            self._status.stop()

    def expect(self, jobs: Sequence[Job]) -> None:
        """Begins to count."""
        self._expected, self._done = len(jobs), 0
        self._tells_stages = self.stages and len(jobs) <= FEW

    def say(self, job: Job, task: str, what: str) -> None:
        """Shows it; where there is no terminal, each stage once."""
        if self._status is not None:
            count = f"{self._done}/{self._expected} · " if self._expected > 1 else ""
            self._status.update(f"{count}{job.name}: {what}".replace("[", "\\["))
        elif self._tells_stages and (job.name, stage := _stage(what)) not in self._told:
            self._told.add((job.name, stage))
            line(self.console, f"{job.name}: {stage}")

    def done(self, job: Job, came: Any) -> None:
        """Counts it."""
        self._done += 1
        if self._status is not None or self._tells_stages or self._expected == 1:
            return
        if self._done % (self._expected // LINES or 1) == 0:
            line(self.console, f"{self._done}/{self._expected} {job.name}: {self.outcome(came)}")


FEW = 10
"""More jobs than this tell no stages."""

LINES = 50
"""Of more jobs than this, about so many are told."""

_STAGES = {
    "cheat": "cheats",
    "variant": "variants",
    "generated:": "generated cheats",
    "instance": "instances",
}


def _stage(what: str) -> str:
    """A stage of a proof, whichever cheat or step of it this is."""
    return _STAGES.get(what.split()[0], what)
