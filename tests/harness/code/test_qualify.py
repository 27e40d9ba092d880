"""Qualification: a grader is trusted where it tells the start, the reference and every witness apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.cli import run
from harness.code import locks, qualified
from harness.code.declaring import CodeEnvironment
from harness.code.discovery import load_code_environment
from harness.code.grading import Holding, Trial
from harness.code.qualify import qualify
from harness.code.visible import Visible
from harness.grade import Verdict
from harness.parallel import Crew, Job
from tests.harness.code.tally import REFERENCE


def test_a_grader_that_tells_them_apart_is_qualified(
    tally: CodeEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", "tally", "-j", "1"]) == 0
    *_, line, last = capsys.readouterr().out.splitlines()
    assert line == "tally: QUALIFIED · instance-1, instance-2 · 5 solutions · 3 crash points"
    assert last == "Graders proved 5/5"
    kept = qualified.read(tally)
    assert kept is not None and kept.fresh and kept.solutions["seen-in-memory"] == ("T1",)
    assert kept.locks == locks.read(tally) and set(kept.locks) == {"instance-1", "instance-2"}
    (tally.folder / "reference" / "tally" / "counting.py").write_text(f"{REFERENCE}\n# more\n")
    stale = qualified.read(tally)
    assert stale is not None and not stale.fresh


def test_what_is_not_as_declared_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declared = (folder / "environment.py").read_text()
    declared = declared.replace('fails=("T1",)', 'breaks="the-fault-hook-kills"')
    (folder / "environment.py").write_text(declared.replace('fails=("T2",)', 'fails=("T1",)'))
    (folder / "locks.json").write_text('{"instance-1": "0000000000000000"}')
    assert run(["prove", "tally/instance-1", "-j", "1"]) == 1
    out = capsys.readouterr().out
    assert "✗ tally: seen-in-memory is not refused by the-fault-hook-kills, and must be.\n" in out
    assert "✗ tally: two-transactions is not refused by T1, and must be.\n" in out
    assert "✗ tally/instance-1 was locked as 0000000000000000" in out
    assert "tally: NOT QUALIFIED · instance-1 · 5 solutions" in out
    assert out.endswith("Not proved: 3 problems · Graders proved 2/4\n")
    assert not qualified.path_of(load_code_environment("tally")).exists()


class Canned(Crew):
    """Does no job: every hold is kept, and every invariant is said to be refused."""

    def run(self, jobs: Sequence[Job], *heard: object) -> list[Any]:
        """What is told of each job."""
        refused = Trial(Verdict("T1", "refused", "'assert False' does not hold"))
        return [Holding((), Visible(2)) if job.name.endswith("holds") else refused for job in jobs]


def test_a_refusal_that_goes_further_than_declared_is_told(tally: CodeEnvironment) -> None:
    made = qualify([tally.tasks["instance-1"]], Canned(1))
    assert "tally: reference is refused by T1, and must not be: 'assert False' does not hold" in made.problems


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('("T1",)', '("T9",)', "tally/instance-1 asks for 'T9'; the grader has T1, T2."),
        ('fails=("T2",)', "fails=()", "Witness two-transactions of tally must fail an invariant or break a"),
        ('Witness("two-', 'Witness("too-', "Witness too-transactions of tally has no folder in witnesses/"),
        ("env =", "other =", "environment.py must export `env`, a CodeEnvironment."),
    ],
)
def test_what_is_declared_wrongly_is_one_sentence(
    folder: Path, old: str, new: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "environment.py"
    file.write_text(file.read_text().replace(old, new, 1))
    assert run(["prove", "tally"]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("prove tally --watch", "--watch proves worlds"),
        ("prove tally --open reference", "`paracosm run tally --play witness:NAME`"),
        ("prove tally --dates", "has no run clock and no seed"),
        ("prove tally/nope", "tally has no task 'nope'; its tasks are: instance-1, instance-2."),
        ("gradable tally", "'tally' is a code task, and has no world"),
    ],
)
def test_what_has_no_meaning_for_code_is_told(
    tally: CodeEnvironment, words: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words.split()) == 2
    assert says in capsys.readouterr().err
