"""The reference environment: its size is as specified, and its graders are proved, one task in Chromium."""

from __future__ import annotations

from datetime import date

import pytest

from harness import proved
from harness.app import BASE_DATE
from harness.discovery import discover_environments
from harness.environment import Environment
from harness.proof import EnvironmentProof
from harness.qualify import prove_environment
from harness.task import Task

ENV = discover_environments()["claims_desk"]
BY_API = [task for task in ENV.tasks.values() if task.surface == "api"]


async def prove(
    *tasks: Task, day: date = BASE_DATE, zone: str = "America/New_York", quick: bool = False
) -> EnvironmentProof:
    return await prove_environment(tasks[0].env, tasks, day=day, zone=zone, quick=quick)


def test_four_tasks_twenty_five_guards_sixteen_cheats() -> None:
    assert sorted(ENV.tasks) == [
        "answer-through-the-managers-link",
        "audit-the-quarterly-statement",
        "open-the-pa-questionnaire",
        "record-the-determination",
    ]
    assert sum(len(task.guards) for task in ENV.tasks.values()) == 25
    assert sum(len(task.cheats) for task in ENV.tasks.values()) == 16
    assert len(ENV.not_gradable) == 4 and [finding.state for finding in ENV.findings] == ["fixed", "fixed"]


@pytest.mark.parametrize("task", BY_API, ids=lambda task: task.slug)
async def test_a_task_by_api_is_proved_and_every_guard_is_needed(task: Task) -> None:
    proof = await prove(task)
    assert proof.problems == [] and proof.held
    assert [made.needless for made in proof.tasks] == [[]]


async def test_the_audit_is_proved_in_a_browser() -> None:
    proof = await prove(ENV.tasks["audit-the-quarterly-statement"])
    assert proof.problems == [] and proof.held and proof.tasks[0].needless == []
    assert {made.outcome for made in proof.tasks[0].generated if made.kind == "by API"} == {"refused"}


@pytest.mark.parametrize(
    ("day", "zone"),
    [
        (date(2024, 2, 29), "Europe/Berlin"),
        (date(2025, 12, 31), "Asia/Tokyo"),
        (date(2026, 3, 8), "America/New_York"),
        (date(2026, 11, 1), "America/Los_Angeles"),
        (date(2028, 10, 21), "UTC"),
    ],
    ids=str,
)
async def test_the_graders_hold_on_other_dates(day: date, zone: str) -> None:
    proof = await prove(*BY_API, day=day, zone=zone, quick=True)
    assert proof.problems == [] and proof.held


@pytest.mark.parametrize("env", discover_environments().values(), ids=lambda env: env.slug)
def test_the_proof_that_is_kept_is_of_this_very_code(env: Environment) -> None:
    kept = proved.read(env)
    assert kept is not None and kept.fresh, "run `make prove`, and commit the proved.json that it writes"
