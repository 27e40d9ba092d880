"""An environment on the toy site, with an API task and a browser task, made anew for each test."""

from __future__ import annotations

import pydantic

from harness.environment import Environment
from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from harness.rails.browser import BrowserActor
from harness.task import Task
from tests.harness.toy import Box, Entry, Facts, seed

LOGGED = Along("the shelf logs who put a box there", operation="new", where=lambda row, facts: row.by != "")


def environment() -> Environment:
    """An environment without tasks."""
    return Environment(name="Toy", product="toy", facts=Facts, seed=seed, slug="toy")


def put_a_box(env: Environment) -> Task:
    """An API task whose grader is proved and every guard of which is needed."""
    task = env.task(
        slug="put-a-box",
        surface="api",
        route="POST /api/boxes",
        writes={Box},
        along={"toy_log": LOGGED},
        actors={"desk": "mira"},
        inputs={"label.txt": "label"},
        instruction="Put {label} on the shelf, due {facts.due}.",
    )
    task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.guard
    def due_that_day(box: Box, facts: Facts) -> None:
        """It is due on the day that was asked for."""
        assert box.due == facts.due, f"due {box.due}, not {facts.due}"

    @task.guard
    def weighed(box: Box) -> None:
        """It has a weight, which is not zero."""
        assert box.weight is not None and box.weight > 0

    @task.guard(owns={Entry})
    def logged_once(end: End) -> None:
        """The log has one new line for it."""
        assert len(end.new(Entry)) == 1

    @due_that_day.cheat
    async def another_day(desk: Actor, facts: Facts) -> None:
        """Puts it there for the day of the old box."""
        sent = {"label": facts.label, "due": str(facts.old.due), "weight": 2}
        await desk.post("/api/boxes", json=sent)

    @weighed.cheat
    async def forged_without_a_weight(desk: Actor, facts: Facts) -> None:
        """Writes the row itself, and leaves the weight out."""
        row = Box(
            id="box_x", seq=9, label=facts.label, weight=None, due=facts.due, fragile=False, closed_at=None
        )
        desk.forge.insert(row)
        desk.forge.insert(Entry(id=9, box_id=row.id, by="me"))

    @task.reference
    async def honest(desk: Actor, facts: Facts) -> None:
        async with desk.step("look"):
            await desk.get("/api/boxes")
        async with desk.step("put"):
            await post(desk, facts)

    @task.variant
    async def heavier(desk: Actor, facts: Facts) -> None:
        await post(desk, facts, weight=70)

    return task


async def post(desk: Actor, facts: Facts, weight: int | None = 2) -> str:
    """Puts the right box on the shelf; returns its id."""
    sent = {"label": facts.label, "due": facts.due.isoformat(), "weight": weight}
    made = await desk.post("/api/boxes", json=sent)
    return str(made.json()["id"])


def put_by_page(env: Environment) -> Task:
    """A browser task."""
    task = env.task(
        slug="put-by-page", surface="browser", route="POST /boxes", writes={Box}, along={"toy_log": LOGGED},
        actors={"desk": "mira"}, instruction="Put {label} on the shelf.",
    )  # fmt: skip
    box = task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.guard
    def due_that_day(box: Box, facts: Facts) -> None:
        """It is due on the day that was asked for."""
        assert box.due == facts.due

    @box.cheat
    async def nothing_but_looking(desk: BrowserActor, facts: Facts) -> None:
        """Only opens the page."""
        await desk.goto("/")

    @due_that_day.cheat(also={"by-the-named-surface": "a program sends it"})
    async def by_program(desk: BrowserActor, facts: Facts) -> None:
        """Sends it by program, without a day."""
        await desk.post("/api/boxes", json={"label": facts.label})

    @task.reference
    async def honest(desk: BrowserActor, facts: Facts) -> None:
        async with desk.step("open"):
            await desk.goto("/")
        async with desk.step("fill in"):
            await desk.page.get_by_label("Label").fill(facts.label)
            await desk.page.get_by_label("Due").fill(facts.due.isoformat())
        async with desk.step("send"):
            await desk.page.get_by_role("button", name="Put").click()
            await desk.page.get_by_text(facts.label).wait_for()

    return task


class Count(pydantic.BaseModel):
    """How many boxes there are."""

    boxes: int | None
