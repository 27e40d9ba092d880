"""Rollouts, the commands that make and grade them, and the proof that is kept."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import stat
import time
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from fakes.core.seeding import Seed
from harness import app, discovery, proved, proving, qualify
from harness.adversaries import Attack
from harness.bundle import Bundle
from harness.cli.grade import grade
from harness.cli.prove import prove
from harness.cli.run import run
from harness.cli.words import WrongUse
from harness.code import discovery as code
from harness.environment import Environment
from harness.guards import Play
from harness.parallel import Crew
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

async def of_all(actors):
    assert list(actors) == ["desk"]

async def anything(**given):
    assert sorted(given) == ["actors", "desk", "task_text"]

async def at_its_leisure(desk, calm=True):
    assert calm

async def reads_errors(desk):
    answers = [await desk.post("/api/crates"), await desk.api("toy").get("api/boxes/none")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert desk.inputs == ("label.txt",) and desk.input("label.txt") == b"Lamps"
    assert (await desk.get("/api/boxes")).json()
    await desk.get("/api/boxes", expect=404)

async def quits(desk):
    raise SystemExit(3)

async def gives_up(desk):
    import asyncio
    raise asyncio.CancelledError

async def returns_a_set_of_objects(desk):
    return {object()}

async def returns_nonsense(desk):
    return "\\ud800"

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
        ("anything", "failed", ""),
        ("at_its_leisure", "failed", ""),
        ("breaks", "error", "agents.py:37: RuntimeError: out of ideas"),
        ("reads_errors", "error", "agents.py:21: PlayError: desk: GET /api/boxes was answered 200"),
        ("quits", "error", "agents.py:24: SystemExit: 3"),
        ("gives_up", "error", "agents.py:28: CancelledError"),
        (
            "returns_a_set_of_objects",
            "error",
            "The answer is a set that can't be kept: return text, a number",
        ),
        ("returns_nonsense", "error", "The answer is a str that can't be kept"),
        (
            "forges",
            "error",
            "agents.py:40: AttributeError: This actor has no 'forge'; it has api, delete, get, input, "
            "inputs, name, patch, person, post, put, request",
        ),
    ],
)
async def test_an_agent_gets_the_text_and_its_actors(
    env: Environment, agents: Path, name: str, state: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(agents.parent)
    task = env.tasks["put-a-box"]
    done = await rollout(task, by_agent(load_agent(f"{agents}:{name}", task), 10), services=SERVICES)
    assert done.grade.state == state
    assert done.evidence.error.startswith(error) and bool(done.evidence.error) == bool(error)
    assert bool(done.evidence.trace) == bool(error)
    assert Bundle(done.bundle).manifest["state"] == state


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (":nosy", "nosy asks for facts; in toy/put-a-box it can have actors, desk, task_text."),
        (":sync", "no async function 'sync'"),
        (":nobody", "no async function 'nobody'; an agent is `async def nobody"),
        (":", "say which function of .*agents.py, as in .*agents.py:agent."),
        ("", "say which function of .*agents.py, as in .*agents.py:agent."),
    ],
)
def test_an_agent_that_cannot_be_one_is_refused(
    env: Environment, agents: Path, name: str, sentence: str
) -> None:
    with pytest.raises(UnknownPlay, match=sentence):
        load_agent(f"{agents}{name}", env.tasks["put-a-box"])


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("a.py", "import nowhere_at_all", "a.py:1: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("a.py", "\n\nprint(", "a.py:3: SyntaxError: '\\(' was never closed"),
        ("a.py", "import sys\nsys.exit(4)", "a.py:2: SystemExit: 4"),
        ("a.txt", "", "'.*a.txt' is no Python file"),
    ],
)
def test_an_agent_that_cannot_be_imported_says_where(
    env: Environment, tmp_path: Path, file: str, text: str, sentence: str
) -> None:
    (tmp_path / file).write_text(text)
    with pytest.raises(UnknownPlay, match=sentence):
        load_agent(f"{tmp_path / file}:agent", env.tasks["put-a-box"])


def test_an_agents_file_must_be_there(env: Environment) -> None:
    with pytest.raises(UnknownPlay, match="there is no file 'nowhere.py'"):
        load_agent("nowhere.py:agent", env.tasks["put-a-box"])


async def test_an_agent_that_hangs_times_out(env: Environment) -> None:
    async def hangs(task_text: str, desk: Actor) -> None:
        await asyncio.sleep(30)

    done = await rollout(env.tasks["put-a-box"], by_agent(hangs, 0.05), services=SERVICES)
    assert done.grade.state == "time-out" and not done.grade.passed
    assert re.fullmatch(
        r"tests/harness/test_rollout.py:\d+: not done after 0.05 seconds", done.evidence.error
    )


@pytest.mark.parametrize("way", ["holds the loop up", "will not be cancelled"])
async def test_what_is_done_after_the_deadline_does_not_pass(env: Environment, way: str) -> None:
    task = env.tasks["put-a-box"]

    async def late(task_text: str, desk: Actor) -> None:
        if way == "holds the loop up":
            time.sleep(0.2)
        else:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(30)
        await desk.post("/api/boxes", json={"label": "Lamps", "due": "2025-10-24", "weight": 2})

    done = await rollout(task, by_agent(late, 0.1), services=SERVICES)
    assert done.grade.state == "time-out" and not done.grade.passed


async def test_whoever_ends_an_attempt_from_outside_is_heard(env: Environment) -> None:
    async def hangs(desk: Actor) -> None:
        await asyncio.sleep(30)

    running = asyncio.create_task(rollout(env.tasks["put-a-box"], by_agent(hangs, 20), services=SERVICES))
    await asyncio.sleep(0.3)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


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


async def nobody(env: Environment, *, browser: BrowserRail) -> list[Attack]:
    """No adversaries: they need a browser."""
    return []


@pytest.fixture
def commands(env: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.setattr(discovery, "environment_names", lambda: ["toy"])
    monkeypatch.setattr(discovery, "load_environment", lambda name: env)
    monkeypatch.setattr(code, "code_environment_names", list)
    monkeypatch.setattr(proving, "load_environment", lambda name: env)
    monkeypatch.setattr(proving, "attack_environment", nobody)
    monkeypatch.setattr(app, "discover_services", lambda: SERVICES)
    monkeypatch.setattr(Crew, "_spread", Crew._here)  # the toy is known in this process alone
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
    assert said.splitlines()[-1] == "Not proved: 1 problem · Graders proved 2/3 · 1 date"


def test_prove_explains_its_counts_in_two_lines(commands: CliRunner) -> None:
    *_, first, second, last = call(commands, prove, "--quick")[1].splitlines()
    assert first.startswith("N/N counts references, which must pass, and named cheats")
    assert "harmless if it ends as the reference does" in second
    assert last == "Graders proved 3/3 · 1 date"


def test_a_seed_that_raises_is_a_problem_with_file_and_line(commands: CliRunner, env: Environment) -> None:
    def seed(w: Seed) -> None:
        raise KeyError("nope")

    env.seed, env.file = seed, Path(__file__)
    sentence = r"tests/harness/test_rollout.py:\d+: KeyError: 'nope'"
    code, said = call(commands, prove)
    assert code == 1 and re.search(rf"^✗ \S*{sentence}$", said, re.MULTILINE)
    assert said.splitlines()[-1].startswith("Not proved: 1 problem · Graders proved 0/0")
    named: list[tuple[Any, list[str]]] = [(prove, ["toy"]), (run, ["toy/put-a-box", "--play", "null"])]
    for command, arguments in named:
        code, said = call(commands, command, *arguments)
        assert code == 2 and re.fullmatch(rf"\S*{sentence}", said)


@pytest.mark.parametrize(
    ("command", "arguments", "sentence"),
    [
        (
            prove,
            ["bank"],
            "There is no environment 'bank'; there are: toy; of code: ledger_migration, relay.",
        ),
        (prove, ["toy/none"], "toy has no task 'none'; its tasks are: put-a-box."),
        (prove, ["--date", "tomorrow"], "'tomorrow' is no date; write YYYY-MM-DD."),
        (prove, ["--zone", "Mars/Base"], "'Mars/Base' is no time zone"),
        (run, ["--play", "reference"], "Say what to run: ENV/TASK, or ENV for all of its tasks."),
        (run, ["toy/put-a-box"], "Say who acts"),
        (run, ["toy/put-a-box", "--play", "null", "--rail", "post"], "There is no rail 'post'"),
        (
            run,
            ["toy/put-a-box", "--play", "null", "--timeout", "0"],
            "--timeout takes seconds, more than 0, not 0.",
        ),
        (
            run,
            ["toy/put-a-box", "--play", "null", "--timeout", "-1"],
            "--timeout takes seconds, more than 0, not -1.",
        ),
        (
            run,
            ["toy/put-a-box", "--play", "null", "--timeout", "nan"],
            "--timeout takes seconds, more than 0",
        ),
        (
            run,
            ["toy/put-a-box", "--play", "null", "--out", "no/x.zip"],
            "no/x.zip can't be written: there is no folder",
        ),
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
    how = "(rail api, unconfined: it ran as you, on this machine)"
    assert said.splitlines()[-2:] == [f"failed: due-that-day {how}", "kept.zip"]
    code, said = call(commands, grade, "kept.zip")
    assert (code, said.splitlines()[-1]) == (1, "failed: due-that-day")
    assert "It is due on the day that was asked for." in said
    code, said = call(commands, grade, "kept.zip", "--guard", "weighed")
    assert code == 0 and "weighed" in said and "one-box" not in said
    assert call(commands, grade, "kept.zip", "--guard", "none")[0] == 2


def test_without_a_place_a_bundle_goes_to_the_data_folder(
    commands: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = call(commands, run, "toy/put-a-box", "--play", "reference")
    bundle = "runs/1-reference/toy-put-a-box-s1-n1.zip"
    assert (code, said.splitlines()[-1]) == (0, f".paracosm/{bundle}")
    assert call(commands, grade, f".paracosm/{bundle}")[0] == 0
    assert stat.S_IMODE(Path(".paracosm").stat().st_mode) == 0o700
    monkeypatch.setenv("PARACOSM_DATA", "elsewhere")
    said = call(commands, run, "toy/put-a-box", "--play", "reference")[1]
    assert said.splitlines()[-1] == f"elsewhere/{bundle}"


def test_an_agents_traceback_is_printed_and_kept(
    commands: CliRunner, agents: Path, env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ["toy/put-a-box", "--agent", "agents.py:breaks", "--out", "kept.zip"]
    code, said = call(commands, run, *broken)
    assert code == 1 and "Traceback (most recent call last)" in said
    assert "error: agents.py:37: RuntimeError: out of ideas" in said
    kept = Bundle.at(Path("kept.zip")).evidence(env.tasks["put-a-box"], SERVICES)
    assert kept.trace.rstrip().endswith("RuntimeError: out of ideas")

    async def breaks(desk: Actor) -> None:
        raise RuntimeError("out of ideas")

    play = Play("honest", "", breaks, ("desk",))
    monkeypatch.setattr(env.tasks["put-a-box"], "the_reference", play)
    played = ["toy/put-a-box", "--play", "reference"]
    assert "Traceback" not in call(commands, run, *played)[1]
    assert "Traceback" in call(commands, run, *played, "--verbose")[1]


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
    assert line == (
        "Not proved: 1 problem · Graders proved 1/3 · 1/4 guards needed · 0 generated refused · 1 ESCAPED · "
        "1 date"
    )


def test_an_answer_that_knows_nothing_has_the_right_form() -> None:
    from tests.harness.toy_tasks import Count

    assert qualify.plausible(Count) == {"boxes": 1}
