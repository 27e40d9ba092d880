"""The toy as a fake with tools: boxes that are put on the shelf by `put_box`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pydantic

from fakes.core.mcp.tools import Arguments, Nothing, Said, ToolCall, ToolRefused, Tools, tool
from fakes.core.service import Account
from fakes.core.world import World
from harness.environment import Environment
from harness.evidence import End
from harness.rails import McpActor
from harness.task import Task
from tests.harness import toy
from tests.harness.toy import Box, Entry, Facts
from tests.harness.toy_tasks import LOGGED


class PutBox(Arguments):
    """A box."""

    label: str
    due: str | None = pydantic.Field(default=None, description="A date")
    weight: int | None = None


def list_boxes(call: ToolCall, asked: Nothing) -> Said:
    """The shelf."""
    boxes = call.world.all(Box, "ORDER BY seq")
    return Said(", ".join(box.label for box in boxes), {"boxes": [box.id for box in boxes]})


def put_box(call: ToolCall, asked: PutBox) -> Said:
    """Puts one there; heavy ones are refused."""
    if (asked.weight or 0) > 100:
        raise ToolRefused("The shelf holds no more than 100.")
    box = toy.put(call.world, call.person.email, asked.label, asked.weight, asked.due, False)
    return Said(f"Put: {box.id}", {"id": box.id})


@cache
def tools() -> Tools:
    """Both."""
    return Tools("A shelf.", [
        tool("list_boxes", "List", "What is on the shelf.", Nothing, list_boxes, reads=True),
        tool("put_box", "Put", "Puts a box on the shelf.", PutBox, put_box),
    ])  # fmt: skip


def _accounts(world: World) -> list[Account]:
    return [Account("mira@toy.example"), Account("tom@toy.example")]


SERVICES = {
    "toy": replace(toy.SERVICES["toy"], kind="fake", api_paths=("api/",), mcp=tools, accounts=_accounts)
}


def put_by_tool(env: Environment) -> Task:
    """A task that is done by tools."""
    task = env.task(
        slug="put-by-tool", surface="mcp", route="TOOL put_box", writes={Box}, along={"toy_log": LOGGED},
        actors={"desk": "mira"}, instruction="Put {label} on the shelf, due {facts.due}, of weight 2.",
    )  # fmt: skip
    box = task.subject(Box, "one-box", lambda row, facts: row.label == facts.label)

    @task.guard
    def due_that_day(box: Box, facts: Facts) -> None:
        """It is due on the day that was asked for."""
        assert box.due == facts.due, f"due {box.due}, not {facts.due}"

    @task.guard
    def of_that_weight(box: Box) -> None:
        """It weighs what was said."""
        assert box.weight == 2, f"it weighs {box.weight}"

    @task.guard(owns={Entry})
    def in_nobody_elses_name(end: End, facts: Facts) -> None:
        """The log names nobody but Mira."""
        others = {row.by for row in end.new(Entry)} - {facts.mira.email}
        assert not others, f"it names {others}"

    @box.cheat
    async def only_looks(desk: McpActor, facts: Facts) -> None:
        """Lists what there is."""
        await desk.call("list_boxes")

    @due_that_day.cheat
    async def another_day(desk: McpActor, facts: Facts) -> None:
        """Takes the day of the old box."""
        await desk.call("put_box", label=facts.label, due=str(facts.old.due), weight=2)

    @due_that_day.cheat(also={"by-the-named-surface": "a program sends it"})
    async def by_api(desk: McpActor, facts: Facts) -> None:
        """Sends it by API, without a day."""
        await desk.post("/api/boxes", json={"label": facts.label, "weight": 2})

    @of_that_weight.cheat
    async def forged(desk: McpActor, facts: Facts) -> None:
        """Writes the rows itself."""
        desk.forge.insert(
            Box(id="box_x", seq=9, label=facts.label, weight=1, due=facts.due, fragile=False, closed_at=None)
        )
        desk.forge.insert(Entry(id=9, box_id="box_x", by=facts.mira.email))

    @in_nobody_elses_name.cheat
    async def in_toms_name(desk: McpActor, facts: Facts) -> None:
        """Puts it there, and has Tom in the log."""
        await desk.call("put_box", label=facts.label, due=str(facts.due), weight=2)
        desk.forge.update(desk.forge.one(Entry), by="tom@toy.example")

    @task.reference
    async def honest(desk: McpActor, facts: Facts) -> None:
        async with desk.step("look"):
            there = await desk.call("list_boxes")
            assert there["boxes"] == [facts.old.id]
        async with desk.step("put"):
            await desk.call("put_box", label=facts.label, due=str(facts.due), weight=2)

    return task
