"""Qualification: what a grader must say of solutions whose worth is known.

The start fails every invariant and breaks no hold, the reference passes everything, and each witness fails
exactly what it declares. Only then may an agent's solution be graded by it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.code import locks
from harness.code.declaring import CodeEnvironment, CodeTask
from harness.code.grading import Holding, Trial, holding_of, jobs, trial_of
from harness.code.solutions import REFERENCE, START, build, solution_names
from harness.grade import Verdict
from harness.parallel import Crew, Job, Lost


@dataclass(frozen=True)
class Found:
    """What was found of one solution: its holds, and each invariant that was tried on it."""

    solution: str
    holding: Holding
    trials: Mapping[str, Trial]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Holds that do not hold or could not say, and the invariants."""
        return (
            *self.holding.broken,
            *self.holding.errors,
            *(trial.verdict for trial in self.trials.values()),
        )

    @property
    def failed(self) -> tuple[str, ...]:
        """The invariants that it fails, in order."""
        return tuple(name for name, trial in self.trials.items() if trial.verdict.state == "refused")


@dataclass
class Qualification:
    """Whether an environment's grader is qualified for the instances that were asked for."""

    env: CodeEnvironment
    tasks: Sequence[CodeTask]
    found: Sequence[Found]
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def qualified(self) -> bool:
        """Whether all was as it must be."""
        return not self.problems

    @property
    def crash_points(self) -> int:
        """How many crashes the reference went through: how many there are."""
        ours = [found for found in self.found if found.solution == REFERENCE]
        return sum(trial.crash_points for found in ours for trial in found.trials.values())

    @property
    def total(self) -> int:
        """How many are to be told apart: the reference once an instance, and each witness."""
        return len(self.tasks) + sum(1 for _ in self._witnesses())

    @property
    def proved(self) -> int:
        """How many of them were."""
        held = sum(not _wrong(found, self.tasks) for found in self._witnesses())
        return held + sum(self._passes(task) for task in self.tasks)

    def _witnesses(self) -> Iterator[Found]:
        return (found for found in self.found if found.solution not in (START, REFERENCE))

    def _passes(self, task: CodeTask) -> bool:
        [reference] = [found for found in self.found if found.solution == REFERENCE]
        return not _wrong(reference, [task])

    def line(self) -> str:
        """`relay: QUALIFIED · instance-1, instance-2 · 12 solutions · 84 crash points`."""
        parts = [
            f"{self.env.slug}: {'' if self.qualified else 'NOT '}QUALIFIED",
            ", ".join(task.slug for task in self.tasks),
            f"{len(self.found)} solutions",
            f"{self.crash_points} crash points",
        ]
        return " · ".join(parts)


def expected(env: CodeEnvironment, solution: str, invariants: Sequence[str]) -> tuple[str, ...]:
    """What a solution must fail: of these invariants, and the hold that it must break."""
    if solution in (START, REFERENCE):
        return tuple(invariants) if solution == START else ()
    witness = env.witnesses[solution]
    broken = (witness.breaks,) if witness.breaks else ()
    return (*broken, *(name for name in invariants if name in witness.fails))


def invariants_of(tasks: Sequence[CodeTask]) -> tuple[str, ...]:
    """All that some instances ask for, each once."""
    return tuple(dict.fromkeys(name for task in tasks for name in task.instance.invariants))


def qualify(tasks: Sequence[CodeTask], crew: Crew) -> Qualification:
    """Tries every solution of an environment on the invariants of some of its instances.

    A verdict is of invariant and solution alone, so what several instances ask for is tried once. Raises
    JobFailed and NoProcesses.
    """
    env, began = tasks[0].env, time.monotonic()
    asked = invariants_of(tasks)
    with tempfile.TemporaryDirectory(prefix="paracosm-solutions-") as root:
        planned = {name: _planned(env, name, Path(root, name), asked) for name in _chosen(env, asked)}
        came = iter(crew.run([job for each in planned.values() for job in each]))
        found = [_found(name, each, asked, came) for name, each in planned.items()]
    made = Qualification(env, tasks, found, time.monotonic() - began)
    made.problems += [*_problems(made), *filter(None, map(locks.complaint, tasks))]
    return made


def _chosen(env: CodeEnvironment, asked: Sequence[str]) -> list[str]:
    """The solutions that say something about these invariants."""
    wrong = env.witnesses.values()
    said = {each.slug for each in wrong if each.breaks or set(asked) & set(each.fails)}
    return [name for name in solution_names(env) if name in {START, REFERENCE} | said]


def _planned(env: CodeEnvironment, solution: str, workspace: Path, asked: Sequence[str]) -> list[Job]:
    """Its jobs; a solution that must break a hold is tried no further."""
    build(env, solution, workspace)
    void = solution in env.witnesses and env.witnesses[solution].breaks
    return jobs(env, f"{env.slug} · {solution}", workspace, () if void else asked)


def _found(solution: str, planned: Sequence[Job], asked: Sequence[str], came: Iterator[Any]) -> Found:
    holding = holding_of(next(came))
    names = asked[: len(planned) - 1]
    return Found(solution, holding, {name: trial_of(name, next(came)) for name in names})


def _problems(made: Qualification) -> Iterator[str]:
    for found in made.found:
        for wrong in _wrong(found, made.tasks):
            yield f"{made.env.slug}: {found.solution} {wrong}"


def _wrong(found: Found, tasks: Sequence[CodeTask]) -> list[str]:
    """What was found of a solution and must not be, or the other way round."""
    asked = invariants_of(tasks)
    must = expected(tasks[0].env, found.solution, asked)
    said = {verdict.guard: verdict for verdict in found.verdicts}
    refused = {name for name, verdict in said.items() if verdict.state == "refused"}
    holds = {verdict.guard for verdict in found.holding.verdicts}
    return [
        *(f"could not be judged by {v.guard}: {v.message}" for v in said.values() if v.state == "error"),
        *(f"is not refused by {name}, and must be." for name in must if name not in refused),
        *(
            f"is refused by {name}, and must not be: {said[name].message}"
            for name in sorted(refused & {*asked, *holds})
            if name not in must
        ),
    ]


def outcome(came: Any) -> str:
    """What came of one of these jobs, in a word or two."""
    if isinstance(came, Lost):
        return came.how
    if isinstance(came, Trial):
        return came.verdict.state
    return "hold" if isinstance(came, Holding) and came.kept else "a hold is broken"
