"""Adversaries: what they try, and that they tell of graders and rails that give way."""

from __future__ import annotations

from pathlib import Path

import pydantic
import pytest
from playwright.async_api import Browser

from harness import adversaries
from harness.adversaries import Attack
from harness.environment import Environment
from harness.generated import regrade
from harness.qualify import attempts_on
from harness.rails import BrowserRail
from harness.rails.browser import BrowserActor
from harness.task import Task
from tests.harness import toy, toy_tasks


class Told(pydantic.BaseModel):
    """What was put on the shelf."""

    label: str
    boxes: list[str]


def telling(env: Environment, lenient: bool) -> Task:
    task = toy_tasks.put_a_box(env)
    task.answer = Told

    @task.guard
    def label_told(answer: Told, facts: toy.Facts) -> None:
        """It tells the label."""
        assert facts.label in answer.label if lenient else answer.label == facts.label

    @task.guard
    def boxes_told(answer: Told, facts: toy.Facts) -> None:
        """It tells the boxes."""
        assert sorted(answer.boxes) == sorted([facts.old.label, facts.label])

    return task


async def attacks(env: Environment, task: Task) -> list[Attack]:
    async with attempts_on(env, services=toy.SERVICES) as attempts:
        async with attempts.open(task) as attempt:
            assert task.the_reference is not None
            await attempt.play(task.the_reference)
            attempt.answer = {"label": "Lamps", "boxes": ["Lamps", "Old"]}
            evidence = attempt.evidence()
        assert regrade(attempts, task, evidence).passed
        return list(adversaries.answers(task, evidence, attempts.server.services))


async def test_answers_that_hold_more_than_was_asked_for_are_refused() -> None:
    env = toy_tasks.environment()
    found = await attacks(env, telling(env, lenient=False))
    assert len(found) == 2 * (2 + len(adversaries.INJECTIONS)) + len(adversaries.INJECTIONS)
    assert [attack for attack in found if attack.problem] == []


async def test_a_guard_that_looks_for_a_word_lets_listings_and_injections_pass() -> None:
    env = toy_tasks.environment()
    problems = [attack for attack in await attacks(env, telling(env, lenient=True)) if attack.problem]
    assert {attack.problem for attack in problems} == {"it passes"}
    assert {attack.adversary for attack in problems} == {adversaries.LISTER, adversaries.INJECTOR}
    assert all(attack.how.startswith("label: ") for attack in problems)


async def test_a_guard_that_breaks_on_an_answer_is_told() -> None:
    env = toy_tasks.environment()
    task = telling(env, lenient=False)

    @task.guard
    def first_letter(answer: Told) -> None:
        """The label has a number in it, or none."""
        assert int(answer.label[:1].replace("L", "1")) >= 0

    problems = [attack.problem for attack in await attacks(env, task) if attack.problem]
    assert problems and all(problem.startswith("it makes guard first-letter raise") for problem in problems)


async def test_a_task_without_an_answer_is_asked_nothing() -> None:
    env = toy_tasks.environment()
    task = toy_tasks.put_a_box(env)
    async with attempts_on(env, services=toy.SERVICES) as attempts:
        assert list(adversaries.answers(task, attempts.untouched(task), attempts.server.services)) == []


async def intrusion(browser: Browser) -> list[Attack]:
    env = toy_tasks.environment()
    task = toy_tasks.put_by_page(env)
    services = toy.SERVICES
    rail = BrowserRail(browser)
    async with attempts_on(env, services=services, browser=rail, doors=True) as attempts:
        return await adversaries.intrude(attempts, task)


async def test_neither_task_pack_nor_control_plane_is_reached(whole_browser: Browser) -> None:
    found = await intrusion(whole_browser)
    assert len(found) > 15 and [attack for attack in found if attack.problem] == []
    assert {attack.adversary for attack in found} == {adversaries.READER, adversaries.CALLER}


async def test_a_browser_without_a_fence_is_told(
    whole_browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BrowserActor, "_fence_first", lambda actor, page: None)
    problems = [attack for attack in await intrusion(whole_browser) if attack.problem]
    assert problems and all(attack.how.split(":")[0] in ("file", "view-source") for attack in problems)
    assert Path(toy_tasks.__file__).as_uri() in [attack.how for attack in problems]


async def test_a_control_plane_without_a_lock_is_told(
    whole_browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.control._holds_secret", lambda server, scope: True)
    problems = {attack.adversary for attack in await intrusion(whole_browser) if attack.problem}
    assert problems == {adversaries.CALLER}
