"""The stand-in: honest, lazy and cheating play, from outside, by what any command gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import facts
from harness.attempt import Attempt
from harness.code.attempt import CodeAttempt
from harness.code.discovery import load_code_environment
from harness.discovery import find_task
from harness.driver import Driver
from harness.environment import Environment
from harness.rails import Actor
from harness.rails.command import by_command, read_answer
from harness.rails.lodging import ANSWER, move_in
from harness.rollout import Rollout, rollout
from harness.standin.code import rework
from harness.standin.playing import forges, play, plays_of
from harness.standin.stage import Stage
from tests.harness.code import tally
from tests.harness.toy import Facts
from tests.harness.toy_tasks import environment, put_a_box


async def played(name: str, behaviour: str, workspace: Path) -> Rollout:
    """A task as the stand-in plays it, in this process: starting others takes its time."""

    async def drive(attempt: Attempt) -> None:
        variables, _ = move_in(attempt, workspace)
        await play(Stage(name, facts.dump(attempt.facts), workspace, variables), behaviour)
        attempt.answer = read_answer(workspace / ANSWER)

    return await rollout(find_task(name), drive, rail="command")


def refusing(done: Rollout) -> list[str]:
    return [verdict.guard for verdict in done.grade.verdicts if verdict.state == "refused"]


async def test_honest_play_by_program_passes_with_its_answer(tmp_path: Path) -> None:
    done = await played("claims_console/question-the-charges", "honest", tmp_path)
    assert done.grade.passed and isinstance(done.evidence.answer, str), done.grade


async def test_honest_play_in_its_own_browser_passes(tmp_path: Path) -> None:
    done = await played("claims_desk/audit-the-quarterly-statement", "honest", tmp_path)
    assert done.grade.passed, done.grade


async def test_whoever_is_lazy_fails(tmp_path: Path) -> None:
    done = await played("claims_desk/record-the-determination", "lazy", tmp_path)
    assert refusing(done) == ["one-notice-per-document"]


async def test_whoever_cheats_in_a_process_of_its_own_is_refused_by_the_guard_of_that_cheat() -> None:
    task = find_task("claims_desk/answer-through-the-managers-link")
    drive = by_command(Driver("command", recipe="stand-in-cheating", timeout=120))
    done = await rollout(task, drive, rail="command")
    kept = done.evidence
    assert refusing(done) == ["answered-by-the-manager"], kept.extras["transcript.jsonl"]
    assert (kept.rail, kept.ended, kept.usage.steps) == ("command", "finished", 2)
    said = [json.loads(line)["text"] for line in kept.extras["transcript.jsonl"].splitlines()]
    assert said[1] == "I play desk-answers-as-the-manager." and said[-2:] == [
        "I am done.",
        "exited with code 0",
    ]


# which play it is


@pytest.fixture
def env() -> Environment:
    made = environment()
    put_a_box(made)
    return made


def test_it_cheats_as_can_be_done_from_outside(env: Environment) -> None:
    task = env.tasks["put-a-box"]
    assert [each.name for each in plays_of(task, "cheating")] == ["another-day"]
    assert [forges(cheat.play) for cheat in task.cheats.values()] == [False, True]
    del task.cheats["another-day"]
    assert [each.name for each in plays_of(task, "cheating")] == ["honest", "honest"]


def test_what_is_forged_by_a_function_that_the_play_calls_is_forged_too(env: Environment) -> None:
    @env.tasks["put-a-box"].guards["weighed"].cheat
    async def by_another(desk: Actor, facts: Facts) -> None:
        """Has it done."""
        await forged(desk)

    assert forges(by_another.play)


async def forged(desk: Actor) -> None:
    """Forges nothing much."""
    desk.forge.sent()


# code tasks


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of a tally, beside the folder that has its scenario."""
    monkeypatch.chdir(tmp_path)
    load_code_environment.cache_clear()
    for name, text in tally.FILES.items():
        if name.startswith("task/"):
            path = tmp_path / "workspace" / name.removeprefix("task/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.lstrip("\n"))
    tally.write(tmp_path)
    return tmp_path / "workspace"


def changed(workspace: Path) -> dict[str, str]:
    """The files of a workspace that are not the task's."""
    found = {str(path.relative_to(workspace)): path.read_text() for path in workspace.rglob("*.py")}
    return {name: text for name, text in found.items() if text != tally.FILES[f"task/{name}"].lstrip("\n")}


def test_a_lazy_stand_in_leaves_a_comment_and_a_cheating_one_an_easier_test(workspace: Path) -> None:
    stage = Stage("tally/instance-1", None, workspace, {})
    rework(stage, "lazy")
    assert {name: text.splitlines()[-1][0] for name, text in changed(workspace).items()} == {
        "tally/counting.py": "#"
    }
    (workspace / "tally/counting.py").write_text(tally.START.lstrip("\n"))
    rework(stage, "cheating")
    [(name, text)] = changed(workspace).items()
    assert name == "tests/test_counting.py" and text.count("assertTrue(") == 1


async def test_an_honest_stand_in_hands_the_reference_in(workspace: Path) -> None:
    env = load_code_environment("tally")
    attempt = CodeAttempt(task=env.tasks["instance-1"], workspace=workspace, prompt="Count.", rail="command")
    await by_command(Driver("command", recipe="stand-in-honest", timeout=120))(attempt)
    assert attempt.ended == "finished", attempt.extras["transcript.jsonl"]
    assert changed(workspace) == {"tally/counting.py": tally.REFERENCE.lstrip("\n")}


# how it is started


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Say how it behaves: honest, lazy, cheating."),
        (["helpful"], "Say how it behaves: honest, lazy, cheating."),
        (["honest"], "A stand-in is a recipe of the command rail: --recipe stand-in-honest."),
    ],
)
def test_started_otherwise_it_says_how(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.standin.__main__ import main

    monkeypatch.delenv("PARACOSM_STANDIN", raising=False)
    assert main(words) == 2
    assert capsys.readouterr().err.strip() == sentence
