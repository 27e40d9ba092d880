"""`paracosm grade`: the verdict on a bundle of evidence, or on all of the archive, given again from rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.dial import DATA, DATA_VARIABLE
from harness.cli.words import DONE, FAILED, WrongUse

if TYPE_CHECKING:
    from harness.archive.regrading import Moved, Regraded
    from harness.code.declaring import CodeTask
    from harness.grade import Grade, Verdict
    from harness.task import Task

EXAMPLE = """Examples:

paracosm grade run.zip --guard right-claimant

paracosm grade --all --run 7-codex
"""


def grade(
    bundle: Annotated[Path | None, typer.Argument(metavar="BUNDLE", help="A file that `run` made.")] = None,
    guard: Annotated[str | None, typer.Option(metavar="NAME", help="Show this guard alone.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Grade what the archive has of tasks that changed since.")
    ] = False,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="With --all: this run alone.")] = None,
    again: Annotated[bool, typer.Option("--again", help="With --all: what did not change, too.")] = False,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="N", help="With --all: in how many processes.")
    ] = None,
    data: Annotated[Path, typer.Option(envvar=DATA_VARIABLE, help="The folder with the archive.")] = DATA,
) -> None:
    """Grade a bundle again, offline: each guard's verdict with its sentence. Or with --all what the archive
    has, after a grader was changed, and show what moved; scores stay as they were first given.
    """
    if everything == (bundle is not None):
        raise WrongUse("Say what to grade: a BUNDLE, or --all of the archive.")
    if everything:
        if guard is not None:
            raise WrongUse("--guard shows a guard of one bundle: leave out --all.")
        raise typer.Exit(_grade_all(data, run, jobs, again=again))
    if run is not None or again or jobs is not None:
        raise WrongUse("--run, --again and --jobs go with --all.")
    assert bundle is not None
    raise typer.Exit(_tell(_again(bundle, guard), guard))


@dataclass(frozen=True)
class Again:
    """A bundle that was graded again. `verdicts` may have holds before those of the grade; `was` is its state
    when it was made, if it had one, `other` a sentence where its task is another now, and `aside` what else
    there is to say.
    """

    task: Task | CodeTask
    grade: Grade
    verdicts: Sequence[Verdict]
    error: str
    was: str | None
    other: str
    aside: str = ""


def _again(bundle: Path, guard: str | None) -> Again:
    """Grades a bundle, of a world or of code. Raises WrongUse, also for a guard that its task has not."""
    from harness.app import BrokenScenario
    from harness.bundle import BundleError
    from harness.cli.grading_code import grade_code, is_code
    from harness.discovery import UnknownTarget
    from harness.evidence import EvidenceError

    try:
        return grade_code(bundle, guard) if is_code(bundle) else _in_a_world(bundle, guard)
    except (BundleError, EvidenceError, UnknownTarget, BrokenScenario) as error:
        raise WrongUse(error.args[0]) from None


def _in_a_world(bundle: Path, guard: str | None) -> Again:
    from harness.app import discover_services
    from harness.bundle import Bundle
    from harness.discovery import find_task
    from harness.grade import grade as give

    opened = Bundle.at(bundle)
    task = find_task(opened.task_name)
    known = [*task.guards, *task.standing]
    if guard is not None and guard not in known:
        raise WrongUse(f"{task.name} has no guard {guard!r}; it has {', '.join(known)}.")
    evidence = opened.evidence(task, discover_services())
    graded = give(evidence, task, discover_services())
    was, other = opened.manifest.get("state"), opened.other_revision(task)
    return Again(task, graded, graded.verdicts, evidence.error, was, other)


def _tell(again: Again, guard: str | None) -> int:
    """Shows what was found, or one guard of it; returns the exit code."""
    from harness.cli import show

    graded = again.grade
    chosen = [verdict for verdict in again.verdicts if guard in (None, verdict.guard)]
    console, remarks = show.console(), show.console(stderr=True)
    console.print(show.verdict_table(again.task, chosen))
    if again.other:
        show.line(remarks, again.other)
    if again.was not in (None, graded.state):
        show.line(remarks, f"The verdict was {again.was!r} when the bundle was made.")
    if again.aside:
        show.line(console, again.aside)
    show.line(console, show.outcome(graded, again.error))
    passed = graded.passed if guard is None else all(verdict.state == "passed" for verdict in chosen)
    return DONE if passed else FAILED


def _grade_all(data: Path, run: str | None, jobs: int | None, *, again: bool) -> int:
    from harness.archive.keeping import Keeping
    from harness.archive.places import archive_in
    from harness.archive.regrading import regrade
    from harness.archive.store import Archive
    from harness.cli import show
    from harness.cli.attempts import find_run, telling
    from harness.cli.live import Live
    from harness.parallel import Crew, cores

    if jobs is not None and jobs < 1:
        raise WrongUse(f"--jobs takes a number, 1 or more, not {jobs}.")
    if not archive_in(data).is_file():
        raise WrongUse(f"There is no archive in {data}; say --data.")
    console = show.console()
    with telling(data), Keeping(data) as kept:
        records = kept.do(Archive.records)
        rollouts = records.rollouts if run is None else records.of_run(find_run(records.runs, run).id)
        with Live(console, lambda came: "graded") as live, Crew(jobs or cores(), live) as crew:
            found = regrade(kept, rollouts, crew, again=again)
    for moved in found.moved:
        show.line(console, said_of(moved))
    for sentence in found.told:
        show.line(console, f"! {sentence}")
    show.line(console, counts(found), "bold")
    return FAILED if found.told else DONE


def said_of(moved: Moved) -> str:
    """What moved, in a line: `12 of 2-petite, …: failed → passed (right-claimant refused → passed)`."""
    from harness.archive.regrading import name_of

    guards = ", ".join(f"{guard} {was} → {now}" for guard, was, now in moved.guards)
    before, after = moved.before.state, moved.after.state
    states = f"{before} → {after}" if before != after else f"{after}, as before"
    return f"{name_of(moved.rollout)}: {states}" + (f" ({guards})" if guards else "")


def counts(found: Regraded) -> str:
    """`20 graded · 2 moved · 31 of unchanged tasks · 4 without a bundle · 1 can't be graded`."""
    parts = [f"{found.graded} graded", f"{len(found.moved)} moved"]
    parts += [f"{found.same} of unchanged tasks"] * bool(found.same)
    parts += [f"{found.without} without a bundle"] * bool(found.without)
    parts += [f"{len(found.told)} can't be graded"] * bool(found.told)
    return " · ".join(parts)
