"""Grading what the archive has once more, after a grader changed: gradings are added, scores stay.

A bundle that is gone or damaged, and a task that is no more, are told in a sentence, and nothing is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness import app
from harness.app import BrokenScenario
from harness.archive.keeping import Keeping
from harness.archive.places import bundle_at
from harness.archive.records import Grading, Rollout, State
from harness.bundle import Bundle, BundleError
from harness.discovery import UnknownTarget, find_task
from harness.evidence import EvidenceError
from harness.grade import Grade, Verdict, grade
from harness.parallel import Crew, Job, Lost, Shop
from harness.rollouts import code_tasks, in_code, revision_of

LIMIT = 900.0  # seconds that a grading may take: of a code task it runs what was written many times


@dataclass(frozen=True)
class Given:
    """What a grader says of a bundle now, for a revision of the task."""

    revision: str
    state: State
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class Moved:
    """A rollout that is graded otherwise than the last time, with the guards that say something else."""

    rollout: Rollout
    before: Grading
    after: Grading

    @property
    def guards(self) -> list[tuple[str, str, str]]:
        """Guard, what it said, what it says; "none" where there was no such guard, or is none now."""
        was = {verdict.guard: verdict.state for verdict in self.before.verdicts}
        now = {verdict.guard: verdict.state for verdict in self.after.verdicts}
        both = {guard: (was.get(guard, "none"), now.get(guard, "none")) for guard in {**was, **now}}
        return [(guard, *states) for guard, states in both.items() if states[0] != states[1]]


@dataclass
class Regraded:
    """What came of it: how many were graded, which of them moved, a sentence for each that could not be, how
    many have no other grader since, and how many were never kept, or have nothing to grade.
    """

    graded: int = 0
    moved: list[Moved] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    same: int = 0
    without: int = 0


def regrade(kept: Keeping, rollouts: Sequence[Rollout], crew: Crew, *, again: bool = False) -> Regraded:
    """Grades bundles of rollouts whose task has another revision since; with `again`, all of them.

    Raises ArchiveError and NoProcesses.
    """
    found = Regraded()
    wanted = list(_wanted(kept.data, rollouts, found, again=again))

    def done(place: int, came: Given | str | Lost) -> None:
        rollout = wanted[place]
        if not isinstance(came, Given):
            said = f"the process that graded it {came.how}" if isinstance(came, Lost) else came
            found.told.append(f"{name_of(rollout)}: {said}")
            return
        last = rollout.gradings[-1]
        added = kept.do(
            lambda archive: archive.add_grading(rollout.id, came.revision, came.state, came.verdicts)
        )
        found.graded += 1
        moved = Moved(rollout, last, added)
        if last.state != added.state or moved.guards:
            found.moved.append(moved)

    jobs = [_job(kept.data, rollout) for rollout in wanted]
    crew.run(jobs, done)
    return found


def _job(data: Path, rollout: Rollout) -> Job:
    path = data / (rollout.bundle or "")
    return Job(name_of(rollout), _grade, (rollout.task, path), LIMIT, may_break=True)


def name_of(rollout: Rollout) -> str:
    """A rollout as it is told: `12 of 2-petite, claims_desk/record-the-determination s1 n2`."""
    return f"{rollout.id} of {rollout.run}, {rollout.task} s{rollout.seed} n{rollout.number}"


def _wanted(data: Path, rollouts: Sequence[Rollout], found: Regraded, *, again: bool) -> Iterator[Rollout]:
    """Those to be graded; the others are counted or told."""
    now: dict[str, str | BaseException] = {}
    for rollout in rollouts:
        if not rollout.over or rollout.bundle is None or not rollout.gradings:
            found.without += rollout.over
            continue
        revision = now.setdefault(rollout.task, _revision(rollout.task))
        if isinstance(revision, BaseException):
            found.told.append(f"{name_of(rollout)}: {revision.args[0]}")
        elif not again and revision == rollout.gradings[-1].revision:
            found.same += 1
        elif trouble := _trouble(data, rollout.bundle):
            found.told.append(f"{name_of(rollout)}: {trouble}.")
        else:
            yield rollout


def _trouble(data: Path, bundle: str) -> str:
    """Why a bundle can't be opened, if so."""
    try:
        return "" if bundle_at(data, bundle).is_file() else f"its bundle {bundle} is gone"
    except ValueError as error:
        return str(error)


def _revision(name: str) -> str | BaseException:
    """A task's revision now, or why it can't be had."""
    try:
        if in_code(name):
            [code] = code_tasks(name)
            return revision_of(code)
        task = find_task(name)
        return task.env.revision(task)
    except (UnknownTarget, BrokenScenario) as error:
        return error


async def _grade(shop: Shop, name: str, path: Path) -> Given | str:
    shop.say(name, "graded")
    try:
        return _given_on_code(name, path) if in_code(name) else _given(name, path)
    except (BundleError, EvidenceError, UnknownTarget, BrokenScenario) as error:
        return str(error.args[0])
    except OSError as error:
        return f"its bundle can't be read: {error.strerror}."


def _given(name: str, path: Path) -> Given | str:
    opened, task = Bundle.at(path), find_task(name)
    if opened.task_name != name:
        return f"its bundle is of {opened.task_name}."
    services = app.discover_services()
    return _as_given(grade(opened.evidence(task, services), task, services), task.env.revision(task))


def _given_on_code(name: str, path: Path) -> Given | str:
    from harness.code.bundle import CodeBundle
    from harness.code.regrading import regraded

    opened, [task] = CodeBundle(path.read_bytes()), code_tasks(name)
    if opened.task_name != name:
        return f"its bundle is of {opened.task_name}."
    return _as_given(regraded(opened, task).grade, revision_of(task))


def _as_given(graded: Grade, revision: str) -> Given:
    return Given(revision, graded.state, graded.verdicts)  # type: ignore[arg-type]
