"""Grading an archive again after a grader changed: what moved is shown, scores stay, nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.archive.records import Rollout
from harness.archive.store import read
from harness.cli import run
from harness.environment import Environment
from harness.guards import Guard

DATA = Path(".paracosm")


def rollouts() -> list[Rollout]:
    return list(read(DATA / "archive.db").rollouts)


def altered(env: Environment, guard: str, *, error: BaseException | None = None) -> None:
    """Makes a guard pass everything, or raise; and the task's revision another."""

    def check() -> None:
        if error is not None:
            raise error

    found = env.tasks["put-a-box"].guards[guard]
    assert isinstance(found, Guard)
    env.tasks["put-a-box"].guards[guard] = replace(found, check=check, params=())
    with env.file.open("a") as file:
        file.write("# another revision\n")


@pytest.fixture
def made(toy: Environment, capsys: pytest.CaptureFixture[str]) -> Environment:
    """The environment, with a run of the reference and one of a cheat in the archive."""
    assert run(["run", "toy", "--play", "reference"]) == 0
    assert run(["run", "toy", "--play", "cheat:another-day"]) == 1
    capsys.readouterr()
    return toy


def graded(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    code = run(["grade", "--all", *arguments])
    return code, capsys.readouterr().out.splitlines()


def test_what_did_not_change_is_not_graded_again(
    made: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    assert graded(capsys)[1][-1] == "0 graded · 0 moved · 2 of unchanged tasks"
    assert graded(capsys, "--again")[1][-1] == "2 graded · 0 moved"
    assert [len(each.gradings) for each in rollouts()] == [2, 2]


def test_what_moved_is_shown_and_scores_stay(made: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    altered(made, "due-that-day")
    code, said = graded(capsys)
    moved = "2 of 2-cheat-another-day, toy/put-a-box s1 n1: failed → passed (due-that-day refused → passed)"
    assert (code, said[-2:]) == (0, [moved, "2 graded · 1 moved"])
    assert [each.state for each in rollouts()] == ["passed", "failed"]
    assert [[grading.state for grading in each.gradings] for each in rollouts()] == [
        ["passed", "passed"],
        ["failed", "passed"],
    ]
    assert graded(capsys)[1][-1] == "0 graded · 0 moved · 2 of unchanged tasks"


def test_one_run_can_be_graded_alone(made: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    altered(made, "due-that-day")
    assert graded(capsys, "--run", "2")[1][-1] == "1 graded · 1 moved"
    assert [len(each.gradings) for each in rollouts()] == [1, 2]
    assert run(["grade", "--all", "--run", "7"]) == 2
    said = capsys.readouterr().err
    assert said == "There is no run '7'; the newest are: 2-cheat-another-day, 1-reference.\n"


def test_a_grader_that_breaks_is_shown_as_such_and_is_no_zero(
    made: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    altered(made, "due-that-day", error=KeyError("due"))
    said = graded(capsys)[1]
    assert any("passed → grader error (due-that-day passed → error)" in line for line in said)
    assert run(["run", "toy", "--play", "reference", "--rollouts", "2"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "passed 0/0 · grader errors, no score 2"
    assert any(line.endswith("grader error: due-that-day") and line.startswith("✗") for line in said)
    altered(made, "due-that-day")
    assert graded(capsys)[0] == 0
    assert [each.state for each in rollouts()] == ["passed", "failed", "passed", "passed"]


def test_a_bundle_that_is_gone_or_damaged_is_told_and_stays_as_it_was(
    made: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    gone, damaged = (DATA / str(each.bundle) for each in rollouts())
    gone.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-100])
    altered(made, "due-that-day")
    before = rollouts()
    code, said = graded(capsys)
    assert (code, said[-1]) == (1, "0 graded · 0 moved · 2 can't be graded")
    assert said[-3] == (
        "! 1 of 1-reference, toy/put-a-box s1 n1: its bundle "
        "runs/1-reference/toy-put-a-box-s1-n1.zip is gone."
    )
    assert "This is no bundle of evidence, or a damaged one" in said[-2]
    assert rollouts() == before


def test_a_bundle_outside_of_the_archives_folder_is_not_read(
    made: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    [bundle, _] = (DATA / str(each.bundle) for each in rollouts())
    bundle.rename("elsewhere.zip")
    bundle.symlink_to(Path("elsewhere.zip").absolute())
    assert "names a bundle outside of its folder, which is not read." in graded(capsys, "--again")[1][-2]


def test_the_bundle_of_another_task_is_not_taken_for_it(
    made: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    for other in ("another-task", "put-a-box"):
        made.tasks[other] = made.tasks.pop(next(iter(made.tasks)))
        made.tasks[other].slug = other
        run(["run", "toy", "--play", "reference"])
    first, third = (DATA / str(rollouts()[place].bundle) for place in (0, 2))
    first.write_bytes(third.read_bytes())
    capsys.readouterr()
    said = graded(capsys, "--again", "--run", "1")[1]
    assert said[-2].endswith("its bundle is of toy/another-task.")


def test_a_task_that_is_gone_is_told(made: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    del made.tasks["put-a-box"]
    code, said = graded(capsys)
    assert code == 1 and said[0].startswith("! 1 of 1-reference, toy/put-a-box s1 n1: toy has no task")


def test_what_was_not_kept_is_counted(toy: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    run(["run", "toy", "--play", "reference", "--keep", "none"])
    capsys.readouterr()
    assert graded(capsys, "--again")[1][-1] == "0 graded · 0 moved · 1 without a bundle"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Say what to grade: a BUNDLE, or --all of the archive."),
        ("x.zip --all", "Say what to grade: a BUNDLE, or --all of the archive."),
        ("--all --guard one-box", "--guard shows a guard of one bundle: leave out --all."),
        ("x.zip --again", "--run, --again and --jobs go with --all."),
        ("--all -j 0", "--jobs takes a number, 1 or more, not 0."),
        ("--all --data elsewhere", "There is no archive in elsewhere; say --data."),
    ],
)
def test_what_was_put_wrongly_is_told_in_a_sentence(
    toy: Environment, arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["grade", *arguments.split()]) == 2
    assert capsys.readouterr().err == f"{sentence}\n"
