"""What the book says of environments and tasks, in one form for worlds and for code tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from harness.environment import Finding, NotGradable


@dataclass(frozen=True)
class Statement:
    """One thing that is asked of an end: a guard, an invariant or a hold.

    `standing` ones are on every task. `later` says since which instance an invariant is asked for, where it
    was not from the first.
    """

    name: str
    sentence: str
    title: str = ""
    standing: bool = False
    later: str = ""


@dataclass(frozen=True)
class Wrong:
    """A cheat or a witness: what must refuse it. `at` is the guard that it is declared at, `also` are others,
    each with its why. `named` is false for the start of a code task, which nobody had to write."""

    name: str
    sentence: str
    at: tuple[str, ...]
    also: Mapping[str, str] = field(default_factory=dict)
    named: bool = True

    @property
    def refused_by(self) -> frozenset[str]:
        """Exactly those that must refuse it."""
        return frozenset({*self.at, *self.also})


@dataclass(frozen=True)
class Honest:
    """The reference or a variant: a play that must pass."""

    name: str
    sentence: str


@dataclass(frozen=True)
class TaskEntry:
    """A task. `told` is its instruction for the base world, `template` as it was declared.

    `facets` are further things that its page lists: (label, [(name, what of it)]). `adds` is what an
    instance of a code task adds to the contract.
    """

    environment: str
    slug: str
    title: str
    surface: str
    route: str
    template: str
    told: str
    writes: tuple[str, ...]
    guards: tuple[Statement, ...]
    wrongs: tuple[Wrong, ...]
    honest: tuple[Honest, ...]
    facets: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    held: bool | None = None
    revision: str = ""
    adds: str = ""

    @property
    def name(self) -> str:
        """Environment and task, as commands take them."""
        return f"{self.environment}/{self.slug}"

    @property
    def own(self) -> tuple[Statement, ...]:
        """The guards that were written for it."""
        return tuple(guard for guard in self.guards if not guard.standing)

    @property
    def columns(self) -> tuple[Statement, ...]:
        """The columns of its matrix: its own guards, and standing ones that must refuse something."""
        asked = frozenset().union(*(wrong.refused_by for wrong in self.wrongs))
        return tuple(guard for guard in self.guards if not guard.standing or guard.name in asked)


@dataclass(frozen=True)
class Proof:
    """How far an environment's graders are proved now. `proved` counts only for what is as it was proved.

    `state` says it in a word: "stale" is a proof of something that was changed since.
    """

    state: Literal["proved", "not held", "stale", "never"]
    total: int
    proved: int = 0
    date: str = ""
    dates: tuple[str, ...] = ()
    counts: tuple[tuple[str, str], ...] = ()

    @property
    def fresh(self) -> bool:
        """Whether it counts."""
        return self.state == "proved"


@dataclass(frozen=True)
class EnvironmentEntry:
    """An environment; `kind` says what its tasks work on. `broken` says why it can't be read, if it can't."""

    slug: str
    name: str
    kind: Literal["world", "code"]
    product: str = ""
    summary: str = ""
    tables: tuple[str, ...] = ()
    tasks: tuple[TaskEntry, ...] = ()
    proof: Proof = Proof("never", 0)
    not_gradable: Sequence[NotGradable] = ()
    findings: Sequence[Finding] = ()
    instances: tuple[tuple[str, str], ...] = ()
    broken: str = ""

    @property
    def guards(self) -> int:
        """How many guards or invariants were written for it."""
        if self.kind == "code":  # instances share them
            return len({guard.name for task in self.tasks for guard in task.own})
        return sum(len(task.own) for task in self.tasks)

    @property
    def wrongs(self) -> int:
        """How many cheats or witnesses are named."""
        if self.kind == "code":
            return len({wrong.name for task in self.tasks for wrong in task.wrongs if wrong.named})
        return sum(len(task.wrongs) for task in self.tasks)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What was written for any of its tasks, each name once."""
        return tuple({guard.name: guard for task in self.tasks for guard in task.own}.values())

    @property
    def holds(self) -> tuple[Statement, ...]:
        """What stands on all of its tasks."""
        return tuple({g.name: g for task in self.tasks for g in task.guards if g.standing}.values())

    @property
    def all_wrongs(self) -> tuple[Wrong, ...]:
        """The wrong solutions of a code task, each with all that it fails in any instance."""
        found: dict[str, Wrong] = {}
        for wrong in (wrong for task in self.tasks for wrong in task.wrongs):
            before = found.get(wrong.name, wrong)
            found[wrong.name] = replace(wrong, at=tuple(dict.fromkeys((*before.at, *wrong.at))))
        return tuple(found.values())

    @property
    def invariant_names(self) -> frozenset[str]:
        """The names of what was written for any of its tasks."""
        return frozenset(guard.name for guard in self.statements)

    @property
    def gradable(self) -> bool:
        """Whether the graders of all its tasks hold, as they are now."""
        return self.proof.fresh and all(task.held for task in self.tasks)

    @property
    def open_findings(self) -> int:
        """How many findings are open."""
        return sum(finding.state == "open" for finding in self.findings)
