"""Grading the bundle of a code task again: its files in a fresh workspace, then the grader as it is now."""

from __future__ import annotations

from typing import get_args

from harness.bundle import BundleError
from harness.code.bundle import CodeBundle
from harness.code.declaring import CodeTask
from harness.code.discovery import find_code_tasks
from harness.code.grading import CodeReport, grade_solution
from harness.evidence import Ended
from harness.folders import fresh_folder
from harness.grade import Grade
from harness.parallel import Crew


def regrade(content: bytes, crew: Crew | None = None) -> Grade:
    """The grade of a bundle. Raises BundleError, UnknownTarget and BrokenScenario."""
    opened = CodeBundle(content)
    return regraded(opened, task_of(opened), crew).grade


def task_of(opened: CodeBundle) -> CodeTask:
    """The task that a bundle is of. Raises UnknownTarget and BrokenScenario."""
    [task] = find_code_tasks(opened.task_name)
    return task


def regraded(opened: CodeBundle, task: CodeTask, crew: Crew | None = None) -> CodeReport:
    """As `regrade`, with all that the grade rests on."""
    ended = opened.manifest["ended"]
    if ended not in get_args(Ended):
        raise BundleError(f"This bundle says that its attempt ended as {ended!r}, which none does.")
    with fresh_folder("paracosm-graded-") as root:
        workspace = root / "solution"
        opened.unpack(task, workspace)
        return grade_solution(task, workspace, ended=ended, crew=crew)
