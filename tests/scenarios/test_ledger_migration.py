"""The ledger's migration: its grader is qualified as it stands, and tells solutions apart as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.code import locks, qualified
from harness.code.bench import open_bench
from harness.code.discovery import load_code_environment
from harness.code.grading import grade_solution, try_holds, try_invariant
from harness.code.solutions import REFERENCE, START, build
from harness.code.visible import try_visible

ENV = load_code_environment("ledger_migration")
TASK = ENV.tasks["instance-1"]


def solution(name: str, folder: Path) -> Path:
    build(ENV, name, folder / name)
    return folder / name


def failed(name: str, folder: Path) -> list[str]:
    report = grade_solution(TASK, solution(name, folder))
    assert report.holding.kept and not [each for each in report.grade.verdicts if each.state == "error"]
    return [each.guard for each in report.grade.verdicts if each.state == "refused"]


def test_the_instance_is_what_was_locked() -> None:
    assert locks.read(ENV) == {"instance-1": locks.lock_of(TASK)} and not locks.complaint(TASK)


def test_the_grader_is_qualified_for_these_very_files() -> None:
    kept = qualified.read(ENV)
    assert kept is not None and kept.fresh
    assert kept.proved == kept.total == 1 + len(ENV.witnesses)


def test_every_invariant_has_witnesses_that_fail_it_alone() -> None:
    alone = [witness.fails[0] for witness in ENV.witnesses.values() if len(witness.fails) == 1]
    assert set(alone) == set(TASK.instance.invariants)


def test_the_start_passes_its_visible_tests_and_fails_every_invariant(tmp_path: Path) -> None:
    with open_bench(ENV, solution(START, tmp_path), "visible") as bench:
        visible = try_visible(bench)
    assert (visible.passed, visible.of) == (9, 9)
    assert failed(START, tmp_path) == ["M1", "M2", "M3", "M4"]


def test_the_reference_passes_after_every_crash(tmp_path: Path) -> None:
    report = grade_solution(TASK, solution(REFERENCE, tmp_path))
    assert report.grade.passed, report.grade
    assert report.crash_points == 50


def test_a_batch_without_bounds_is_no_question_of_money(tmp_path: Path) -> None:
    unbounded = solution("all-in-one-batch", tmp_path)
    assert [try_invariant(ENV, unbounded, name).verdict.state for name in ("M1", "M2")] == [
        "passed",
        "refused",
    ]


@pytest.mark.parametrize("name", ["a-test-made-easier", "a-door-of-its-own"])
def test_a_witness_breaks_the_hold_that_it_declares(name: str, tmp_path: Path) -> None:
    holding = try_holds(ENV, solution(name, tmp_path))
    assert [verdict.guard for verdict in holding.broken] == [ENV.witnesses[name].breaks]


def test_the_prompt_names_what_the_grader_goes_by() -> None:
    names = ["entries", "postings", "minor", "migrate", "unreconciled", "cut_over", "roll_back", "phase"]
    codes = ["UNRECONCILED", "CUT_OVER", "DUPLICATE_ID", "NO_SUCH_ENTRY", "UNKNOWN_CURRENCY"]
    assert not [word for word in names + codes if word not in TASK.instruction]
