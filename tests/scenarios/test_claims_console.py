"""The console's environment: its tasks are hard enough and proved, in each instance and on any date."""

from __future__ import annotations

from datetime import date

import pytest
from playwright.async_api import Browser

from fakes.core.seeding import build_base
from fakes.core.world import Genesis
from harness.app import BASE_DATE, FIXED_SECRET, ZONE, discover_services, morning_of
from harness.discovery import discover_environments
from harness.driven import PLAY_TIMEOUT
from harness.qualify import prove_environment
from harness.rails import BrowserRail
from harness.rollout import by_play, rollout
from harness.task import Role, Task
from scenarios.claims_console.seed import Facts, seed

ENV = discover_environments()["claims_console"]
BY_API = [task for task in ENV.tasks.values() if task.surface == "api"]
IN_A_BROWSER = [task for task in ENV.tasks.values() if task.surface == "browser"]


def facts_of(world_seed: int, day: date = BASE_DATE, zone: str = ZONE) -> Facts:
    genesis = Genesis(world_seed, FIXED_SECRET, morning_of(day, zone), zone, ENV.slug)
    found: Facts = build_base(discover_services(), genesis, seed).facts
    return found


def test_six_tasks_each_with_eight_guards_and_nine_cheats_at_least() -> None:
    assert sorted(ENV.tasks) == [
        "finish-the-ohio-protest",
        "flag-the-misfiled-notice",
        "protest-with-four-eyes",
        "question-the-charges",
        "send-the-due-chases",
        "take-down-the-answers",
    ]
    for task in ENV.tasks.values():
        assert len(task.guards) >= 8 and len(task.cheats) >= 9 and task.variants, task.slug
        assert task.neighbours, task.slug
    assert len(IN_A_BROWSER) == 2 and [task.slug for task in ENV.tasks.values() if task.answer]
    assert [n for n, task in ENV.tasks.items() if len(task.actors) > 1] == ["protest-with-four-eyes"]
    assert all(isinstance(role, Role) for task in ENV.tasks.values() for role in task.actors.values())


@pytest.mark.parametrize("task", BY_API, ids=lambda task: task.slug)
async def test_a_task_by_api_is_proved_and_every_guard_is_needed(task: Task) -> None:
    proof = await prove_environment(ENV, [task])
    assert proof.problems == [] and proof.held
    assert [made.needless for made in proof.tasks] == [[]]


@pytest.mark.parametrize("task", IN_A_BROWSER, ids=lambda task: task.slug)
async def test_a_task_in_a_browser_is_done_in_another_instance_too(task: Task, browser: Browser) -> None:
    """The proof that is kept has played the first instance, cheats and all."""
    for play in ("reference", *(f"variant:{name}" for name in task.variants)):
        drive = by_play(task, play, PLAY_TIMEOUT)
        done = await rollout(task, drive, browser=BrowserRail(browser), seed=5)
        assert done.grade.passed, (play, done.grade.refused, done.evidence.error)


@pytest.mark.parametrize(
    ("day", "zone"),
    [
        (date(2028, 2, 29), "Asia/Kathmandu"),
        (date(2025, 12, 31), "Pacific/Auckland"),
        (date(2026, 3, 8), "America/New_York"),
    ],
    ids=str,
)
async def test_the_graders_hold_on_other_dates(day: date, zone: str) -> None:
    proof = await prove_environment(ENV, BY_API, day=day, zone=zone, quick=True)
    assert proof.problems == [] and proof.held


def test_each_world_seed_makes_an_instance_of_its_own() -> None:
    found = [facts_of(n) for n in range(1, 13)]
    assert facts_of(1) == found[0]
    for task in ENV.tasks.values():
        texts = {task.text(facts) for facts in found}
        assert len(texts) > 1 or task.slug == "send-the-due-chases", task.slug
    assert {facts.misfiled.slip for facts in found} == {"ssn", "number", "name"}
    assert len({facts.reminders.away.manager.email for facts in found}) > 3
    assert len({facts.charged.not_ours for facts in found}) == len(found)


@pytest.mark.parametrize("world_seed", range(1, 9))
def test_nobody_is_met_twice_by_chance(world_seed: int) -> None:
    facts = facts_of(world_seed)
    asked = [one.claimant for one in facts.reminders.everything]
    filed = [facts.misfiled.odd, facts.misfiled.early, facts.misfiled.silent, *facts.misfiled.others]
    people = [facts.ohio.claimant, facts.granted.claimant, facts.dictated.claimant, facts.dictated.namesake]
    people += [*asked, *(one.claimant for one in filed)]
    assert len({who.name for who in people}) == len(people)
    assert len({who.ssn_last4 for who in people}) == len(people)
    assert len({line.ssn_last4 for line in facts.charged.lines}) == len(facts.charged.lines) == 8
    assert facts.misfiled.printed != facts.misfiled.on_file and len(facts.charged.not_ours) == 3
    assert len({facts.granted.incident, facts.granted.heard_incident, *facts.granted.warnings}) == 4
    assert facts.ohio.last_day not in (facts.ohio.left_on, facts.ohio.printed_day)
    managers = {facts.granted.manager, facts.dictated.manager, facts.dictated.gossip}
    assert not managers & {one.manager for one in facts.reminders.everything}
