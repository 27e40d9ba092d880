"""Rollouts in a line, for statistics and comparisons: no archive, no bundle."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from harness.archive.records import Grading, Records, Rollout, Run, State
from harness.driver import Driver
from harness.evidence import Usage
from harness.grade import State as Said
from harness.grade import Verdict

DAY_MS = 86_400_000
BEGUN_MS = 1_767_225_600_000  # 2026-01-01
_numbers = count(1)


def rollout(
    state: State, task: str = "desk/one", *, run: str = "1-a", seed: int = 1, cost: float | None = None,
    verdicts: dict[str, Said] | None = None, revision: str = "r1", begun_ms: int | None = None,
) -> Rollout:  # fmt: skip
    """A rollout in some state; over, it has a grading with these verdicts."""
    said = tuple(Verdict(guard, each) for guard, each in (verdicts or {}).items())
    number = next(_numbers)
    graded = () if state in ("planned", "running") else (Grading(number, 0, revision, state, said),)
    return Rollout(
        number, run, task, seed, 1, state=state, took_s=2.0, revision=revision, gradings=graded,
        begun_ms=begun_ms, usage=Usage(steps=3, cost_usd=cost),
    )  # fmt: skip


def lot(task: str, passed: int, n: int, *, revision: str = "r1") -> list[Rollout]:
    """So many rollouts of a task, of which so many passed."""
    states: list[State] = ["passed" if number < passed else "failed" for number in range(n)]
    return [rollout(state, task, revision=revision) for state in states]


def run(name: str, model: str, day: int = 0) -> Run:
    """A run of a model, begun so many days into 2026."""
    begun = BEGUN_MS + day * DAY_MS
    return Run(name, begun, None, ("desk",), Driver(rail="model", model=model))


def records(runs: Iterable[Run], *rollouts: Rollout) -> Records:
    """An archive's values."""
    return Records(list(runs), rollouts)
