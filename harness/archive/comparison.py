"""Two lots of rollouts beside each other, such as two runs: paired by task, since tasks differ more than
models do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from harness.archive.intervals import LEVEL, Estimate, difference, exact_p, fisher_p, mean_difference
from harness.archive.records import Rollout
from harness.archive.statistics import GuardCount, by_task, guards, scored

NONE_SHOWN = "no difference shown"


@dataclass(frozen=True)
class Tally:
    """Passed of attempts."""

    passed: int
    n: int

    @property
    def rate(self) -> float:
        """The share that passed."""
        return self.passed / self.n

    def __str__(self) -> str:
        return f"{self.passed}/{self.n}"


@dataclass(frozen=True)
class Pair:
    """A task before and after. Where both were tried on some of the same instances, only these count, and
    `same` is true. `revised` says that its graders were of other revisions."""

    task: str
    before: Tally
    after: Tally
    same: bool
    revised: bool

    @property
    def moved(self) -> float:
        """The difference of pass rates."""
        return self.after.rate - self.before.rate


@dataclass(frozen=True)
class GuardMove:
    """How often a guard refused before and after, where that differs."""

    task: str
    guard: str
    before: GuardCount
    after: GuardCount

    @property
    def moved(self) -> float:
        """The difference of refusal rates: above 0, it refuses more."""
        return (self.after.rate or 0.0) - (self.before.rate or 0.0)


@dataclass(frozen=True)
class Comparison:
    """What changed. `difference` is after less before, None where no task was tried in both. `unpaired` are
    the tasks that only one of both tried.

    `p` is exact: McNemar's where each task was tried once in both, Fisher's where there is one task. The
    intervals of so few attempts are too narrow, so that it has to agree.
    """

    pairs: tuple[Pair, ...]
    unpaired: tuple[str, ...]
    before: float | None
    after: float | None
    difference: Estimate | None
    p: float | None
    guards: tuple[GuardMove, ...]

    @property
    def moved(self) -> tuple[Pair, ...]:
        """The tasks whose pass rate differs, the largest losses first."""
        return tuple(sorted((pair for pair in self.pairs if pair.moved), key=lambda pair: pair.moved))

    @property
    def verdict(self) -> str:
        """What may be said of it, in words."""
        if self.difference is None:
            return "no task in common"
        if self.difference.spans_zero or (self.p is not None and self.p > 1 - LEVEL):
            return NONE_SHOWN
        return "better" if self.difference.value > 0 else "worse"


def compare(before: Sequence[Rollout], after: Sequence[Rollout]) -> Comparison:
    """Compares rollouts task by task; those that are not scored are left out on both sides."""
    first, second = by_task(scored(before)), by_task(scored(after))
    common = sorted(first.keys() & second.keys())
    lots = {task: _alike(first[task], second[task]) for task in common}
    pairs = tuple(_pair(task, *lots[task]) for task in common)
    return Comparison(
        pairs=pairs,
        unpaired=tuple(sorted(first.keys() ^ second.keys())),
        before=fmean(pair.before.rate for pair in pairs) if pairs else None,
        after=fmean(pair.after.rate for pair in pairs) if pairs else None,
        difference=_difference(pairs),
        p=_p(pairs),
        guards=_guard_moves([lot[0] for lot in lots.values()], [lot[1] for lot in lots.values()]),
    )


def _alike(before: list[Rollout], after: list[Rollout]) -> tuple[list[Rollout], list[Rollout]]:
    """Those on instances that both have; all of them where there is none."""
    both = {each.seed for each in before} & {each.seed for each in after}
    if not both:
        return before, after
    return [each for each in before if each.seed in both], [each for each in after if each.seed in both]


def _pair(task: str, before: Sequence[Rollout], after: Sequence[Rollout]) -> Pair:
    same = {each.seed for each in before} == {each.seed for each in after}
    revisions = {each.revision for each in chain(before, after) if each.revision}
    return Pair(task, _tally(before), _tally(after), same, len(revisions) > 1)


def _tally(rollouts: Sequence[Rollout]) -> Tally:
    return Tally(sum(each.passed for each in rollouts), len(rollouts))


def _difference(pairs: Sequence[Pair]) -> Estimate | None:
    if not pairs:
        return None
    if len(pairs) == 1:
        [only] = pairs
        return difference((only.before.passed, only.before.n), (only.after.passed, only.after.n))
    return mean_difference([pair.before.rate for pair in pairs], [pair.after.rate for pair in pairs])


def _p(pairs: Sequence[Pair]) -> float | None:
    if len(pairs) == 1:
        [only] = pairs
        return fisher_p((only.before.passed, only.before.n), (only.after.passed, only.after.n))
    if not pairs or any((pair.before.n, pair.after.n) != (1, 1) or not pair.same for pair in pairs):
        return None
    return exact_p(sum(pair.moved < 0 for pair in pairs), sum(pair.moved > 0 for pair in pairs))


def _guard_moves(before: Sequence[list[Rollout]], after: Sequence[list[Rollout]]) -> tuple[GuardMove, ...]:
    """The guards that refuse more or less, the largest moves first."""
    first, second = _by_guard(before), _by_guard(after)
    common = [key for key in first if key in second]
    moves = [GuardMove(*key, first[key], second[key]) for key in common]
    judged = [move for move in moves if move.before.judged and move.after.judged and move.moved]
    return tuple(sorted(judged, key=lambda move: -abs(move.moved)))


def _by_guard(lots: Sequence[list[Rollout]]) -> Mapping[tuple[str, str], GuardCount]:
    return {(count.task, count.guard): count for count in guards(chain(*lots))}
