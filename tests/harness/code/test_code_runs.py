"""Code tasks in a run: kept in the archive as rollouts in worlds are, and graded again from there."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from harness.archive.store import read
from harness.cli import run
from harness.code.bundle import CodeBundle
from harness.code.declaring import CodeEnvironment
from harness.code.locks import lock_of


def test_rollouts_of_code_tasks_are_kept_and_graded_again(
    tally: CodeEnvironment,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(["run", "tally/instance-1", "--play", "reference", "-j", "1"]) == 0
    said = capsys.readouterr().out
    assert "A command counts once" in said and "passed (rail workspace, unconfined" in said
    assert not list(Path(tempfile.gettempdir()).glob("paracosm-attempt-*"))
    bundle = ".paracosm/runs/1-reference/tally-instance-1-s1-n1.zip"
    manifest = CodeBundle(Path(bundle).read_bytes()).manifest
    assert manifest["state"] == "passed" and manifest["visible_tests"] == {"passed": 2, "of": 2, "added": 0}
    assert run(["grade", bundle, "--guard", "T1"]) == 0
    said = capsys.readouterr().out
    assert "A command counts once" in said and "visible tests 2/2, 0 added\npassed\n" in said
    assert run(["grade", bundle, "--guard", "T9"]) == 2
    assert run(["run", "tally/instance-1", "--play", "witness:a-test-edited", "-j", "1"]) == 1
    assert "void: locked-files-unchanged: tests/" in capsys.readouterr().out
    assert run(["grade", "--all", "--again", "-j", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 graded · 0 moved"
    passed, void = read(Path(".paracosm/archive.db")).rollouts
    assert (passed.state, void.state) == ("passed", "void") and passed.task == "tally/instance-1"
    assert passed.revision == lock_of(tally.tasks["instance-1"]) and len(passed.gradings) == 2
    assert f".paracosm/{passed.bundle}" == bundle


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--play null --seed 2", "--seed is about worlds, and tally/instance-1 is a code task: leave"),
        ("--play null --instances 2", "--instances is about worlds, and tally/instance-1 is a code task"),
        ("--agent agents.py:agent", "tally/instance-1 is a code task, and a Python agent acts in worlds"),
        ("--rail browser --play null", "tally/instance-1 is a code task, and is worked on in files: leave"),
        ("--play witness:none", "tally/instance-1 has no witness 'none'; it has"),
    ],
)
def test_what_is_for_worlds_is_refused_in_a_sentence(
    tally: CodeEnvironment, arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "tally", *arguments.split()]) == 2
    said = capsys.readouterr().err
    assert said.startswith(sentence) and said.count("\n") == 1
    assert not Path(".paracosm/archive.db").exists()
