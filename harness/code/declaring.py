"""What the author of a code task declares.

`scenarios/<name>/environment.py` exports `env`, a CodeEnvironment. Beside it stand `task/` (what an agent
gets), `grader/invariants.py` (invariants and holds, by decorator) with whatever programs it runs in a life,
`reference/` (laid over `task/`) and `witnesses/<witness>/` (laid over the reference).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from harness.environment import Finding, NotGradable
from harness.guards import TaskError, kebab, sentence_of

if TYPE_CHECKING:
    from harness.code.bench import Bench

Check = Callable[["Bench"], None]
LOCKED, TESTS, HOOK, STORE = (
    "locked-files-unchanged",
    "visible-tests-pass",
    "the-fault-hook-kills",
    "sqlite-only-through-the-store",
)
"""The holds that every code task has."""


@dataclass(frozen=True)
class Instance:
    """One contract: the invariants that it asks for, by name, and what it `adds` to PROMPT.md of the task.

    It is immutable: `locks.json` keeps the hash of its prompt, locked files and grader, and a change of any
    makes a new instance.
    """

    slug: str
    invariants: tuple[str, ...]
    adds: str = ""


@dataclass(frozen=True)
class Witness:
    """A wrong solution that takes one short cut, in `witnesses/<slug>/`, laid over the reference.

    `fails` are exactly the invariants that it fails, `breaks` the hold that it breaks, if it breaks one. An
    instance that asks for none of what it fails, does without it.
    """

    slug: str
    sentence: str
    fails: tuple[str, ...] = ()
    breaks: str | None = None


@dataclass(frozen=True)
class Invariant:
    """One statement about a solution, tried in real processes: true or not, with nothing in between.

    `name` is short, such as I1; `title` says it in a line, `sentence` what is done to try it.
    """

    name: str
    title: str
    sentence: str
    check: Check


@dataclass(frozen=True)
class Hold:
    """What must be so before anything is tried; where it is not, the attempt is void."""

    name: str
    sentence: str
    check: Check


def invariant(name: str, title: str) -> Callable[[Check], Invariant]:
    """Declares an invariant of grader/invariants.py: a function of a Bench that asserts; AssertionError fails
    the solution, anything else is the grader's own error.
    """

    def declare(check: Check) -> Invariant:
        return Invariant(name, title, sentence_of(check, "Invariant"), check)

    return declare


def hold(check: Check) -> Hold:
    """Declares a hold of grader/invariants.py beside those that every code task has."""
    return Hold(kebab(check.__name__), sentence_of(check, "Hold"), check)


@dataclass(frozen=True)
class CodeTask:
    """One instance of a code environment, as commands name it: relay/instance-2."""

    env: CodeEnvironment
    instance: Instance

    @property
    def slug(self) -> str:
        """The instance's."""
        return self.instance.slug

    @property
    def name(self) -> str:
        """Environment and instance: relay/instance-2."""
        return f"{self.env.slug}/{self.slug}"

    @property
    def instruction(self) -> str:
        """What an agent is told: PROMPT.md, and what the instance adds to it."""
        prompt = (self.env.folder / "task" / "PROMPT.md").read_text(encoding="utf-8").rstrip()
        return f"{prompt}\n\n{self.instance.adds}\n" if self.instance.adds else f"{prompt}\n"

    @property
    def witnesses(self) -> list[Witness]:
        """Those that say something about this instance."""
        asked = set(self.instance.invariants)
        return [each for each in self.env.witnesses.values() if each.breaks or asked & set(each.fails)]


class CodeEnvironment:
    """A small program to be reworked, its instances and its witnesses.

    `package` is the program's folder in `task/`, and `tests` that of its visible tests, which unittest runs.
    `locked` are globs in `task/` that a solution must leave as they are, `store` the one module that may open
    SQLite. `fault` is the variable by which the program's own fault hook is told where to die
    (`commit:K`, `write:K`), with exit code `fault_exit`.
    """

    def __init__(
        self,
        *,
        name: str,
        summary: str,
        package: str,
        instances: Sequence[Instance],
        witnesses: Sequence[Witness],
        store: str,
        fault: str,
        fault_exit: int,
        locked: Sequence[str],
        tests: str = "tests",
        not_gradable: Sequence[NotGradable] = (),
        findings: Sequence[Finding] = (),
    ) -> None:
        self.file = Path(sys._getframe(1).f_globals.get("__file__", "unnamed.py"))
        self.folder, self.slug = self.file.parent, self.file.parent.name
        self.name, self.summary, self.package, self.tests = name, summary, package, tests
        self.store, self.fault, self.fault_exit, self.locked = store, fault, fault_exit, tuple(locked)
        self.not_gradable, self.findings = tuple(not_gradable), tuple(findings)
        self.witnesses: Mapping[str, Witness] = _by_slug(witnesses, self.slug)
        self.tasks: Mapping[str, CodeTask] = {
            slug: CodeTask(self, instance) for slug, instance in _by_slug(instances, self.slug).items()
        }
        if not self.tasks:
            raise TaskError(f"{self.slug} has no instance; give it one: Instance('instance-1', …).")


T = TypeVar("T", Instance, Witness)


def _by_slug(given: Sequence[T], env: str) -> dict[str, T]:
    found: dict[str, T] = {}
    for each in given:
        if each.slug in found:
            raise TaskError(f"{env} has {each.slug!r} twice; give one of them another slug.")
        found[each.slug] = each
    return found
