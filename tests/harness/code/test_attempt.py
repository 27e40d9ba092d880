"""Attempts at a code task: handed out, acted in, graded from the bundle, and graded again."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.code.attempt import CodeAttempt, code_rollout
from harness.code.declaring import CodeEnvironment
from harness.code.discovery import find_code_tasks
from harness.code.plays import code_drive_of
from harness.code.regrading import regrade
from harness.rollout import UnknownPlay
from tests.harness.code.tally import INVARIANTS


async def test_a_changed_prompt_is_what_its_instance_asks_for(tally: CodeEnvironment) -> None:
    task = tally.tasks["instance-2"]
    seen: list[str] = []

    async def drive(attempt: CodeAttempt) -> None:
        seen.append((attempt.workspace / "PROMPT.md").read_text())
        attempt.fail(RuntimeError("no"), "not-run", "there is no such agent")

    done = await code_rollout(task, drive, rail="command")
    assert seen == [task.instruction] and "A crash must not part entries" in seen[0]
    assert done.grade.state == "not-run" and {v.state for v in done.grade.verdicts} == {"not judged"}


async def test_a_witness_that_breaks_a_hold_is_void(tally: CodeEnvironment) -> None:
    task = tally.tasks["instance-1"]
    done = await code_rollout(task, code_drive_of(task, "witness:a-test-edited"), rail="workspace")
    assert done.grade.state == "void" and done.grade.void.startswith("locked-files-unchanged: tests/")
    assert regrade(done.bundle) == done.grade


async def test_a_mistake_of_the_grader_is_no_score(folder: Path) -> None:
    (folder / "grader" / "invariants.py").write_text(INVARIANTS.replace('"tally.db"', '{}["none"]'))
    [task] = find_code_tasks("tally/instance-1")
    done = await code_rollout(task, code_drive_of(task, "null"), rail="workspace")
    [verdict] = done.grade.verdicts
    assert done.grade.state == "grader error" and not done.grade.passed
    assert (
        verdict.message.startswith("scenarios/tally/grader/invariants.py:") and "KeyError" in verdict.message
    )


def test_a_play_that_is_none_is_told(tally: CodeEnvironment) -> None:
    task = tally.tasks["instance-1"]
    with pytest.raises(UnknownPlay, match="reference, null, done or witness:NAME, not 'cheat:x'"):
        code_drive_of(task, "cheat:x")
    with pytest.raises(UnknownPlay, match="it has seen-in-memory, two-transactions, a-test-edited"):
        code_drive_of(task, "witness:x")
