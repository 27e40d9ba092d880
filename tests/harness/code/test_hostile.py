"""Solutions that attack what tries them: a refusal each, never an error of the grader; nothing is left."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from harness.code.attempt import CodeAttempt, code_rollout
from harness.code.declaring import CodeEnvironment
from harness.code.discovery import load_code_environment
from harness.code.grading import try_invariant
from harness.code.solutions import REFERENCE, build

IN_DRIVER = """
import os, sys
if sys.argv[0].endswith("driver.py"):
    {}
"""


def nest(folder: Path, depth: int = 1010) -> None:
    """Folders in folders, deeper than Python recurses."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("import answering; answering._answers[0].write('[' * 200_000 + '\\n')", "this is no answer"),
        ("[os.unlink(f'../{n}') for n in os.listdir('..') if n.endswith('.err')]; os._exit(3)", "code 3"),
        ("open(sys.argv[0], 'a').write('#')", "the solution changed what tries it: driver.py"),
        ("import shutil; shutil.rmtree('..', ignore_errors=True)", ""),
    ],
    ids=["deep answer", "what it said is gone", "another driver", "all is gone"],
)  # fmt: skip
def test_whoever_attacks_the_bench_is_refused(
    tally: CodeEnvironment, solution: Path, body: str, says: str
) -> None:
    module = solution / "tally" / "counting.py"
    module.write_text(IN_DRIVER.format(body) + module.read_text())
    verdict = try_invariant(tally, solution, "T1").verdict
    assert (verdict.state, says in verdict.message) == ("refused", True), verdict


def test_values_that_nobody_can_read_are_the_solutions(folder: Path, tmp_path: Path) -> None:
    path = folder / "grader" / "invariants.py"
    reads = '    __import__("json").loads("[" * 20_000)\n    path ='
    path.write_text(path.read_text().replace("    path =", reads, 1))
    env = load_code_environment("tally")
    build(env, REFERENCE, tmp_path / "solution")
    verdict = try_invariant(env, tmp_path / "solution", "T1").verdict
    assert verdict.state == "refused" and "nested too deep" in verdict.message


@pytest.mark.parametrize("kind", ["deep folders", "a file for a folder", "a link for all of it"])
async def test_an_attempt_may_leave_its_workspace_as_it_likes(
    tally: CodeEnvironment, tmp_path: Path, kind: str
) -> None:
    seen: list[Path] = []

    async def drive(attempt: CodeAttempt) -> None:
        root = attempt.workspace.parent
        seen.append(root)
        if kind == "deep folders":
            nest(attempt.workspace)
            return
        shutil.rmtree(root if kind.startswith("a link") else attempt.workspace / "tally")
        if kind.startswith("a link"):
            root.symlink_to(tmp_path)
        else:
            (attempt.workspace / "tally").write_text("")

    made = await code_rollout(tally.tasks["instance-1"], drive, rail="command")
    assert made.grade.state == ("failed" if kind == "deep folders" else "void")
    assert tmp_path.is_dir() and not os.path.lexists(seen[0])


async def test_what_was_handed_out_can_not_be_changed_afterwards(tally: CodeEnvironment) -> None:
    async def drive(attempt: CodeAttempt) -> None:
        for folder in attempt.workspace.parent.iterdir():
            (folder / "tally" / "store.py").write_text("")

    made = await code_rollout(tally.tasks["instance-1"], drive, rail="command")
    assert made.grade.state == "void"  # as it was left, it opens nothing
