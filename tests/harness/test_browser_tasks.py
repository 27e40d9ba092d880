"""Browser tasks in a real browser: surface, clock, steps, and the script that must not pass for a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Error

from fakes.core.requests import LoggedRequest
from harness.generated import generate, played
from harness.grade import grade
from harness.qualify import attempts_on, prove_environment
from harness.rails import BrowserRail, Lent
from harness.rails.browser import BrowserActor
from tests.harness.toy import SERVICES, Box
from tests.harness.toy_tasks import environment, put_by_page

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def test_a_browser_task_is_proved(browser: Browser) -> None:
    env = environment()
    put_by_page(env)
    proof = await prove_environment(env, services=SERVICES, browser=BrowserRail(browser))
    assert proof.problems == []
    assert proof.tasks[0].held and proof.tasks[0].needless == []
    outcomes = [(g.kind, g.step, g.outcome) for g in proof.tasks[0].generated]
    assert outcomes == [
        ("dropped", "open", "refused"),
        ("dropped", "fill in", "refused"),
        ("dropped", "send", "refused"),
        ("twice", "send", "refused"),
        ("by API", "", "refused"),
    ]
    assert proof.tasks[0].generated[-1].refused == {"by-the-named-surface"}


async def test_without_the_surface_guard_a_script_escapes(
    browser: Browser, escape: Callable[[], None]
) -> None:
    escape()
    env = environment()
    task = put_by_page(env)
    assert task.the_reference is not None
    async with attempts_on(env, services=SERVICES, browser=BrowserRail(browser)) as attempts:
        async with attempts.open(task) as attempt:
            await attempt.play(task.the_reference)
            reference = replace(played(attempt, attempt.evidence()), steps=())
        [found] = [generated async for generated in generate(attempts, task, reference)]
    assert (found.name, found.outcome) == ("all of it done by a script", "escaped")


async def test_a_page_lives_by_the_run_clock(browser: Browser) -> None:
    env = environment()
    task = put_by_page(env)
    async with attempts_on(env, services=SERVICES, browser=BrowserRail(browser)) as attempts:
        async with attempts.open(task) as attempt:
            desk = attempt.actors["desk"]
            assert isinstance(desk, BrowserActor)
            page = await desk.goto("/")
            world = attempt.world
            assert await page.evaluate("Date.now()") == world.now()
            assert (
                await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") == "America/New_York"
            )
            world.advance(world.now() + 3_600_000)
            await page.wait_for_function(f"Date.now() === {world.now()}")
            assert world.log.rows()[-1].surface == "browser"
            assert world.all(Box)[0].label == "Old"
            assert all(row.lease == attempt.leases["desk"].id for row in world.all(LoggedRequest))


async def test_an_agent_at_a_browser_has_its_page_and_the_tasks_inputs(browser: Browser) -> None:
    env = environment()
    task = put_by_page(env)
    task.inputs["label.txt"] = "label"
    async with attempts_on(env, services=SERVICES, browser=BrowserRail(browser)) as attempts:
        async with attempts.open(task) as attempt:
            desk = Lent(attempt.actors["desk"])
            page = await desk.goto("/nowhere")  # an error page is there to be read
            assert page is desk.page and page.url.endswith("/nowhere")
            assert desk.inputs == ("label.txt",) and desk.input("label.txt") == b"Lamps"
            assert desk.upload("label.txt")["buffer"] == b"Lamps"
            assert {"page", "goto", "upload", "url", "context"} <= set(dir(desk))
            with pytest.raises(
                AttributeError, match="This actor has no 'forge'; it has api, context, delete, get"
            ):
                _ = desk.forge


@pytest.mark.parametrize("scheme", ["file://", "view-source:file://"])
async def test_a_browser_does_not_read_this_machines_files(whole_browser: Browser, scheme: str) -> None:
    env = environment()
    task = put_by_page(env)
    assert task.the_reference is not None
    async with attempts_on(env, services=SERVICES, browser=BrowserRail(whole_browser)) as attempts:
        async with attempts.open(task) as attempt:
            desk = attempt.actors["desk"]
            assert isinstance(desk, BrowserActor)
            await attempt.play(task.the_reference)
            assert not desk.strayed
            with pytest.raises(Error, match="ERR_BLOCKED_BY_CLIENT"):
                await desk.page.goto(f"{scheme}{__file__}")
            graded = grade(attempt.evidence(), task, SERVICES)
    assert graded.refused == {"by-the-named-surface"}
