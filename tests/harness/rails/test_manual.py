"""The manual rail: a person's two windows, the task's page and its buttons, and what no lease reaches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from harness.attempt import Attempt
from harness.bundle import Bundle
from harness.driven import Driven
from harness.driver import Driver
from harness.rails import BrowserActor, BrowserRail
from harness.rails.browser import Screen
from harness.rails.manual import by_person
from harness.rollout import Rollout, rollout
from harness.task import Task
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import Count, environment, put_a_box, put_by_page

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page


@dataclass
class Begun:
    """An attempt in a person's hands: what they were told, and where the task's page is."""

    attempt: Attempt
    said: list[str]
    running: asyncio.Task[Rollout]

    @property
    def link(self) -> str:
        """The one-time link."""
        return next(line.split()[1] for line in self.said if line.startswith("page "))

    @property
    def desk(self) -> BrowserActor:
        """The actor, whose browser is the lease's."""
        actor = self.attempt.actors["desk"]
        assert isinstance(actor, BrowserActor)
        return actor


@asynccontextmanager
async def begun(task: Task, browser: Browser, timeout: float = 60) -> AsyncIterator[Begun]:
    """A rollout by a person, with the browser of these tests as theirs."""
    said: list[str] = []
    ready: asyncio.Future[Attempt] = asyncio.get_running_loop().create_future()

    async def drive(attempt: Driven) -> None:
        assert isinstance(attempt, Attempt)
        loop = asyncio.get_running_loop()

        def say(sentence: str) -> None:
            said.append(sentence)
            if sentence.startswith("proxy "):
                loop.call_soon(ready.set_result, attempt)

        await by_person(Driver(rail="manual", timeout=timeout), say)(attempt)

    made = rollout(task, drive, services=SERVICES, browser=BrowserRail(browser))
    running = asyncio.create_task(made)
    try:
        yield Begun(await asyncio.wait_for(ready, 30), said, running)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def portal_of(begun: Begun) -> AsyncIterator[httpx.AsyncClient]:
    """The task's page, as a program opens it."""
    async with httpx.AsyncClient(base_url=begun.attempt.server.url, trust_env=False) as program:
        assert (await program.get(begun.link)).status_code == 303
        yield program


async def press(portal: httpx.AsyncClient, button: str, **fields: str) -> httpx.Response:
    """Sends one of the page's forms."""
    page = (await portal.get("/")).text
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    return await portal.post(f"/{button}", data={"csrf": csrf, **fields})


@pytest.fixture
def task() -> Task:
    return put_by_page(environment())


async def fill_in(page: Page) -> None:
    await page.get_by_label("Label").fill("Lamps")
    await page.get_by_label("Due").fill("2025-10-26")
    await page.get_by_role("button", name="Put").click()
    await page.get_by_text("Lamps").wait_for()


async def test_a_person_does_the_task_and_presses_done(task: Task, browser: Browser, page: Page) -> None:
    task.inputs["label.txt"], task.answer = "label", Count
    async with begun(task, browser) as person:
        await page.goto(person.link)
        await expect(page.get_by_text("Put Lamps on the shelf.")).to_be_visible()
        await expect(page.get_by_role("link", name="label.txt")).to_be_visible()
        await expect(page.get_by_role("button", name="Start")).to_be_focused()
        await page.keyboard.press("Enter")
        done = page.get_by_role("button", name="Done")
        await expect(done).to_be_visible()
        found = (await Axe().run(page)).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        await person.desk.goto("/")
        await fill_in(person.desk.page)
        await page.get_by_label("Boxes").fill("two")
        await done.press("Enter")
        await expect(page.get_by_text("Input should be a valid integer")).to_be_visible()
        await page.get_by_label("Boxes").fill("2")
        await done.press("Enter")
        await expect(page.get_by_role("heading", name="Handed in")).to_be_visible()
        made = await person.running
    assert (made.grade.state, made.evidence.answer) == ("passed", {"boxes": 2})
    lines = Bundle(made.bundle).extras["transcript.jsonl"].splitlines()
    assert [json.loads(line)["text"] for line in lines[1:]] == ["started", "done", "finished"]


async def test_giving_up_is_an_error_that_says_so(task: Task, browser: Browser) -> None:
    async with begun(task, browser) as person, portal_of(person) as portal:
        early = await press(portal, "done")
        assert early.status_code == 400 and "was not started yet" in early.text
        assert (await press(portal, "start")).status_code == 303
        assert "Given up" in (await press(portal, "give-up", why="No lamps.")).text
        made = await person.running
    assert (made.grade.state, made.evidence.error) == ("error", "given up: No lamps.")


async def test_no_lease_and_nobody_without_the_link_reaches_the_page(task: Task, browser: Browser) -> None:
    async with begun(task, browser) as person:
        server, lease = person.attempt.server, person.desk.place.lease
        async with portal_of(person) as portal, httpx.AsyncClient(trust_env=False) as other:
            for path in ("/", "/worlds/p1/", "/inputs/label.txt"):
                assert (await other.get(server.url + path)).status_code == 404
            held = dict(portal.cookies)
            for path in ("/", f"/{person.link.rpartition('/')[2]}"):
                by_lease = await portal.get(f"http://{lease.address}:{server.port}{path}", headers={})
                assert by_lease.status_code == 404
            forged = await portal.post("/done", data={"csrf": "made up"})
            assert forged.status_code == 403 and held
            assert (await portal.get("/worlds/p1/changes")).status_code == 404


async def test_an_attempt_that_nobody_started_in_time_is_not_run(task: Task, browser: Browser) -> None:
    async with begun(task, browser, timeout=0.5) as person:
        made = await person.running
    assert (made.grade.state, made.evidence.error) == ("not-run", "nobody started it within 0.5 seconds")


async def test_the_time_runs_out_for_people_too(task: Task, browser: Browser) -> None:
    async with begun(task, browser, timeout=4) as person, portal_of(person) as portal:
        await press(portal, "start")
        made = await person.running
    assert (made.grade.state, made.evidence.error.endswith("not done after 4 seconds")) == ("time-out", True)


async def test_windows_show_the_task_and_then_the_product(task: Task, browser: Browser) -> None:
    """As where there is a display: whoever closes the task's window has given up."""

    async def drive(attempt: Driven) -> None:
        assert isinstance(attempt, Attempt)
        desk = attempt.actors["desk"]
        assert isinstance(desk, BrowserActor)
        desk.screen = Screen(windows=True)
        before = list(browser.contexts)
        going = asyncio.ensure_future(by_person(Driver(rail="manual"), lambda said: None)(attempt))
        while not (opened := [each for each in browser.contexts if each not in before and each.pages]):
            await asyncio.wait([going], timeout=0.02)
        [page] = opened[0].pages
        file = Path(await page.locator(".files code").inner_text())
        assert file.read_bytes() == b"Lamps"
        await page.get_by_role("button", name="Start").click()
        await expect(desk.page.get_by_role("button", name="Put")).to_be_visible()
        await page.close()
        await going
        assert not file.exists()

    task.inputs["label.txt"] = "label"
    made = await rollout(task, drive, services=SERVICES, browser=BrowserRail(browser))
    assert (made.grade.state, made.evidence.error) == ("error", "given up: the task's window was closed")


async def test_a_task_for_programs_is_not_run(browser: Browser) -> None:
    made = await rollout(put_a_box(environment()), by_person(Driver(rail="manual")), services=SERVICES)
    assert made.grade.state == "not-run"
    assert made.evidence.error == "It is no task for a browser, and that is where a person works."
