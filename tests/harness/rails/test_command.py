"""The command rail in a world: what a command is given, what it may do with it, and what is kept of it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from harness.attempt import Attempt
from harness.driver import Driver
from harness.environment import Environment
from harness.rails.command import MOST_ANSWER, by_command, read_answer
from harness.rails.environ import PASS
from harness.rails.lodging import move_in
from harness.rails.transcript import MOST, Transcript
from harness.rollout import Rollout, rollout
from harness.task import Role, Task
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, put_a_box, put_by_page

PUTS = """
import json, os
from urllib.request import Request, urlopen

box = {"label": "Lamps", "due": "2025-10-26", "weight": 2}
token = {"Authorization": "Bearer " + os.environ["TOY_TOKEN"], "Content-Type": "application/json"}
print(urlopen(Request(os.environ["TOY_BASE_URL"] + "/api/boxes", json.dumps(box).encode(), token)).read())
"""


@pytest.fixture
def env() -> Environment:
    made = environment()
    put_a_box(made)
    return made


async def run(task: Task, *words: str, timeout: float = 30, **more: Any) -> Rollout:
    driver = Driver("command", command=words, timeout=timeout, **more)
    return await rollout(task, by_command(driver), rail="command", services=SERVICES)


def transcript(done: Rollout) -> list[tuple[str, str]]:
    lines = done.evidence.extras["transcript.jsonl"].decode().splitlines()
    return [(entry["kind"], entry["text"]) for entry in map(json.loads, lines)]


def said(done: Rollout) -> list[str]:
    return [text for kind, text in transcript(done) if kind == "said"]


def variables(done: Rollout) -> dict[str, str]:
    return dict(line.split("=", 1) for line in said(done) if "=" in line)


async def test_what_a_command_writes_is_its_leases_and_passes(env: Environment) -> None:
    done = await run(env.tasks["put-a-box"], sys.executable, "-S", "-c", PUTS)
    assert done.grade.passed, (done.grade, transcript(done))
    assert (done.evidence.rail, done.evidence.ended) == ("command", "finished")
    assert transcript(done)[-1] == ("exit", "exited with code 0")


@pytest.mark.parametrize(
    ("words", "ended", "error"),
    [
        (("sh", "-c", "exit 3"), "error", "The command exited with code 3"),
        (("sh", "-c", "kill -KILL $$"), "error", "The command died by SIGKILL"),
        (("sh", "-c", "exec sleep 60"), "time-out", "not done after 0.2 seconds"),
        (("no-such-agent",), "not-run", "The command could not be started: there is no program"),
    ],
)
async def test_exit_states_are_told_apart(
    env: Environment, words: tuple[str, ...], ended: str, error: str
) -> None:
    done = await run(env.tasks["put-a-box"], *words, timeout=0.2 if ended == "time-out" else 30)
    assert done.evidence.ended == done.grade.state == ended and not done.grade.passed
    assert done.evidence.error.startswith(error)
    assert transcript(done)[-1][0] == "exit"


async def test_it_gets_what_it_needs_and_nothing_of_ours(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PARACOSM_SECRET", "PARACOSM_SECRET_KEY", "AWS_SECRET_ACCESS_KEY", "PYTHONPATH"):
        monkeypatch.setenv(name, "not-for-agents")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-of-the-caller")
    monkeypatch.setenv("MY_SETTING", "wanted")
    monkeypatch.setenv(PASS, "MY_SETTING, NOT_SET")
    done = await run(env.tasks["put-a-box"], "env")
    found = variables(done)
    assert "not-for-agents" not in json.dumps(found)
    assert found["MY_SETTING"] == "wanted"
    assert found["ANTHROPIC_API_KEY"] == "[ANTHROPIC_API_KEY]"  # it had the key; the transcript has not
    assert found["HOME"] != os.environ.get("HOME") and not Path(found["HOME"]).exists()
    assert found["PARACOSM_EMAIL"] == "mira@toy.example" and found["PARACOSM_ACTORS"] == "desk"
    assert found["TOY_BASE_URL"] == f"{found['PARACOSM_BASE_URL']}/sites/toy"
    assert found["PARACOSM_BASE_URL"] == f"{found['PARACOSM_PROXY']}/w/p1"
    assert found["PARACOSM_PROXY"].startswith("http://127.") and "127.0.0.1" not in found["PARACOSM_PROXY"]


async def test_the_workspace_holds_the_task_and_its_files(env: Environment) -> None:
    done = await run(
        env.tasks["put-a-box"], "sh", "-c", "ls; cat label.txt; echo; cat >letter; cmp letter TASK.md"
    )
    assert said(done) == ["TASK.md", "label.txt", "storage.json", "Lamps"]


@pytest.mark.parametrize("words", [("cat",), ("echo", "{prompt}"), ("cat", "{file}")])
async def test_a_command_is_told_its_task_as_it_says(env: Environment, words: tuple[str, ...]) -> None:
    done = await run(env.tasks["put-a-box"], *words)
    lines = said(done)
    assert lines[0] == "Put Lamps on the shelf, due 2025-10-26."
    assert "You act as Mira Okafor <mira@toy.example>:" in lines
    assert any("$TOY_BASE_URL" in line and "$TOY_TOKEN" in line for line in lines)


async def test_of_several_actors_each_has_variables_of_its_own(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    task.actors["door"] = Role("mira", services=())
    found = variables(await run(task, "env"))
    assert found["PARACOSM_ACTORS"] == "desk,door"
    assert found["DESK_TOY_TOKEN"] and "DOOR_TOY_TOKEN" not in found and "TOY_TOKEN" not in found
    assert found["DOOR_TOY_BASE_URL"] != found["DESK_TOY_BASE_URL"]
    assert found["DESK_PARACOSM_STORAGE"].endswith("desk.storage.json")
    assert "DOOR_PARACOSM_STORAGE" not in found


async def test_a_browser_of_its_own_is_signed_in_and_known(browser: Browser, tmp_path: Path) -> None:
    env = environment()
    task = put_by_page(env)

    async def drive(attempt: Attempt) -> None:
        found, _ = move_in(attempt, tmp_path)
        context = await browser.new_context(
            proxy={"server": found["PARACOSM_PROXY"]}, storage_state=found["PARACOSM_STORAGE"]
        )
        page = await context.new_page()
        await page.goto(found["TOY_PAGES"])
        await page.get_by_label("Label").fill(attempt.facts.label)
        await page.get_by_label("Due").fill(str(attempt.facts.due))
        await page.get_by_role("button", name="Put").click()
        await expect(page.get_by_role("listitem").filter(has_text="Lamps")).to_be_visible()
        await context.close()

    done = await rollout(task, drive, rail="command", services=SERVICES)
    by_surface = [v for v in done.grade.verdicts if v.guard == "by-the-named-surface"]
    assert [verdict.state for verdict in by_surface] == ["passed"]


async def test_a_script_in_the_place_of_a_browser_is_refused() -> None:
    env = environment()
    done = await run(put_by_page(env), sys.executable, "-S", "-c", PUTS)
    refused = [verdict.guard for verdict in done.grade.verdicts if verdict.state == "refused"]
    assert "by-the-named-surface" in refused


def test_an_answer_is_the_text_of_a_plain_file(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    assert read_answer(path) is None
    path.write_text('{"boxes": 1}')
    assert read_answer(path) == '{"boxes": 1}'
    os.truncate(path, MOST_ANSWER + 1)
    assert read_answer(path) is None
    path.unlink()
    path.symlink_to(__file__)
    assert read_answer(path) is None
    path.unlink()
    os.mkfifo(path)
    assert read_answer(path) is None


async def test_a_transcript_is_bounded_and_still_says_how_it_ended() -> None:
    kept = Transcript()
    for _ in range(5):
        kept.add("said", "x" * (MOST // 4 - 100))
    kept.add("exit", "exited with code 0")
    entries = [json.loads(line) for line in kept.content().splitlines()]
    assert [entry["kind"] for entry in entries] == ["said"] * 4 + ["exit", "cut"]
    assert [entry["text"] for entry in entries[-2:]] == ["exited with code 0", "1 entries more were not kept"]


async def test_lines_of_nothing_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.rails.transcript.MOST", 1000)
    kept = Transcript()
    for _ in range(1000):
        kept.add("stderr", "")
    assert len(kept.content()) < 1200


async def test_keys_are_struck_also_from_what_an_agent_says_of_its_failure(
    env: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-1234")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ant-1234-and-more")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:pass-of-the-proxy@proxy.example:3128")
    claude = tmp_path / "claude"
    event = '{"type": "result", "is_error": true, "result": "bad: $ANTHROPIC_API_KEY"}'
    claude.write_text(f"#!/bin/sh\necho $HTTPS_PROXY >&2\ncat << END\n{event}\nEND\n")
    claude.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    driver = Driver("command", recipe="claude-code", timeout=30)
    done = await rollout(env.tasks["put-a-box"], by_command(driver), rail="command", services=SERVICES)
    assert done.evidence.error == "The command exited with code 0: bad: [ANTHROPIC_API_KEY]"
    assert ("stderr", "http://me:[HTTPS_PROXY]@proxy.example:3128") in transcript(done)
    both = Transcript({"A": "sk-ant-1234", "B": "sk-ant-1234-and-more"})
    assert both.hidden("sk-ant-1234-and-more") == "[B]"
