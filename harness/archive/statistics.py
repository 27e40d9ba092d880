"""What rollouts show, counted and estimated: pass rates, pass@k and pass^k, guards, costs, classifications.

The denominator is every rollout that is over, whatever broke or ran out of time, but grader errors: those are
faults of ours, which say nothing of who acted, and are counted beside. Rollouts count as graded first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from harness.archive.intervals import Estimate, mean_share, pass_all, pass_at, share
from harness.archive.records import Rollout

GRADER_ERROR = "grader error"
KS = (1, 2, 3, 4, 5, 8, 10, 16, 32, 64, 100)
"""The k of pass@k and pass^k, up to as many attempts as some task has."""

Split = dict[str, list[Rollout]]


@dataclass(frozen=True)
class PassK:
    """pass@k (one of k passes) and pass^k (all of k pass), the means over the `tasks` that have k."""

    k: int
    at: float
    all: float
    tasks: int


@dataclass(frozen=True)
class GuardCount:
    """How often one guard of a task refused. What it could not judge, for want of a subject or since the
    attempt was void or never run, and where it broke itself, is counted apart."""

    task: str
    guard: str
    refused: int
    judged: int
    not_judged: int = 0
    errors: int = 0

    @property
    def rate(self) -> float | None:
        """The share of refusals among what it judged; None where it judged nothing."""
        return self.refused / self.judged if self.judged else None


@dataclass(frozen=True)
class Amount:
    """The sum of something over the rollouts that say it, `known` in number; `mean` is None where none do."""

    total: float = 0.0
    known: int = 0

    @property
    def mean(self) -> float | None:
        """For each rollout that says it."""
        return self.total / self.known if self.known else None


@dataclass(frozen=True)
class Spent:
    """What rollouts took. `cost_per_solved` is what all whose cost is known cost together, failures too, for
    each of them that passed; None where none did or none is known."""

    seconds: Amount = field(default_factory=Amount)
    steps: Amount = field(default_factory=Amount)
    tokens_in: Amount = field(default_factory=Amount)
    tokens_out: Amount = field(default_factory=Amount)
    cost_usd: Amount = field(default_factory=Amount)
    cost_per_solved: float | None = None


@dataclass(frozen=True)
class Summary:
    """Some rollouts at a glance: `rollouts` in all, `scored` those in the denominator, `passed` of these.

    `rate` is Wilson's of one task; of several the mean of their means, with tasks as clusters; None where
    nothing is scored. `classified` counts rollouts by what a person made of them last.
    """

    rollouts: int
    scored: int
    passed: int
    grader_errors: int
    tasks: int
    states: Mapping[str, int]
    rate: Estimate | None
    passes: tuple[PassK, ...]
    guards: tuple[GuardCount, ...]
    spent: Spent
    classified: Mapping[str, int]


def summarise(rollouts: Sequence[Rollout]) -> Summary:
    """The statistics of any rollouts: of a run, an environment, a task, a model."""
    counted = scored(rollouts)
    last: Counter[str] = Counter(each.classifications[-1].kind for each in rollouts if each.classifications)
    return Summary(
        rollouts=len(rollouts),
        scored=len(counted),
        passed=sum(each.passed for each in counted),
        grader_errors=sum(each.state == GRADER_ERROR for each in rollouts),
        tasks=len(by_task(rollouts)),
        states=dict(Counter(each.state for each in rollouts)),
        rate=rate(counted),
        passes=passes(counted),
        guards=guards(rollouts),
        spent=spent(counted),
        classified=dict(last),
    )


def scored(rollouts: Iterable[Rollout]) -> list[Rollout]:
    """The rollouts in the denominator: all that are over but grader errors."""
    return [each for each in rollouts if each.over and each.state != GRADER_ERROR]


def by_task(rollouts: Iterable[Rollout]) -> Split:
    """Rollouts by ENV/TASK, in the order of names."""
    return _split(rollouts, lambda each: each.task)


def by_environment(rollouts: Iterable[Rollout]) -> Split:
    """Rollouts by environment, in the order of names."""
    return _split(rollouts, lambda each: each.task.partition("/")[0])


def _split(rollouts: Iterable[Rollout], key: Callable[[Rollout], str]) -> Split:
    found: Split = {}
    for each in rollouts:
        found.setdefault(key(each), []).append(each)
    return dict(sorted(found.items()))


def rate(rollouts: Sequence[Rollout]) -> Estimate | None:
    """The pass rate of the scored ones among some rollouts; None where there are none."""
    tallies = _tallies(scored(rollouts))
    if len(tallies) == 1:
        return share(*tallies[0])
    return mean_share([passed / n for passed, n in tallies]) if tallies else None


def passes(rollouts: Sequence[Rollout]) -> tuple[PassK, ...]:
    """pass@k and pass^k for each of KS that some task has attempts for."""
    tallies = _tallies(scored(rollouts))
    most = max((n for _, n in tallies), default=0)
    return tuple(_pass_k(k, [(passed, n) for passed, n in tallies if n >= k]) for k in KS if k <= most)


def _pass_k(k: int, tallies: Sequence[tuple[int, int]]) -> PassK:
    at, every = (fmean(of(k, passed, n) for passed, n in tallies) for of in (pass_at, pass_all))
    return PassK(k, at, every, len(tallies))


def _tallies(rollouts: Sequence[Rollout]) -> list[tuple[int, int]]:
    """Passed and attempted, of each task."""
    return [(sum(each.passed for each in of), len(of)) for of in by_task(rollouts).values()]


def guards(rollouts: Iterable[Rollout]) -> tuple[GuardCount, ...]:
    """What each guard said, task by task, in the guards' own order. Where nobody ever acted, none judged."""
    said: dict[tuple[str, str], Counter[str]] = {}
    for each in rollouts:
        for verdict in each.verdicts:
            state = "not judged" if each.state == "not-run" else verdict.state
            said.setdefault((each.task, verdict.guard), Counter())[state] += 1
    in_order = sorted(said.items(), key=lambda item: item[0][0])  # stable: guards stay as they came
    return tuple(
        GuardCount(
            task, guard, n["refused"], n["refused"] + n["passed"], n["not judged"], n["error"]
        )
        for (task, guard), n in in_order
    )  # fmt: skip


def spent(rollouts: Sequence[Rollout]) -> Spent:
    """What rollouts took, of each thing over those that say it."""
    dear = [each for each in rollouts if each.usage.cost_usd is not None]
    cost, solved = _amount(each.usage.cost_usd for each in dear), sum(each.passed for each in dear)
    return Spent(
        seconds=_amount(each.took_s for each in rollouts),
        steps=_amount(each.usage.steps for each in rollouts),
        tokens_in=_amount(each.usage.tokens_in for each in rollouts),
        tokens_out=_amount(each.usage.tokens_out for each in rollouts),
        cost_usd=cost,
        cost_per_solved=cost.total / solved if solved else None,
    )


def _amount(values: Iterable[float | None]) -> Amount:
    known = [value for value in values if value is not None]
    return Amount(float(sum(known)), len(known))
