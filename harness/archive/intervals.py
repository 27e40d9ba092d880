"""Estimates with their uncertainty: shares and means with 95% intervals, and exact tests, by formula alone.

Only the standard library: what is needed of Student's t has a closed form, since degrees of freedom here are
whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atan, comb, cos, pi, sin, sqrt
from statistics import NormalDist, fmean
from typing import Literal

LEVEL = 0.95
Method = Literal["wilson", "clustered", "newcombe"]


@dataclass(frozen=True)
class Estimate:
    """A value with its interval. `n` counts what it rests on: rollouts of one task, or tasks (`clustered`).

    A share lies in 0 … 1, a difference of shares in -1 … 1.
    """

    value: float
    low: float
    high: float
    n: int
    method: Method

    @property
    def spans_zero(self) -> bool:
        """Whether the interval holds 0: of a difference, that none is shown."""
        return self.low <= 0 <= self.high


def share(passed: int, n: int, level: float = LEVEL) -> Estimate:
    """A share of independent attempts with Wilson's score interval (E. B. Wilson, "Probable inference, the
    law of succession, and statistical inference", JASA 22, 1927), which holds for few attempts too.

    Raises ValueError for no attempts.
    """
    if not 0 <= passed <= n or n == 0:
        raise ValueError(f"{passed} of {n} is no share.")
    p = passed / n
    return Estimate(p, *_wilson(p, n, level), n, "wilson")


def _wilson(p: float, n: int, level: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Rounding must not leave a share outside of its own interval.
    return min(p, max(0.0, middle - half)), max(p, min(1.0, middle + half))


def mean_share(means: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of the means of tasks. Attempts at a task are alike, so a task is a cluster, and the error is
    that between tasks: cluster-robust, with Student's t on one degree of freedom less than there are tasks
    (E. Miller, "Adding error bars to evals", arXiv 2411.00640, 2024).

    Where all tasks came out alike nothing can be told from their spread; then it is Wilson's interval with
    each task as one attempt. Raises ValueError for no tasks.
    """
    low, high = _between(means, level) or _wilson(fmean(means), len(means), level)
    return Estimate(fmean(means), max(0.0, low), min(1.0, high), len(means), "clustered")


def mean_difference(before: Sequence[float], after: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of the paired differences of tasks' means, after less before; clustered as in `mean_share`.

    Where all tasks moved alike, the interval is `difference`'s with each task as one attempt.
    Raises ValueError for no tasks.
    """
    moved = [b - a for a, b in zip(before, after, strict=True)]
    n = len(moved)
    low, high = _between(moved, level) or _newcombe(fmean(before), n, fmean(after), n, level)
    return Estimate(fmean(moved), max(-1.0, low), min(1.0, high), n, "clustered")


def difference(before: tuple[int, int], after: tuple[int, int], level: float = LEVEL) -> Estimate:
    """The difference of two independent shares, each (passed, n), by the square-and-add of Wilson's intervals
    (R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
    Medicine 17, 1998, method 10). Raises ValueError for no attempts."""
    (a, n), (b, m) = before, after
    first, second = share(a, n, level), share(b, m, level)
    low, high = _newcombe(first.value, n, second.value, m, level)
    return Estimate(second.value - first.value, low, high, n + m, "newcombe")


def _newcombe(p: float, n: int, q: float, m: int, level: float) -> tuple[float, float]:
    """The limits of q - p."""
    (p_low, p_high), (q_low, q_high) = _wilson(p, n, level), _wilson(q, m, level)
    low = q - p - sqrt((q - q_low) ** 2 + (p_high - p) ** 2)
    high = q - p + sqrt((q_high - q) ** 2 + (p - p_low) ** 2)
    return max(-1.0, low), min(1.0, high)


def _between(values: Sequence[float], level: float) -> tuple[float, float] | None:
    """The limits of a mean by the spread of its values; None where they have none."""
    n, mean = len(values), fmean(values)
    squares = sum((value - mean) ** 2 for value in values)
    if n < 2 or squares < 1e-18:
        return None
    half = student_t(n - 1, level) * sqrt(squares / (n - 1) / n)
    return mean - half, mean + half


def student_t(df: int, level: float = LEVEL) -> float:
    """How many standard errors the middle `level` of Student's t reaches to either side.

    By bisection of the finite sums for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    if df < 1:
        raise ValueError(f"Student's t needs 1 or more degrees of freedom, not {df}.")
    return _root(lambda t: _within(t, df) - level)


def _within(t: float, df: int) -> float:
    """The probability that Student's t lies within -t … t."""
    angle = atan(t / sqrt(df))
    odd = df % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for k in range(1, (df - odd) // 2 + 1):
        total += term
        term *= cos(angle) ** 2 * ((2 * k) / (2 * k + 1) if odd else (2 * k - 1) / (2 * k))
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _root(rising: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    while rising(high) < 0:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def pass_at(k: int, passed: int, n: int) -> float:
    """pass@k of one task: the chance that one of k attempts passes, without bias from n of which some passed
    (M. Chen et al., "Evaluating large language models trained on code", arXiv 2107.03374, 2021)."""
    return 1 - comb(n - passed, k) / comb(n, k)


def pass_all(k: int, passed: int, n: int) -> float:
    """pass^k of one task: the chance that all of k attempts pass, without bias (S. Yao et al., "tau-bench",
    arXiv 2406.12045, 2024)."""
    return comb(passed, k) / comb(n, k)


def exact_p(only_before: int, only_after: int) -> float:
    """The two-sided p of McNemar's test in its exact form: of the pairs that differ, that so many or more
    would fall to one side if either side were as likely (Q. McNemar, Psychometrika 12, 1947)."""
    n, fewer = only_before + only_after, min(only_before, only_after)
    return min(1.0, sum(comb(n, i) for i in range(fewer + 1)) / 2 ** (n - 1)) if n else 1.0


def fisher_p(before: tuple[int, int], after: tuple[int, int]) -> float:
    """The two-sided p of Fisher's exact test on two independent shares, each (passed, n): of all ways in
    which as many passes could have fallen to both, the part that is no likelier than what was found
    (R. A. Fisher, "Statistical methods for research workers", 5th edition, 1934, section 21.02)."""
    (a, n), (b, m) = before, after
    ways = {x: comb(n, x) * comb(m, a + b - x) for x in range(max(0, a + b - m), min(n, a + b) + 1)}
    return sum(way for way in ways.values() if way <= ways[a]) / comb(n + m, a + b)
