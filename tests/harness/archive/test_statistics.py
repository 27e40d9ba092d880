"""Estimates against brute force and published values; what is counted, and what stands beside the count."""

from __future__ import annotations

from itertools import combinations, product
from math import exp, lgamma, pi, sqrt
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.archive import intervals
from harness.archive.records import State
from harness.archive.statistics import Amount, GuardCount, by_environment, guards, summarise
from tests.harness.archive.lots import lot, rollout


def test_pass_at_k_and_pass_all_k_are_what_drawing_k_of_n_attempts_gives() -> None:
    for passed, n, k in product(range(6), range(1, 6), range(1, 6)):
        if passed <= n and k <= n:
            draws = list(combinations([True] * passed + [False] * (n - passed), k))
            assert intervals.pass_at(k, passed, n) == pytest.approx(sum(map(any, draws)) / len(draws))
            assert intervals.pass_all(k, passed, n) == pytest.approx(sum(map(all, draws)) / len(draws))


def test_the_exact_p_counts_all_outcomes_that_are_no_more_balanced() -> None:
    for a, b in product(range(5), range(5)):
        outcomes = [outcome.bit_count() for outcome in range(2 ** (a + b))]
        extreme = [c for c in outcomes if abs(c - (a + b) / 2) >= abs(a - b) / 2]
        assert intervals.exact_p(a, b) == pytest.approx(len(extreme) / len(outcomes))


def test_fishers_p_counts_all_divisions_of_the_passes_that_are_no_likelier() -> None:
    for n, m, a, b in product(range(1, 4), range(1, 5), range(4), range(5)):
        if a <= n and b <= m:
            to_first = [sum(place < n for place in taken) for taken in combinations(range(n + m), a + b)]
            unlikely = [found for found in to_first if to_first.count(found) <= to_first.count(a)]
            found = intervals.fisher_p((a, n), (b, m))
            assert found == pytest.approx(len(unlikely) / len(to_first))


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_limits_are_the_shares_that_a_score_test_just_keeps(drawn: tuple[int, int]) -> None:
    passed, n = drawn
    found, z = intervals.share(passed, n), 1.959963984540054
    for limit in (found.low, found.high):
        if 0 < limit < 1:
            assert abs(passed / n - limit) == pytest.approx(z * sqrt(limit * (1 - limit) / n))
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 12, 29, 60])
def test_students_t_holds_95_percent_of_its_density(df: int) -> None:
    t, steps = intervals.student_t(df), 2000
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)
    width = 2 * t / steps
    middles = [-t + (i + 0.5) * width for i in range(steps)]
    mass = sum(scale * (1 + x * x / df) ** (-(df + 1) / 2) for x in middles) * width
    assert mass == pytest.approx(0.95, abs=1e-4)


def test_published_values_come_out() -> None:
    assert [round(intervals.student_t(df), 3) for df in (1, 2, 10, 30)] == [12.706, 4.303, 2.228, 2.042]
    found = intervals.difference((48, 80), (56, 70))  # Newcombe 1998, table II, (a), turned about
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_several_tasks_are_clusters_and_equally_weighty() -> None:
    found = summarise([*lot("desk/one", 9, 10), *lot("desk/two", 1, 2), *lot("console/three", 0, 1)])
    assert found.rate is not None and found.rate.n == found.tasks == 3
    assert found.rate.value == pytest.approx((0.9 + 0.5 + 0) / 3)
    spread = sqrt(((0.9 - 7 / 15) ** 2 + (0.5 - 7 / 15) ** 2 + (7 / 15) ** 2) / 2 / 3)
    assert found.rate.high == pytest.approx(min(1, 7 / 15 + 4.302653 * spread))
    assert list(by_environment(lot("desk/one", 1, 1) + lot("console/x", 1, 1))) == ["console", "desk"]


def test_tasks_that_all_came_out_alike_still_leave_room_for_doubt() -> None:
    [found] = [summarise([*lot("desk/one", 4, 4), *lot("desk/two", 4, 4)]).rate]
    assert found is not None and (found.value, found.high) == (1.0, 1.0)
    assert found.low == intervals.share(2, 2).low < 0.4


def test_all_that_is_over_is_in_the_denominator_but_grader_errors() -> None:
    states = get_args(State)
    found = summarise([rollout(state) for state in states])
    assert (found.rollouts, found.scored, found.passed, found.grader_errors) == (9, 6, 1, 1)
    assert found.rate is not None and found.rate.value == pytest.approx(1 / 6)
    assert found.states == dict.fromkeys(states, 1)


def test_nothing_over_is_no_rate_rather_than_none_passed() -> None:
    found = summarise([rollout("planned"), rollout("grader error")])
    assert found.rate is None and found.passes == () and found.spent.cost_per_solved is None


def test_pass_k_is_averaged_over_the_tasks_that_have_k_attempts() -> None:
    found = {each.k: each for each in summarise([*lot("desk/one", 1, 2), *lot("desk/two", 1, 1)]).passes}
    assert (found[1].at, found[1].all, found[1].tasks) == (0.75, 0.75, 2)
    assert (found[2].at, found[2].all, found[2].tasks) == (1.0, 0.0, 1)
    assert list(found) == [1, 2]


def test_guards_count_refusals_among_what_they_judged() -> None:
    found = guards(
        [
            rollout("passed", verdicts={"right-date": "passed", "by-hand": "passed"}),
            rollout("failed", verdicts={"right-date": "refused", "by-hand": "not judged"}),
            rollout("grader error", verdicts={"right-date": "passed", "by-hand": "error"}),
            rollout("not-run", verdicts={"right-date": "refused"}),
        ]
    )
    assert found == (
        GuardCount("desk/one", "right-date", 1, 3, 1), GuardCount("desk/one", "by-hand", 0, 1, 1, 1),
    )  # fmt: skip
    assert found[0].rate == pytest.approx(1 / 3)
    assert GuardCount("desk/one", "x", 0, 0, 2).rate is None


def test_a_solved_task_costs_what_the_failed_ones_cost_too() -> None:
    found = summarise([rollout("passed", cost=1.0), rollout("failed", cost=2.0), rollout("passed")]).spent
    assert found.cost_per_solved == 3.0 and found.cost_usd == Amount(3.0, 2)
    assert found.steps.mean == 3 and found.tokens_in.mean is None and found.seconds.total == 6.0
    assert summarise([rollout("failed", cost=2.0)]).spent.cost_per_solved is None
