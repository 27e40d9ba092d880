"""Two lots of rollouts beside each other, and the words that select them."""

from __future__ import annotations

import pytest

from harness.archive.comparison import compare
from harness.archive.records import Records
from harness.archive.selecting import Selection, UnknownSelection, selection
from tests.harness.archive.lots import BEGUN_MS, DAY_MS, lot, records, rollout, run


def test_tasks_are_paired_and_the_difference_has_an_interval() -> None:
    before = [*lot("d/a", 1, 4), *lot("d/b", 2, 4), *lot("d/c", 3, 4), *lot("d/only", 1, 1)]
    after = [*lot("d/a", 3, 4), *lot("d/b", 4, 4), *lot("d/c", 4, 4)]
    found = compare(before, after)
    assert [str(pair.before) for pair in found.pairs] == ["1/4", "2/4", "3/4"]
    assert found.unpaired == ("d/only",)
    assert found.difference is not None and found.difference.n == 3
    assert found.difference.value == pytest.approx((0.5 + 0.5 + 0.25) / 3)
    assert found.difference.low > 0 and found.verdict == "better"
    assert compare(after, before).verdict == "worse"
    assert [pair.task for pair in compare(after, before).moved] == ["d/a", "d/b", "d/c"]


def test_an_interval_around_0_is_no_difference_shown() -> None:
    found = compare(lot("d/a", 1, 4) + lot("d/b", 4, 4), lot("d/a", 4, 4) + lot("d/b", 3, 4))
    assert found.difference is not None and found.difference.value > 0
    assert found.verdict == "no difference shown"
    equal = compare(lot("d/a", 2, 2) + lot("d/b", 2, 2), lot("d/a", 2, 2) + lot("d/b", 2, 2))
    assert equal.verdict == "no difference shown" and equal.moved == ()
    assert equal.difference is not None and equal.difference.low < 0 < equal.difference.high


def test_one_task_is_compared_by_its_attempts() -> None:
    found = compare(lot("d/a", 0, 10), lot("d/a", 9, 10))
    assert found.difference is not None and found.difference.method == "newcombe"
    assert found.verdict == "better" and found.p is not None and found.p < 0.001
    few = compare(lot("d/a", 0, 2), lot("d/a", 2, 2))
    assert few.difference is not None and not few.difference.spans_zero
    assert few.p == pytest.approx(1 / 3) and few.verdict == "no difference shown"


def test_one_attempt_a_task_gives_an_exact_p() -> None:
    tasks = [f"d/{n}" for n in range(6)]
    before = [rollout("failed", task) for task in tasks]
    after = [rollout("passed", task) for task in tasks]
    assert compare(before, after).p == pytest.approx(2 / 2**6)
    assert compare([*before, *before], after).p is None
    assert compare(before, [rollout("passed", task, seed=2) for task in tasks]).p is None


def test_of_a_task_the_instances_that_both_tried_are_compared() -> None:
    before = [rollout("failed", "d/a", seed=1), rollout("passed", "d/a", seed=9)]
    after = [rollout("passed", "d/a", seed=1), rollout("passed", "d/a", seed=2)]
    [pair] = compare(before, after).pairs
    assert (str(pair.before), str(pair.after), pair.same) == ("0/1", "1/1", True)
    [other] = compare(before, after[1:]).pairs
    assert (str(other.before), str(other.after), other.same) == ("1/2", "1/1", False)


def test_grader_errors_are_on_neither_side_and_other_revisions_are_told() -> None:
    found = compare([rollout("grader error", "d/a"), rollout("failed", "d/b")], [rollout("passed", "d/a")])
    assert found.verdict == "no task in common" and found.unpaired == ("d/a", "d/b")
    [pair] = compare(lot("d/a", 1, 2), lot("d/a", 1, 2, revision="r2")).pairs
    assert pair.revised


def test_guards_that_refuse_more_or_less_are_told() -> None:
    before = [rollout("failed", verdicts={"kept": "refused", "same": "passed", "few": "passed"})] * 2
    after = [rollout("failed", verdicts={"kept": "passed", "same": "passed", "few": "refused"}), *before]
    found = compare(before, after).guards
    assert [(move.guard, round(move.moved, 2)) for move in found] == [("kept", -0.33), ("few", 0.33)]


@pytest.fixture
def archive() -> Records:
    return records(
        [run("1-a", "m-1"), run("2-b", "m-2", day=3), run("3-b", "m-2", day=5)],
        rollout("passed", "desk/one", run="1-a"),
        rollout("failed", "desk/two", run="2-b"),
        rollout("failed", "console/one", run="2-b", begun_ms=BEGUN_MS + 4 * DAY_MS - 1),
        rollout("passed", "desk/one", run="3-b"),
    )


def tasks_of(words: str, archive: Records, **given: object) -> list[str]:
    return [f"{each.run} {each.task}" for each in selection(words, archive, **given).of(archive)]  # type: ignore[arg-type]


def test_a_run_a_model_and_days_select_rollouts(archive: Records) -> None:
    assert tasks_of("1-a", archive) == ["1-a desk/one"]
    assert tasks_of("model:m-2", archive) == ["2-b desk/two", "2-b console/one", "3-b desk/one"]
    assert tasks_of("2026-01-04", archive) == ["2-b desk/two", "2-b console/one"]
    assert tasks_of("2026-01-05..", archive) == ["3-b desk/one"]
    assert tasks_of("..2026-01-04", archive, only=("desk",)) == ["1-a desk/one", "2-b desk/two"]
    assert tasks_of("2026-01-01..2026-01-31", archive, model="m-1") == ["1-a desk/one"]
    assert Selection().of(archive) == list(archive.rollouts)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("9-z", "There is no run '9-z'; say a run (1-a, 2-b, 3-b), model:NAME, or days such as"),
        ("model:x", "No run is of 'x'; there are runs of m-1, m-2."),
        ("2026-01-35", "A day is YYYY-MM-DD, not '2026-01-35'."),
        ("2027-01-01..", "No rollout is meant by '2027-01-01..'"),
        ("..", "There is no run '..'"),
        ("", "There is no run ''"),
    ],
)
def test_words_that_select_nothing_say_what_there_is(words: str, said: str, archive: Records) -> None:
    with pytest.raises(UnknownSelection) as raised:
        selection(words, archive)
    assert said in str(raised.value)
