"""What a stand-in does in a world, by its behaviour."""

from __future__ import annotations

import ast
import json
from contextlib import AsyncExitStack
from typing import Any

from fakes.core.world import KERNEL_ROWS
from harness import facts
from harness.app import discover_services
from harness.bundle import kept
from harness.discovery import find_task
from harness.guards import Play
from harness.sources import nodes_of
from harness.standin.player import Player
from harness.standin.stage import Stage, say
from harness.task import Task

BEHAVIOURS = ("honest", "lazy", "cheating")


async def play(stage: Stage, behaviour: str) -> None:
    """Plays a task of a world: by its reference, hardly at all, or wrongly."""
    task = find_task(stage.task_name)
    known = _read_facts(stage, task)
    async with AsyncExitStack() as stack:
        players = await _enter(stage, task, known, stack)
        if behaviour == "lazy":
            await _look_around(task, players)
            return
        for each in plays_of(task, behaviour):
            say("said", f"I play {each.name}.")
            answer = await each.function(**{n: {**players, "facts": known}[n] for n in each.params})
            _leave_answer(stage, task, answer)


def _read_facts(stage: Stage, task: Task) -> Any:
    kinds = (*KERNEL_ROWS, *(row for service in discover_services().values() for row in service.tables))
    assert stage.facts is not None
    return facts.load(stage.facts, {row.__table__.name: row for row in kinds}, task.env.facts)


async def _enter(stage: Stage, task: Task, known: Any, stack: AsyncExitStack) -> dict[str, Player]:
    players = {name: Player(stage, name, task.person(name, known), task.env.product) for name in task.actors}
    for player in players.values():
        stack.push_async_callback(player.http.aclose)
    if task.surface == "browser":
        from playwright.async_api import async_playwright  # slow to import: only where a browser is needed

        playwright = await stack.enter_async_context(async_playwright())
        for player in players.values():
            await player.open_browser(playwright)
    return players


def plays_of(task: Task, behaviour: str) -> list[Play]:
    """What is played: the reference; of cheats the first that forges nothing, else the reference twice."""
    assert task.the_reference is not None
    if behaviour == "honest":
        return [task.the_reference]
    feasible = [cheat.play for cheat in task.cheats.values() if not forges(cheat.play)]
    return feasible[:1] or [task.the_reference] * 2


def forges(play: Play) -> bool:
    """Whether a play, or what it calls in its own file, forges rows."""
    return any(isinstance(node, ast.Attribute) and node.attr == "forge" for node in _nodes(play))


def _nodes(play: Play) -> list[ast.AST]:
    return [node for found in nodes_of(play.function) for node in ast.walk(found)]


async def _look_around(task: Task, players: dict[str, Player]) -> None:
    """Looks at one page or list, and calls it a day."""
    first = next(iter(players.values()))
    if first.has_page:
        await first.goto("/")
    elif task.surface == "mcp":
        await first.tools()
    else:
        await first.api(first.product).get("/", expect=range(100, 600))


def _leave_answer(stage: Stage, task: Task, answer: Any) -> None:
    if task.answer is not None:
        text = json.dumps(kept(answer), default=str)
        (stage.workspace / stage.variables["PARACOSM_ANSWER"]).write_text(text)
