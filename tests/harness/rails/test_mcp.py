"""The mcp rail: tasks that are done by tools, proved, and done by agents, programs and models."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.core.requests import LoggedRequest
from harness import facts
from harness.attempt import Attempt
from harness.driver import Driver
from harness.evidence import OpenEvidence
from harness.qualify import attempts_on, prove_environment
from harness.rails import McpActor, PlayError
from harness.rails.command import by_command
from harness.rails.lodging import move_in
from harness.rails.model import by_model
from harness.rollout import Rollout, by_agent, rollout
from harness.standin.player import Player
from harness.standin.playing import plays_of
from harness.standin.stage import Stage
from harness.task import Task
from tests.conftest import Serve
from tests.harness import toy
from tests.harness.rails.scripted import DONE, KEY, Script, use
from tests.harness.toy_tasks import environment
from tests.harness.toy_tools import SERVICES, put_by_tool

BOX = {"label": "Lamps", "due": "2025-10-26", "weight": 2}
POSTS = """
import json, os
from urllib.request import Request, urlopen

[server] = json.load(open(os.environ["PARACOSM_MCP_CONFIG"]))["mcpServers"].values()
assert server["url"] == os.environ["PARACOSM_MCP_URL"] == os.environ["TOY_MCP_URL"]
call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "put_box", "arguments": %s}}
headers = {**server["headers"], "Content-Type": "application/json"}
print(urlopen(Request(server["url"], json.dumps(call).encode(), headers)).read().decode())
"""


@pytest.fixture
def task() -> Task:
    return put_by_tool(environment())


def routes(done: Rollout) -> list[tuple[str, str | None]]:
    with OpenEvidence(done.evidence, SERVICES) as (_, after):
        rows: list[LoggedRequest] = after.log.rows("WHERE id > ? ORDER BY id", (done.evidence.first_request,))
        return [(row.surface, row.route) for row in rows]


async def test_a_task_that_is_done_by_tools_is_proved(task: Task) -> None:
    proof = (await prove_environment(task.env, [task], services=SERVICES)).tasks[0]
    assert proof.problems == proof.warnings == []
    assert {cheat.name for cheat in proof.cheats} == set(task.cheats)
    found = {each.name: (each.outcome, set(each.refused)) for each in proof.generated}
    assert found == {
        "step 'put' left out": ("refused", {"one-box"}),
        "step 'put' done twice": ("refused", {"one-box"}),
        "all of it done by a script": ("refused", {"by-the-named-surface"}),
        "tom@toy.example in the place of desk": (
            "refused",
            {"by-the-named-surface", "in-nobody-elses-name"},
        ),
    }
    assert proof.only >= {*task.guards}


async def test_a_product_without_tools_has_no_such_tasks(task: Task) -> None:
    proof = (await prove_environment(task.env, [task], services=toy.SERVICES)).tasks[0]
    assert proof.problems == [
        "toy/put-by-tool: can't be proved: put-by-tool is to be done by tools, and 'toy' has none."
    ]


async def test_an_agent_in_python_calls_tools_and_reads_refusals(task: Task) -> None:
    async def agent(desk: Any) -> None:
        assert "put_box" in {tool["name"] for tool in await desk.tools()}
        assert (await desk.call("put_box", label="Anvil", weight=200)).refused
        assert not (await desk.call("put_box", **BOX)).refused

    done = await rollout(task, by_agent(agent, 30), services=SERVICES)
    assert done.grade.passed, (done.grade, done.evidence.error)
    assert done.evidence.rail == "mcp"
    assert routes(done) == [("mcp", "MCP tools/list"), ("mcp", "TOOL put_box"), ("mcp", "TOOL put_box")]


async def test_a_play_breaks_where_a_tool_refuses_or_is_none(task: Task) -> None:
    async with attempts_on(task.env, services=SERVICES) as attempts, attempts.open(task) as attempt:
        desk = attempt.actors["desk"]
        assert isinstance(desk, McpActor)
        with pytest.raises(PlayError, match="put_box refused: The shelf holds no more"):
            await desk.call("put_box", label="Anvil", weight=200)
        with pytest.raises(PlayError, match="There is no tool 'nope'"):
            await desk.call("nope")
        with pytest.raises(PlayError, match="'gmail' has no tools; there are those of toy"):
            desk.toolset("gmail")
        desk.tokens["toy"] = "wrong"
        with pytest.raises(PlayError, match="answered 401"):
            await desk.toolset("toy").tools()


async def test_a_command_is_told_where_the_tools_are(task: Task) -> None:
    words = (sys.executable, "-S", "-c", POSTS % json.dumps(BOX))
    driver = Driver("command", command=words, timeout=30)
    done = await rollout(task, by_command(driver), rail="command", services=SERVICES)
    assert done.grade.passed, (done.grade, done.evidence.extras["transcript.jsonl"])
    assert routes(done) == [("mcp", "TOOL put_box")]


async def test_a_model_gets_the_services_own_tools(
    task: Task, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script(use("put_box", label="Anvil", weight=200), use("put_box", **BOX), DONE)
    async with serve(script.app) as url:
        monkeypatch.setenv("PARACOSM_MODEL_DIALECT", "openai")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        done = await rollout(task, by_model(Driver(rail="model", model="gpt-5")), services=SERVICES)
    assert done.grade.passed and script.problems == [], (done.grade, script.problems)
    offered = [each["function"]["name"] for each in script.heard[0]["tools"]]
    assert offered == ["list_boxes", "put_box", "done"]
    assert "no more than 100" in str(script.heard[1]["messages"][-1])


@pytest.mark.parametrize(("behaviour", "passes"), [("honest", True), ("cheating", False)])
async def test_a_stand_in_plays_by_tools(task: Task, tmp_path: Path, behaviour: str, passes: bool) -> None:
    async def drive(attempt: Attempt) -> None:
        variables, _ = move_in(attempt, tmp_path)
        stage = Stage(task.name, facts.dump(attempt.facts), tmp_path, variables)
        desk = Player(stage, "desk", attempt.facts.mira, "toy")
        async with desk.http:
            for play in plays_of(task, behaviour):
                await play.function(desk, attempt.facts)

    done = await rollout(task, drive, rail="command", services=SERVICES)
    assert done.grade.passed is passes and done.evidence.ended == "finished"
