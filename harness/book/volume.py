"""The whole book before it is printed: environments with the archive's runs and rollouts beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from harness.archive.intervals import Estimate
from harness.archive.records import Records, Rollout, Run
from harness.archive.statistics import GRADER_ERROR, by_task, rate, scored
from harness.book.entries import EnvironmentEntry, TaskEntry


@dataclass(frozen=True)
class Score:
    """How some rollouts went: `passed` of `scored`; `faults` are grader errors and `open` those not over."""

    passed: int
    scored: int
    faults: int
    open: int
    rate: Estimate | None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.scored or self.faults or self.open)


def score(rollouts: Sequence[Rollout]) -> Score:
    """The score of some rollouts."""
    counted = scored(rollouts)
    return Score(
        passed=sum(each.passed for each in counted),
        scored=len(counted),
        faults=sum(each.state == GRADER_ERROR for each in rollouts),
        open=sum(not each.over for each in rollouts),
        rate=rate(counted),
    )


@dataclass(frozen=True)
class Totals:
    """What the index says over all environments. `proved_on` is the day of the oldest proof that counts."""

    proved: int
    total: int
    proved_on: str
    environments: int
    tasks: int
    guards: int
    wrongs: int
    scores: int
    never_run: int


@dataclass(frozen=True)
class RunLine:
    """A run on an index: its score, the tasks it is of, and how many rollouts each was given."""

    run: Run
    score: Score
    tasks: int
    completed: int
    each: str


@dataclass(frozen=True)
class Volume:
    """Environments and records, with what is asked of both."""

    environments: Sequence[EnvironmentEntry]
    records: Records
    media: dict[int, list[str]] = field(default_factory=dict)
    """Pictures and films of rollouts by their number, as paths from the book's root."""

    @cached_property
    def tasks(self) -> Mapping[str, TaskEntry]:
        """Every task by ENV/TASK."""
        return {task.name: task for env in self.environments for task in env.tasks}

    @cached_property
    def runs(self) -> Mapping[str, Run]:
        """Every run by its id."""
        return {run.id: run for run in self.records.runs}

    @cached_property
    def of_task(self) -> Mapping[str, Sequence[Rollout]]:
        """Rollouts by ENV/TASK, also of tasks that are no longer there."""
        return by_task(self.records.rollouts)

    @cached_property
    def of_run(self) -> Mapping[str, Sequence[Rollout]]:
        """Rollouts by run."""
        found: dict[str, list[Rollout]] = {}
        for each in self.records.rollouts:
            found.setdefault(each.run, []).append(each)
        return found

    def name_of(self, slug: str) -> str:
        """An environment's name; its slug where it is not here."""
        return next((env.name for env in self.environments if env.slug == slug), slug)

    def label(self, rollout: Rollout) -> str:
        """Whom a rollout's score is shown under."""
        return self.runs[rollout.run].driver.label if rollout.run in self.runs else "unknown"

    def by_label(self, rollouts: Sequence[Rollout]) -> dict[str, list[Rollout]]:
        """Rollouts by who acted, in the order of first runs."""
        found: dict[str, list[Rollout]] = {}
        for each in rollouts:
            found.setdefault(self.label(each), []).append(each)
        return found

    @staticmethod
    def score(rollouts: Sequence[Rollout]) -> Score:
        """The score of some rollouts."""
        return score(rollouts)

    def latest_media(self, task: str) -> tuple[int, list[str]] | None:
        """The newest rollout of a task that was seen, with its pictures and films."""
        seen = [each.id for each in self.of_task.get(task, ()) if self.media.get(each.id)]
        return (seen[-1], self.media[seen[-1]]) if seen else None

    def scored_tasks(self, env: EnvironmentEntry) -> int:
        """How many of its tasks have a score."""
        return sum(bool(scored(self.of_task.get(task.name, ()))) for task in env.tasks)

    def run_lines(self, env: str | None = None, most: int | None = None) -> list[RunLine]:
        """Runs, the newest first, by what they did in an environment or at all."""
        found = []
        for run in reversed(self.records.runs):
            rollouts = [
                each for each in self.of_run.get(run.id, ())
                if env in (None, each.task.partition("/")[0])
            ]  # fmt: skip
            if rollouts:
                found.append(run_line(run, rollouts))
            if len(found) == most:
                break
        return found

    @cached_property
    def totals(self) -> Totals:
        """The index's figures."""
        whole = [env for env in self.environments if not env.broken]
        dates = [env.proof.date for env in whole if env.proof.fresh]
        return Totals(
            proved=sum(env.proof.proved for env in whole),
            total=sum(env.proof.total for env in whole),
            proved_on=min(dates, default=""),
            environments=len(self.environments),
            tasks=len(self.tasks),
            guards=sum(env.guards for env in whole),
            wrongs=sum(env.wrongs for env in whole),
            scores=len(scored(self.records.rollouts)),
            never_run=sum(not any(each.over for each in self.of_task.get(name, ())) for name in self.tasks),
        )


def run_line(run: Run, rollouts: Sequence[Rollout]) -> RunLine:
    """A run's line."""
    tasks = by_task(rollouts)
    sizes = sorted({len(each) for each in tasks.values()})
    each = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"
    completed = sum(any(one.passed for one in scored(of)) for of in tasks.values())
    return RunLine(run, score(rollouts), len(tasks), completed, each)
