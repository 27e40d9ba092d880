"""What the archive holds, as plain values: read whole, and handed to statistics, exports and the task book.

Times are UTC milliseconds of the wall clock, which the archive alone goes by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.driver import Driver
from harness.evidence import Usage
from harness.grade import Verdict

State = Literal[
    "planned", "running", "passed", "failed", "void", "error", "time-out", "not-run", "grader error"
]
OVER: frozenset[str] = frozenset({"passed", "failed", "void", "error", "time-out", "not-run", "grader error"})
"""The states in which a rollout is over. All of them stand in the denominator but `grader error`, which is
a fault of ours and no score."""

Kind = Literal["capability", "contract gap", "evaluator gap"]
"""Why a rollout did not pass: the agent could not; the task did not say it; the grader was wrong."""


@dataclass(frozen=True)
class Run:
    """Rollouts of one driver on some tasks: `id` is a short name such as `7-stand-in`, never used again.

    `targets` are what was asked for (ENV or ENV/TASK); `options` whatever else was, such as the split;
    `versions` the distribution's and the schema's. `isolation` says in words what held the agent in.
    """

    id: str
    begun_ms: int
    ended_ms: int | None
    targets: tuple[str, ...]
    driver: Driver
    options: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, Any] = field(default_factory=dict)
    isolation: str = ""


@dataclass(frozen=True)
class Grading:
    """What a grader said of a rollout, once. `revision` is the task's then: a grader that was changed since
    has another, and adds a grading without taking away the one before.
    """

    rollout: int
    at_ms: int
    revision: str
    state: State
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Classification:
    """What a person made of a rollout that did not pass; `guard` is the one it is about, if one."""

    rollout: int
    at_ms: int
    kind: Kind
    note: str = ""
    guard: str | None = None


@dataclass(frozen=True)
class Rollout:
    """One attempt. `task` is ENV/TASK, `seed` the instance, `number` its place among those of task and seed.

    `state` and `revision` are those of its score: its first grading that is no grader error, for good;
    `bundle` is a path beside the archive. `took_s` is wall time.
    """

    id: int
    run: str
    task: str
    seed: int
    number: int
    state: State = "planned"
    begun_ms: int | None = None
    took_s: float | None = None
    error: str = ""
    bundle: str | None = None
    revision: str = ""
    rail: str = ""
    confined: bool = False
    usage: Usage = field(default_factory=Usage)
    gradings: Sequence[Grading] = ()
    classifications: Sequence[Classification] = ()

    @property
    def over(self) -> bool:
        """Whether it has come to some end."""
        return self.state in OVER

    @property
    def passed(self) -> bool:
        """Whether the task was done, by its score."""
        return self.state == "passed"

    @property
    def scored(self) -> Grading | None:
        """The grading that is its score; while graders could not say, the first one; None: there is none."""
        return next((g for g in self.gradings if g.state != "grader error"), next(iter(self.gradings), None))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What each guard said, in the grading that is its score."""
        return self.scored.verdicts if self.scored else ()


@dataclass(frozen=True)
class Plan:
    """A rollout to be made: the task (ENV/TASK), the instance's seed, its place among those of both."""

    task: str
    seed: int = 1
    number: int = 1


@dataclass(frozen=True)
class Outcome:
    """What came of a rollout. `bundle` is a path beside the archive; `verdicts` None: nobody graded it."""

    state: State
    revision: str = ""
    took_s: float | None = None
    error: str = ""
    bundle: str | None = None
    rail: str = ""
    confined: bool = False
    usage: Usage = field(default_factory=Usage)
    verdicts: Sequence[Verdict] | None = None


@dataclass(frozen=True)
class Records:
    """All of an archive, runs and rollouts oldest first."""

    runs: Sequence[Run] = ()
    rollouts: Sequence[Rollout] = ()

    def of_run(self, run: str) -> list[Rollout]:
        """The rollouts of a run."""
        return [rollout for rollout in self.rollouts if rollout.run == run]

    def of_task(self, task: str) -> list[Rollout]:
        """The rollouts of a task, ENV/TASK."""
        return [rollout for rollout in self.rollouts if rollout.task == task]
