"""What a task's grader is made of: guards, the subjects they speak about, and the cheats that prove them.

Everything is declared with plain functions. A mistake in a declaration is a `TaskError` where it is made,
with a sentence that says what to do: a grader that cannot be read as meant must not get as far as a run.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from fakes.core.store import Row

if TYPE_CHECKING:
    from harness.evidence import End

NOTHING_ELSE_CHANGED = "nothing-else-changed"
BY_THE_NAMED_SURFACE = "by-the-named-surface"
ANSWER_AS_ASKED = "answer-as-asked"
STANDING: Mapping[str, str] = {
    NOTHING_ELSE_CHANGED: "Nothing changed beyond what the task is about and what it says comes along.",
    BY_THE_NAMED_SURFACE: "What the task writes was written through its surface, by its actors in person.",
    ANSWER_AS_ASKED: "The answer has the form that was asked for.",
}
"""The guards that every task has (the last one: every task with an answer), and their sentences."""

Check = Callable[..., None]
PlayFunction = Callable[..., Awaitable[Any]]
Also = Mapping["Guard | str", str]
R = TypeVar("R", bound=Row)


class TaskError(Exception):
    """A task, guard, subject or play that is declared wrongly; the sentence says how to declare it."""


def kebab(name: str) -> str:
    """`right_claimant` as it is shown: right-claimant."""
    return name.strip("_").replace("_", "-").lower()


def snake(class_name: str) -> str:
    """`FactRequest` as an argument name: fact_request."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


def sentence_of(function: Callable[..., Any], what: str) -> str:
    """The first paragraph of a docstring as one line. Raises TaskError when there is none."""
    text = inspect.getdoc(function)
    if not text:
        raise TaskError(
            f"{what} {function.__name__!r} needs a docstring: the sentence that reports show for it."
        )
    return " ".join(text.split("\n\n")[0].split())


def parameters(function: Callable[..., Any], allowed: Iterable[str], what: str) -> tuple[str, ...]:
    """The argument names of a function, all of which must be `allowed`. Raises TaskError."""
    names = tuple(inspect.signature(function).parameters)
    known = list(allowed)
    for name in names:
        if name not in known:
            raise TaskError(
                f"{what} {function.__name__!r} asks for {name!r}; it can have {', '.join(known)}."
            )
    return names


@dataclass(frozen=True, eq=False)
class Play:
    """A way through a task, written down: the reference, a variant, or what a cheat does."""

    name: str
    sentence: str
    function: PlayFunction
    params: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Cheat:
    """A wrong play, the guard that refuses it, and the other guards that do, each with its why."""

    play: Play
    guard: Guard
    also: Mapping[str, str]

    @property
    def name(self) -> str:
        """The cheat's name."""
        return self.play.name

    @property
    def expected(self) -> frozenset[str]:
        """The names of exactly those guards that must refuse it."""
        return frozenset({self.guard.name, *self.also})


class Declares(Protocol):
    """What a guard needs of the task that it belongs to."""

    def play(self, function: PlayFunction, what: str, *, needs_sentence: bool) -> Play:
        """A play of this task."""
        ...

    def add_cheat(self, cheat: Cheat) -> None:
        """Keeps a cheat."""
        ...


@dataclass(eq=False)
class Guard:
    """One named statement about stored state.

    `owns` are tables whose new and removed rows are its to refuse.
    """

    task: Declares
    name: str
    sentence: str
    check: Check
    params: tuple[str, ...]
    owns: frozenset[str] = frozenset()
    cheats: list[Cheat] = field(default_factory=list)

    @overload
    def cheat(self, function: PlayFunction, /) -> Cheat: ...

    @overload
    def cheat(self, /, *, also: Also) -> Callable[[PlayFunction], Cheat]: ...

    def cheat(
        self, function: PlayFunction | None = None, /, *, also: Also | None = None
    ) -> Cheat | Callable[[PlayFunction], Cheat]:
        """Declares a wrong play that this guard refuses, alone or with those in `also` (guard: why)."""

        def declare(function: PlayFunction) -> Cheat:
            play = self.task.play(function, "Cheat", needs_sentence=True)
            cheat = Cheat(play, self, {_name(guard): why for guard, why in (also or {}).items()})
            self.cheats.append(cheat)
            self.task.add_cheat(cheat)
            return cheat

        return declare if function is None else declare(function)


def _name(guard: Guard | str) -> str:
    return guard if isinstance(guard, str) else guard.name


@dataclass(eq=False)
class Subject(Guard):
    """The row, or rows, that a task is about, and the guard that says it is there.

    It is looked for among the rows that are new, or among those changed in one of the columns of `changed`.
    `argument` is the name by which guards ask for it.
    """

    row: type[Row] = Row
    where: Callable[[Any, Any], bool] = lambda row, facts: True
    changed: tuple[str, ...] | None = None
    argument: str = ""
    many: bool = False
    at_least: int = 1

    @property
    def table(self) -> str:
        """The table of its rows."""
        return self.row.__table__.name

    def find(self, end: End, facts: Any) -> list[Any]:
        """The rows that fit, as they are at the end."""
        if self.changed is None:
            return [row for row in end.new(self.row) if self.where(row, facts)]
        return [
            after for before, after in end.changed(self.row)
            if self.where(after, facts) and any(_differs(before, after, name) for name in self.changed)
        ]  # fmt: skip

    def found(self, rows: list[Any]) -> None:
        """Asserts that there are as many as there have to be."""
        kind = "changed" if self.changed is not None else "new"
        if self.many:
            assert len(rows) >= self.at_least, (
                f"{len(rows)} {kind} rows of {self.table} fit, not {self.at_least}"
            )
        else:
            assert len(rows) == 1, (
                f"{len(rows) or 'no'} {kind} row{'s' * (len(rows) > 1)} of {self.table} fit"
            )


def _differs(before: Row, after: Row, column: str) -> bool:
    return before.values()[column] != after.values()[column]


@dataclass(frozen=True)
class Along:
    """What honest work may change beside the subjects, and why.

    `operation` is "new", "changed" or "gone" (None: any), `columns` those that a changed row may differ in,
    `where` a predicate of (row, facts) on the row as it is, or was, if it is gone.
    """

    reason: str
    operation: str | None = None
    columns: tuple[str, ...] | None = None
    where: Callable[[Any, Any], bool] | None = None

    def __post_init__(self) -> None:
        if self.operation not in (None, "new", "changed", "gone"):
            raise TaskError(f"What comes along is new, changed or gone, not {self.operation!r}.")
