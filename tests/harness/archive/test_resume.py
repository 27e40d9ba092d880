"""A run that stops, or whose process is killed, is taken up again: nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.archive.keeping import Keeping
from harness.archive.places import holding, is_held
from harness.archive.records import Plan, Rollout
from harness.archive.store import read
from harness.cli import run
from harness.driver import Driver
from harness.environment import Environment
from harness.guards import Play
from harness.rails import Actor
from tests.harness import crates
from tests.harness.archive.stalling import CALLS
from tests.harness.toy import Facts

ROOT = Path(__file__).parents[3]
DATA = Path(".paracosm")


def rollouts(folder: Path = Path()) -> list[Rollout]:
    return list(read(folder / DATA / "archive.db").rollouts)


def states(folder: Path = Path()) -> list[str]:
    return [each.state for each in rollouts(folder)]


def paracosm(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A command in a process of its own, in that folder."""
    command = [sys.executable, "-m", "harness.cli", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)


def test_a_run_whose_process_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    second = "from tests.harness.archive.stalling import stall; await stall()"
    crates.make(tmp_path, second=second)
    asked = ["crates/put-another", "--play", "reference", "--rollouts", "3", "-j", "1"]
    killed = paracosm(tmp_path, "run", *asked)
    assert killed.stdout is not None
    while killed.stdout.readline() != "stalled\n":
        assert killed.poll() is None
    assert is_held(tmp_path / DATA, "1-reference")
    killed.kill()
    killed.communicate()
    assert states(tmp_path) == ["passed", "running", "planned"]
    assert not is_held(tmp_path / DATA, "1-reference")
    [before, *_] = rollouts(tmp_path)

    said = paracosm(tmp_path, "run", "--resume", "1", "-j", "1").communicate()[0].splitlines()
    assert said[-2:] == ["run 1-reference", "passed 3/3"]
    after = rollouts(tmp_path)
    assert [each.number for each in after] == [1, 2, 3] and after[0] == before
    assert all((tmp_path / DATA / str(each.bundle)).is_file() for each in after)
    assert all(len(each.gradings) == 1 for each in after)
    assert (tmp_path / CALLS).stat().st_size == 4  # the one that was killed was done again, no other


@pytest.fixture
def by() -> signal.Signals:
    """The signal that ends a run."""
    return signal.SIGINT


@pytest.fixture
def interrupted(
    toy: Environment, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest, by: signal.Signals
) -> str:
    """What a run of three rollouts said that Ctrl-C ended in its second one; a third try would pass."""
    reference = toy.tasks["put-a-box"].the_reference
    assert reference is not None
    tries = []

    async def honest(desk: Actor, facts: Facts) -> None:
        tries.append(facts)
        if len(tries) == 2:
            os.kill(os.getpid(), by)
            await asyncio.sleep(600)
        await reference.function(desk=desk, facts=facts)

    toy.tasks["put-a-box"].the_reference = Play("honest", "", honest, ("desk", "facts"))
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, heard))
    assert run(["run", "toy", "--play", "reference", "--rollouts", "3", "-j", "1"]) == 130
    return capsys.readouterr().out


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_a_run_and_says_how_to_go_on(
    interrupted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert interrupted.splitlines()[-1] == (
        "Stopped: 1 of 3 rollouts are over. To go on: paracosm run --resume 1-reference"
    )
    assert states() == ["passed", "planned", "planned"]
    assert run(["run", "--resume", "1-reference"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "passed 3/3"
    assert states() == ["passed"] * 3


def test_a_run_that_is_over_is_not_done_again(interrupted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--resume", "1"]) == 0
    made = rollouts()
    assert run(["run", "--resume", "1"]) == 0
    assert rollouts() == made and capsys.readouterr().out.splitlines()[-1] == "passed 3/3"


@pytest.fixture
def planned(toy: Environment) -> Environment:
    """The environment, with a run in the archive of which nothing is over."""
    with Keeping(DATA) as kept:
        kept.do(
            lambda archive: archive.plan(
                [Plan("toy/put-a-box")], driver=Driver(play="reference"), options={"keep": "all"}
            )
        )
    return toy


def test_a_run_that_another_process_is_at_is_refused(
    planned: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    with holding(DATA, "1-reference"):
        assert run(["run", "--resume", "1"]) == 2
    assert capsys.readouterr().err == f"Run 1-reference is under way in process {os.getpid()}.\n"
    assert states() == ["planned"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--resume 2", "There is no run '2'; the newest are: 1-reference."),
        ("--resume 1 --play null", "--resume goes by what the run was begun with"),
        ("toy --resume 1", "--resume goes by what the run was begun with"),
        ("--resume 1 --rollouts 4", "--resume goes by what the run was begun with"),
        ("--resume 1 --out x.zip", "--resume goes by what the run was begun with"),
        ("--resume 1 -j 0", "--parallel takes a number, 1 or more, not 0."),
        ("--resume 1 --data elsewhere", "There is no run in elsewhere; say --data."),
    ],
)
def test_what_can_not_go_on_is_told_in_a_sentence(
    planned: Environment, arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", *arguments.split()]) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1


def test_a_run_of_a_task_that_is_gone_does_not_go_on(
    planned: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    del planned.tasks["put-a-box"]
    assert run(["run", "--resume", "1"]) == 2
    assert "toy has no task 'put-a-box'" in capsys.readouterr().err
    assert states() == ["planned"]
