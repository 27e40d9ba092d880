"""Locks: an instance is what it was, or it is another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.code import locks
from harness.code.declaring import CodeEnvironment
from tests.harness.code.tally import INVARIANTS


@pytest.fixture
def kept(tally: CodeEnvironment) -> CodeEnvironment:
    """The environment with both its instances locked."""
    for task in tally.tasks.values():
        assert locks.keep(task)
    return tally


def complaints(env: CodeEnvironment) -> list[str]:
    return [task.slug for task in env.tasks.values() if locks.complaint(task)]


def test_a_lock_is_written_once(kept: CodeEnvironment) -> None:
    before = locks.path_of(kept).read_text()
    assert set(json.loads(before)) == {"instance-1", "instance-2"}
    (kept.folder / "task" / "PROMPT.md").write_text("Count otherwise.\n")
    assert not locks.keep(kept.tasks["instance-1"]) and locks.path_of(kept).read_text() == before
    assert "undo the change, or declare a new instance" in locks.complaint(kept.tasks["instance-1"])


@pytest.mark.parametrize("path", ["task/tally/faults.py", "task/tests/test_counting.py", "grader/driver.py"])
def test_what_is_locked_makes_another_instance(kept: CodeEnvironment, path: str) -> None:
    file = kept.folder / path
    file.write_text(file.read_text() + "\n# more\n")
    assert complaints(kept) == ["instance-1", "instance-2"]


@pytest.mark.parametrize("path", ["task/tally/counting.py", "reference/tally/counting.py"])
def test_the_rest_does_not(kept: CodeEnvironment, path: str) -> None:
    file = kept.folder / path
    file.write_text(file.read_text() + "\n# more\n")
    assert complaints(kept) == []


def test_an_invariant_counts_where_it_is_asked_for(kept: CodeEnvironment) -> None:
    (kept.folder / "grader" / "invariants.py").write_text(INVARIANTS.replace("entries == total", "total"))
    assert complaints(kept) == ["instance-2"]


def test_what_is_there_for_one_invariant_counts_with_it(kept: CodeEnvironment) -> None:
    grader: Path = kept.folder / "grader"
    text = INVARIANTS.replace("import apsw", "import apsw\n\nfrom scenarios.tally.grader import whole_ones")
    (grader / "invariants.py").write_text(text.replace("entries == total", "whole_ones.same(entries, total)"))
    (grader / "whole_ones.py").write_text("from scenarios.tally.grader import depths\n")
    (grader / "depths.py").write_text("")
    assert complaints(kept) == ["instance-2"]
