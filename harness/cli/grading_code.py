"""What `grade` does with the bundle of a code task: runs the hidden grader on it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.words import DONE, FAILED, Failed, WrongUse

if TYPE_CHECKING:
    from rich.table import Table

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


def grade_code(bundle: Path, guard: str | None) -> int:
    """Grades it and shows what holds and invariants say; `guard` shows that invariant alone. An exit code."""
    from harness.app import BrokenScenario
    from harness.bundle import BundleError
    from harness.cli import show
    from harness.code.bundle import CodeBundle
    from harness.code.regrading import task_of
    from harness.discovery import UnknownTarget

    try:
        opened = CodeBundle(bundle.read_bytes())
        task = task_of(opened)
        known = task.instance.invariants
        if guard is not None and guard not in known:
            raise WrongUse(f"{task.name} has no invariant {guard!r}; it has {', '.join(known)}.")
        report = _report(opened, task)
    except (BundleError, UnknownTarget, BrokenScenario) as error:
        raise WrongUse(error.args[0]) from None
    console, remarks = show.console(), show.console(stderr=True)
    console.print(_table(task, report, guard))
    if other := opened.other_lock(task):
        show.line(remarks, other)
    if opened.manifest.get("state") not in (None, report.grade.state):
        show.line(remarks, f"The verdict was {opened.manifest['state']!r} when the bundle was made.")
    show.line(console, _visible(report))
    show.line(console, show.outcome(report.grade, opened.manifest["error"]))
    chosen = [verdict for verdict in report.grade.verdicts if guard in (None, verdict.guard)]
    passed = report.grade.passed if guard is None else all(v.state == "passed" for v in chosen)
    return DONE if passed else FAILED


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


def _visible(report: CodeReport) -> str:
    visible = report.holding.visible
    return f"visible tests {visible.passed}/{visible.of}, {visible.added} added"


def _table(task: CodeTask, report: CodeReport, guard: str | None) -> Table:
    """A hold or an invariant a row, with its sentence and, if it refuses, why."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from harness.cli.show import MARKS
    from harness.code.grader import grader_of

    grader = grader_of(task.env)
    said = {**grader.hold_sentences, **{name: each.title for name, each in grader.invariants.items()}}
    table = Table(title=task.name, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("hold or invariant", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("what it states, and why it does not hold", overflow="fold")
    holds = () if guard else report.holding.verdicts
    for verdict in (*holds, *(v for v in report.grade.verdicts if guard in (None, v.guard))):
        text = said.get(verdict.guard, "") + (f"\n→ {verdict.message}" if verdict.message else "")
        mark = MARKS.get(verdict.state, verdict.state)
        table.add_row(verdict.guard, mark, text.replace("[", "\\["))
    return table
