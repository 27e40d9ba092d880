"""What a proof found: per task and per environment, with the counts that reports show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, Protocol

from harness.dates import BASE, Setting
from harness.environment import Environment
from harness.task import Task

Outcome = Literal["refused", "harmless", "escaped"]
Kind = Literal["dropped", "twice", "by API", "neighbour", "someone else", "stamp"]


WORDS: Mapping[Kind, str] = {
    "dropped": "with a step left out",
    "twice": "with a step done twice",
    "by API": "by a script",
    "neighbour": "by a neighbour",
    "someone else": "by someone else",
    "stamp": "by a stamp without the deed",
}
"""The kinds of generated cheats, in words."""

Level = Literal["sure", "likely", "note"]


@dataclass(frozen=True)
class Flaw:
    """Something that `lint` found in a task. The sentence names file and line, and the edit that helps.

    `sure` ones are wrong in any case and fail the proof; `likely` ones are worth a look, a `note` may be as
    it is.
    """

    sentence: str
    level: Level = "likely"


@dataclass(frozen=True)
class CheatOutcome:
    """Which guards refused a cheat, and whether those were exactly the ones named."""

    name: str
    expected: frozenset[str]
    refused: frozenset[str]
    held: bool


@dataclass(frozen=True)
class Generated:
    """A cheat that nobody wrote, and which guards refused it.

    `step` is the step that was left out or done twice or, for other kinds, what was done, in words. `error`:
    how its play broke off, if it did. `trouble`: why what guards said of it is not worth anything.
    """

    kind: Kind
    step: str
    outcome: Outcome
    refused: frozenset[str] = frozenset()
    error: str = ""
    trouble: str = ""

    @property
    def name(self) -> str:
        """What was done, in words."""
        said: dict[str, str] = {
            "dropped": f"step {self.step!r} left out",
            "twice": f"step {self.step!r} done twice",
            "by API": "all of it done by a script",
        }
        return said.get(self.kind, self.step)


@dataclass
class TaskProof:
    """What was found of one task. `only` are guards that were once the only one to refuse something.

    `loose` are columns that some guard looks at, each with the probes of it that pass all the same;
    `unguarded` are columns of written tables that none looks at.

    `not_applying` are the kinds of generated cheats that the task gives none of, and why; `attacks` counts
    hostile answers. `flaws` are what `lint` found. `unplayed`: it could not be played here, for want of a
    browser, or as it is declared.
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
    not_applying: dict[Kind, str] = field(default_factory=dict)
    attacks: int = 0
    flaws: list[Flaw] = field(default_factory=list)
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

    @property
    def warnings(self) -> list[str]:
        """What is probably wrong with the task, a sentence each that says how to put it right."""
        return [flaw.sentence for flaw in self.flaws if flaw.level == "likely"]

    @property
    def notes(self) -> list[str]:
        """What may be as it is, and is better known."""
        said = [flaw.sentence for flaw in self.flaws if flaw.level == "note"]
        whys: dict[str, list[str]] = {}
        for kind, why in self.not_applying.items():
            whys.setdefault(why, []).append(WORDS[kind])
        said += [
            f"{self.task.name}: no generated cheat {' or '.join(k)}, since {w}." for w, k in whys.items()
        ]
        return said


@dataclass
class EnvironmentProof:
    """What was found of an environment's tasks, on one date or, as `settings` say, on several.

    `settings` are the dates and instances that were proved, each with whether everything held there.
    `attacks` counts those of adversaries that act; `broken_into` tells of those that got somewhere.
    """

    env: Environment
    tasks: list[TaskProof]
    day: date
    zone: str
    quick: bool = False
    flaws: list[Flaw] = field(default_factory=list)
    settings: Mapping[Setting, bool] = field(default_factory=dict)
    attacks: int = 0
    broken_into: list[str] = field(default_factory=list)

    @property
    def dates(self) -> set[tuple[date, str]]:
        """The dates, with their zones."""
        played = {(each.day, each.zone) for each in self.settings if each.seed == BASE.seed}
        return played or {(self.day, self.zone)}

    @property
    def instances(self) -> int:
        """How many instances were proved beside the one that is always played."""
        return len({each.seed for each in self.settings} - {BASE.seed})

    @property
    def notes(self) -> list[str]:
        """What is better known of the environment as a whole."""
        return [flaw.sentence for flaw in self.flaws]

    @property
    def all_attacks(self) -> int:
        """How often adversaries tried, hostile answers included."""
        return self.attacks + sum(task.attacks for task in self.tasks)

    @property
    def held(self) -> bool:
        """Whether every task's grader is proved, and no adversary got anywhere."""
        return all(task.held for task in self.tasks) and not self.broken_into

    @property
    def problems(self) -> list[str]:
        """Every problem, a sentence each."""
        return [*(problem for task in self.tasks for problem in task.problems), *self.broken_into]


LEGEND = (
    "N/N counts references, which must pass, and named cheats, each to be refused by exactly its guards; "
    "a probe breaks one fact of a reference's end.",
    "A generated cheat leaves a step out, does it twice, has a script do a browser's work, takes a fact for "
    "its neighbour, puts somebody else in an actor's place, or stamps what was not done; it is harmless if "
    "it ends as the reference does.",
)
"""What the last line and the table above it count."""


class Counted(Protocol):
    """What was proved of graders that have no world: how many of how many, and what did not hold."""

    @property
    def proved(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def problems(self) -> Sequence[str]: ...


def last_line(
    proofs: Sequence[EnvironmentProof], broken: Sequence[str] = (), besides: Sequence[Counted] = ()
) -> str:
    """`Graders proved 20/20 · 25/25 guards needed · 14 generated refused · 1 date`.

    References and cheats are counted once, however many dates and instances they were played on.
    Where something did not hold, or an environment is `broken`, it begins with `Not proved: 2 problems · `.
    """
    tasks = [task for proof in proofs for task in proof.tasks]
    parts = [f"Graders proved {_sum('proved', tasks, besides)}/{_sum('total', tasks, besides)}"]
    if broken or not all(proof.held for proof in proofs) or any(each.problems for each in besides):
        problems = len(broken) + sum(len(proof.problems) for proof in proofs)
        problems = max(problems + sum(len(each.problems) for each in besides), 1)
        parts.insert(0, f"Not proved: {problems} problem{'s' * (problems > 1)}")
    if besides and not proofs:
        return " · ".join(parts)
    if not all(task.quick for task in tasks) or not tasks:
        guards = sum(len(task.task.guards) for task in tasks)
        parts.append(f"{guards - sum(len(task.needless) for task in tasks)}/{guards} guards needed")
        parts.append(f"{sum(task.outcomes('refused') for task in tasks)} generated refused")
    escaped = sum(task.outcomes("escaped") for task in tasks)
    if escaped:
        parts.append(f"{escaped} ESCAPED")
    dates = max(len(set().union(*(proof.dates for proof in proofs))), 1)
    parts.append(f"{dates} date{'s' * (dates > 1)}")
    if instances := max((proof.instances for proof in proofs), default=0):
        parts.append(f"{instances} instance{'s' * (instances > 1)}")
    return " · ".join(parts)


def _sum(name: str, tasks: Sequence[TaskProof], besides: Sequence[Counted]) -> int:
    return sum(int(getattr(each, name)) for each in (*tasks, *besides))
