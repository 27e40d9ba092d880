"""What `grade` does with the bundle of a code task: runs the hidden grader on it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.grade import Again
from harness.cli.words import Failed, WrongUse

if TYPE_CHECKING:
    from harness.code.bundle import CodeBundle
    from harness.code.declaring import CodeTask
    from harness.code.grading import CodeReport


def is_code(bundle: Path) -> bool:
    """Whether a file is the bundle of a code task; False for one that can't be read."""
    from harness.code.bundle import is_code_bundle

    try:
        return is_code_bundle(bundle.read_bytes())
    except OSError:
        return False


def grade_code(bundle: Path, guard: str | None) -> Again:
    """Runs holds and invariants on it; `guard` names an invariant, if one. Raises WrongUse, BundleError,
    UnknownTarget and BrokenScenario.
    """
    from harness.code.bundle import CodeBundle
    from harness.code.regrading import task_of

    opened = CodeBundle(bundle.read_bytes())
    task = task_of(opened)
    known = task.instance.invariants
    if guard is not None and guard not in known:
        raise WrongUse(f"{task.name} has no invariant {guard!r}; it has {', '.join(known)}.")
    report = _report(opened, task)
    was, visible = opened.manifest.get("state"), report.holding.visible
    return Again(
        task, report.grade, (*report.holding.verdicts, *report.grade.verdicts), opened.manifest["error"], was,
        opened.other_lock(task), f"visible tests {visible.passed}/{visible.of}, {visible.added} added",
    )  # fmt: skip


def _report(opened: CodeBundle, task: CodeTask) -> CodeReport:
    from harness.cli import qualifying, show
    from harness.cli.live import Live
    from harness.code.regrading import regraded
    from harness.parallel import Crew, JobFailed, NoProcesses, cores

    try:
        with Live(show.console(), qualifying.outcome) as live, Crew(cores(), live) as crew:
            return regraded(opened, task, crew)
    except (JobFailed, NoProcesses) as error:
        raise Failed(error.args[0]) from None
