"""The environment inbox: tasks that are hard enough, graders that hold, cases that are right on any date."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Browser

from fakes.core.clock import civil
from fakes.core.seeding import build_base
from fakes.core.world import Genesis
from harness.app import FIXED_SECRET, discover_services, morning_of
from harness.dates import BASE, DATES, Setting
from harness.discovery import discover_environments
from harness.driven import PLAY_TIMEOUT
from harness.rails import BrowserRail
from harness.rollout import by_play, rollout
from harness.task import Task
from scenarios.inbox.seed import Facts, seed

ENV = discover_environments()["inbox"]
BY_API = [task for task in ENV.tasks.values() if task.surface == "api"]
IN_A_BROWSER = [task for task in ENV.tasks.values() if task.surface == "browser"]


@cache
def facts_on(setting: Setting) -> Facts:
    morning = morning_of(setting.day, setting.zone)
    genesis = Genesis(setting.seed, FIXED_SECRET, morning, setting.zone, ENV.slug)
    found: Facts = build_base(discover_services(), genesis, seed).facts
    return found


def test_each_task_has_eight_guards_and_nine_cheats_at_least() -> None:
    assert len(BY_API) >= 3 and len(IN_A_BROWSER) >= 3
    for task in ENV.tasks.values():
        assert len(task.guards) >= 8 and len(task.cheats) >= 9, task.slug
        assert task.variants and task.neighbours, task.slug


@pytest.mark.parametrize("task", BY_API, ids=lambda task: task.slug)
async def test_a_task_by_api_can_be_done_on_another_date(task: Task) -> None:
    """The proof that is kept has played the cheats."""
    done = await rollout(
        task, by_play(task, "reference", PLAY_TIMEOUT), day=date(2026, 3, 8), zone="America/New_York"
    )
    assert done.grade.passed, (done.grade.refused, done.evidence.error)


@pytest.mark.parametrize("task", IN_A_BROWSER, ids=lambda task: task.slug)
async def test_a_task_in_a_browser_can_be_done(task: Task, browser: Browser) -> None:
    """The proof that is kept has played the variants and cheats, here as well."""
    drive = by_play(task, "reference", PLAY_TIMEOUT)
    done = await rollout(task, drive, browser=BrowserRail(browser))
    assert done.grade.passed, (done.grade.refused, done.evidence.error)


@pytest.mark.parametrize("setting", [BASE, *DATES], ids=str)
def test_the_reminder_is_due_on_the_other_side_of_a_change_of_clocks(setting: Setting) -> None:
    tyres, zone = facts_on(setting).tyres, ZoneInfo(setting.zone)
    due = civil(tyres.due_at, zone)
    assert due.date() == tyres.monday > setting.day and tyres.monday.weekday() == 0
    assert f"{due:%H:%M}" == tyres.time and tyres.wrong_at != tyres.due_at
    midnight = datetime(setting.day.year, setting.day.month, setting.day.day, tzinfo=zone)
    year = {(midnight + timedelta(days=n)).utcoffset() for n in range(366)}
    assert len(year) == 1 or due.utcoffset() != civil(morning_of(setting.day, setting.zone), zone).utcoffset()


@pytest.mark.parametrize("setting", [BASE, *DATES], ids=str)
def test_the_pallets_come_on_a_thursday_ahead_and_no_number_is_a_day(setting: Setting) -> None:
    pallets = facts_on(setting).pallets
    assert pallets.thursday.weekday() == 3 and 0 < (pallets.thursday - setting.day).days <= 7
    assert 31 < pallets.count != pallets.cold_count > 31
    assert pallets.asked.thread_id != pallets.before.thread_id != pallets.cold.thread_id
    assert pallets.answered.thread_id == pallets.before.thread_id
