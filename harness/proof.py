"""What a proof found: per task and per environment, with the counts that reports show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from harness.environment import Environment
from harness.task import Task

Outcome = Literal["refused", "harmless", "escaped"]


@dataclass(frozen=True)
class CheatOutcome:
    """Which guards refused a cheat, and whether those were exactly the ones named."""

    name: str
    expected: frozenset[str]
    refused: frozenset[str]
    held: bool


@dataclass(frozen=True)
class Generated:
    """A cheat that nobody wrote: a step left out or done twice, or a browser task done by program."""

    kind: Literal["dropped", "twice", "by API"]
    step: str
    outcome: Outcome
    refused: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What was done, in words."""
        said = {"dropped": f"step {self.step!r} left out", "twice": f"step {self.step!r} done twice"}
        return said.get(self.kind, "all of it done by a script")


@dataclass
class TaskProof:
    """What was found of one task. `only` are guards that were once the only one to refuse something.

    `loose` are columns that some guard looks at, each with the probes of it that pass all the same;
    `unguarded` are columns of written tables that none looks at.

    `unplayed`: it could not be played here, for want of a browser, or as it is declared.
    """

    task: Task
    problems: list[str] = field(default_factory=list)
    reference_held: bool = False
    variants_held: int = 0
    cheats: list[CheatOutcome] = field(default_factory=list)
    only: set[str] = field(default_factory=set)
    probes: int = 0
    loose: dict[str, list[str]] = field(default_factory=dict)
    unguarded: list[str] = field(default_factory=list)
    generated: list[Generated] = field(default_factory=list)
    quick: bool = False
    unplayed: bool = False

    @property
    def total(self) -> int:
        """References and named cheats: what is to be proved."""
        return 1 + len(self.task.cheats)

    @property
    def proved(self) -> int:
        """How many of them were."""
        return int(self.reference_held) + sum(cheat.held for cheat in self.cheats)

    @property
    def needless(self) -> list[str]:
        """The guards that never were the only one to refuse: nothing shows that they are needed."""
        return [] if self.quick else [name for name in self.task.guards if name not in self.only]

    @property
    def held(self) -> bool:
        """Whether the task's grader is proved."""
        return not self.problems and self.proved == self.total

    def outcomes(self, outcome: Outcome) -> int:
        """How many generated cheats came to this."""
        return sum(generated.outcome == outcome for generated in self.generated)


@dataclass
class EnvironmentProof:
    """What was found of an environment's tasks, at one date."""

    env: Environment
    tasks: list[TaskProof]
    day: date
    zone: str
    quick: bool = False

    @property
    def held(self) -> bool:
        """Whether every task's grader is proved."""
        return all(task.held for task in self.tasks)

    @property
    def problems(self) -> list[str]:
        """Every problem, a sentence each."""
        return [problem for task in self.tasks for problem in task.problems]


LEGEND = (
    "N/N counts references, which must pass, and named cheats, each to be refused by exactly its guards; "
    "a probe breaks one fact of a reference's end.",
    "A generated cheat leaves a step out, does it twice, or has a script do a browser's work; it is harmless "
    "if it ends as the reference does.",
)
"""What the last line and the table above it count."""


def last_line(proofs: Sequence[EnvironmentProof], broken: Sequence[str] = ()) -> str:
    """`Graders proved 20/20 · 25/25 guards needed · 14 generated refused · 1 date`.

    Where something did not hold, or an environment is `broken`, it begins with `Not proved: 2 problems · `.
    """
    tasks = [task for proof in proofs for task in proof.tasks]
    parts = [f"Graders proved {sum(t.proved for t in tasks)}/{sum(t.total for t in tasks)}"]
    if broken or not all(proof.held for proof in proofs):
        problems = max(len(broken) + sum(len(proof.problems) for proof in proofs), 1)
        parts.insert(0, f"Not proved: {problems} problem{'s' * (problems > 1)}")
    if not all(task.quick for task in tasks) or not tasks:
        guards = sum(len(task.task.guards) for task in tasks)
        parts.append(f"{guards - sum(len(task.needless) for task in tasks)}/{guards} guards needed")
        parts.append(f"{sum(task.outcomes('refused') for task in tasks)} generated refused")
    escaped = sum(task.outcomes("escaped") for task in tasks)
    if escaped:
        parts.append(f"{escaped} ESCAPED")
    return " · ".join([*parts, "1 date"])
