"""Rollouts, the commands that make and grade them, and the proof that is kept."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from harness import app, discovery, proved, qualify
from harness.bundle import Bundle
from harness.cli.grade import grade
from harness.cli.prove import prove
from harness.cli.run import run
from harness.cli.words import WrongUse
from harness.environment import Environment
from harness.proof import EnvironmentProof, Generated, TaskProof, last_line
from harness.qualify import prove_environment
from harness.rails import Actor, BrowserMissing, BrowserRail, Place
from harness.rollout import UnknownPlay, by_agent, by_play, load_agent, rollout
from tests.harness.toy import SERVICES
from tests.harness.toy_tasks import environment, put_a_box, put_by_page

AGENTS = """
async def honest(task_text, desk):
    label = task_text.removeprefix("Put ").split(" on ")[0]
    due = task_text.split("due ")[1].rstrip(".")
    await desk.post("/api/boxes", json={"label": label, "due": due, "weight": 1})

async def of_all(task_text, actors):
    assert list(actors) == ["desk"]

async def breaks(task_text, desk):
    raise RuntimeError("out of ideas")

async def forges(task_text, desk):
    desk.forge.delete(None)

async def nosy(task_text, facts):
    pass

def sync(task_text):
    pass
"""


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    made = environment()
    made.file = tmp_path / "environment.py"
    put_a_box(made)
    return made


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


# rollouts


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("reference", "passed"),
        ("variant:heavier", "passed"),
        ("null", "failed"),
        ("done", "failed"),
        ("cheat:another-day", "failed"),
    ],
)
async def test_a_tasks_own_plays_can_be_run(env: Environment, name: str, state: str) -> None:
    task = env.tasks["put-a-box"]
    done = await rollout(task, by_play(task, name, 10), services=SERVICES)
    assert done.grade.state == state
    assert Bundle(done.bundle).manifest["state"] == state


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("cheat:none", "has no cheat 'none'; it has another-day"),
        ("cheat", "A play is reference"),
        ("x", "not 'x'"),
    ],
)
def test_an_unknown_play_is_named(env: Environment, name: str, sentence: str) -> None:
    with pytest.raises(UnknownPlay, match=sentence):
        by_play(env.tasks["put-a-box"], name, 10)


@pytest.mark.parametrize(
    ("name", "state", "error"),
    [
        ("honest", "passed", ""),
        ("of_all", "failed", ""),
        ("breaks", "error", "RuntimeError: out of ideas"),
        ("forges", "error", "AttributeError: An agent's actor has no 'forge'; it has api, context, delete"),
    ],
)
async def test_an_agent_gets_the_text_and_its_actors(
    env: Environment, agents: Path, name: str, state: str, error: str
) -> None:
    task = env.tasks["put-a-box"]
    done = await rollout(task, by_agent(load_agent(f"{agents}:{name}", task), 10), services=SERVICES)
    assert done.grade.state == state
    assert done.evidence.error.startswith(error) and bool(done.evidence.error) == bool(error)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nosy", "nosy asks for facts"),
        ("sync", "no async function 'sync'"),
        ("nobody", "no async function 'nobody'"),
    ],
)
def test_an_agent_that_cannot_be_one_is_refused(
    env: Environment, agents: Path, name: str, sentence: str
) -> None:
    with pytest.raises(UnknownPlay, match=sentence):
        load_agent(f"{agents}:{name}", env.tasks["put-a-box"])


def test_an_agents_file_must_be_there(env: Environment) -> None:
    with pytest.raises(
        UnknownPlay, match="'nowhere.py' is no file|nowhere.py is no file|nowhere.py' is no file"
    ):
        load_agent("nowhere.py:agent", env.tasks["put-a-box"])


async def test_an_agent_that_hangs_times_out(env: Environment) -> None:
    async def hangs(task_text: str, desk: Actor) -> None:
        await asyncio.sleep(30)

    done = await rollout(env.tasks["put-a-box"], by_agent(hangs, 0.05), services=SERVICES)
    assert done.grade.state == "time-out" and not done.grade.passed


class NoBrowser(BrowserRail):
    """A browser rail on a machine without one."""

    async def enter(self, place: Place) -> Actor:
        raise BrowserMissing("no Chromium found: run `make setup`")


async def test_without_a_browser_a_rollout_is_not_run(env: Environment) -> None:
    task = put_by_page(env)
    done = await rollout(task, by_play(task, "reference", 10), services=SERVICES, browser=NoBrowser())
    assert done.grade.state == "not-run" and not done.grade.passed
    assert done.evidence.error == "no Chromium found: run `make setup`"


async def test_without_a_browser_a_proof_says_what_to_do() -> None:
    env = environment()
    put_by_page(env)
    proof = await prove_environment(env, services=SERVICES, browser=NoBrowser())
    assert proof.problems == ["toy/put-by-page: can't be proved: no Chromium found: run `make setup`"]
    assert not proof.held and not proved.write(proof)


# commands


@pytest.fixture
def commands(env: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.setattr(discovery, "discover_environments", lambda: {"toy": env})
    monkeypatch.setattr(app, "discover_services", lambda: SERVICES)
    monkeypatch.chdir(tmp_path)
    return CliRunner()


def call(runner: CliRunner, command: Any, *arguments: str) -> tuple[int, str]:
    cli = typer.Typer()
    cli.command()(command)
    result = runner.invoke(cli, list(arguments))
    if isinstance(result.exception, WrongUse):
        return result.exception.code, str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_prove_prints_the_last_line_and_keeps_the_proof(commands: CliRunner, env: Environment) -> None:
    code, said = call(commands, prove)
    assert code == 0
    assert said.splitlines()[-1] == "Graders proved 3/3 · 4/4 guards needed · 2 generated refused · 1 date"
    kept = proved.read(env)
    assert kept is not None and kept.fresh
    assert kept.counts["proved"] == 3 and kept.counts["held"] == {"put-a-box": True}
    before = proved.path_of(env).read_text()
    call(commands, prove, "toy")
    assert proved.path_of(env).read_text() == before


def test_prove_quick_proves_plays_alone(commands: CliRunner, env: Environment) -> None:
    code, said = call(
        commands, prove, "toy/put-a-box", "--quick", "--date", "2024-02-29", "--zone", "Europe/Berlin"
    )
    assert (code, said.splitlines()[-1]) == (0, "Graders proved 3/3 · 1 date")
    assert proved.read(env) is None


def test_prove_fails_with_a_sentence_for_each_problem(commands: CliRunner, env: Environment) -> None:
    env.tasks["put-a-box"].route = "PUT /api/boxes"
    code, said = call(commands, prove, "--quick")
    assert code == 1
    assert "✗ toy/put-a-box: the reference does not write by PUT /api/boxes but by POST /api/boxes." in said
    assert said.splitlines()[-1] == "Graders proved 2/3 · 1 date"


@pytest.mark.parametrize(
    ("command", "arguments", "sentence"),
    [
        (prove, ["bank"], "There is no environment 'bank'; there are: toy."),
        (prove, ["toy/none"], "toy has no task 'none'; its tasks are: put-a-box."),
        (prove, ["--date", "tomorrow"], "'tomorrow' is no date; write YYYY-MM-DD."),
        (prove, ["--zone", "Mars/Base"], "'Mars/Base' is no time zone"),
        (run, ["toy", "--play", "reference"], "'toy' names no single task; write ENV/TASK."),
        (run, ["toy/put-a-box"], "Say who acts"),
        (run, ["toy/put-a-box", "--play", "null", "--rail", "mcp"], "There is no rail 'mcp'"),
        (grade, ["none.zip"], "none.zip can't be read"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    commands: CliRunner, command: Any, arguments: list[str], sentence: str
) -> None:
    code, said = call(commands, command, *arguments)
    assert code == 2 and sentence in said


def test_a_run_is_graded_again_with_the_same_verdict(commands: CliRunner) -> None:
    code, said = call(commands, run, "toy/put-a-box", "--play", "cheat:another-day", "--out", "kept.zip")
    assert code == 1
    assert said.splitlines()[-2:] == ["failed: due-that-day (rail api, unconfined)", "kept.zip"]
    code, said = call(commands, grade, "kept.zip")
    assert (code, said.splitlines()[-1]) == (1, "failed: due-that-day")
    assert "It is due on the day that was asked for." in said
    code, said = call(commands, grade, "kept.zip", "--guard", "weighed")
    assert code == 0 and "weighed" in said and "one-box" not in said
    assert call(commands, grade, "kept.zip", "--guard", "none")[0] == 2
    code, said = call(commands, run, "toy/put-a-box", "--play", "reference")
    assert (code, said.splitlines()[-2]) == (0, "passed (rail api, unconfined)")
    assert call(commands, grade, "toy-put-a-box.zip")[0] == 0


# what is kept of a proof


async def test_a_changed_task_makes_a_kept_proof_stale(env: Environment) -> None:
    proof = await prove_environment(env, services=SERVICES)
    assert proved.write(proof) and not proved.write(proof)
    kept = proved.read(env)
    assert kept is not None and kept.fresh
    path = proved.path_of(env)
    told = json.loads(path.read_text())
    told["of"]["tasks"] = "0"
    path.write_text(json.dumps(told))
    stale = proved.read(env)
    assert stale is not None and not stale.fresh
    path.write_text("{")
    assert proved.read(env) is None


def test_an_escape_is_told_in_the_last_line(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    proof = TaskProof(
        task, reference_held=True, only={"one-box"}, generated=[Generated("twice", "put", "escaped")]
    )
    line = last_line([EnvironmentProof(env, [proof], app.BASE_DATE, app.ZONE)])
    assert line == "Graders proved 1/3 · 1/4 guards needed · 0 generated refused · 1 ESCAPED · 1 date"


def test_an_answer_that_knows_nothing_has_the_right_form() -> None:
    from tests.harness.toy_tasks import Count

    assert qualify.plausible(Count) == {"boxes": 1}
