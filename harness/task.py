"""A task: what an agent is told and may write, and the guards, plays and cheats that grade and prove it."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import pydantic

from fakes.core.people import Person
from fakes.core.requests import Surface
from fakes.core.store import Row
from harness.frames import shown
from harness.guards import (
    ANSWER_AS_ASKED,
    STANDING,
    Along,
    Cheat,
    Check,
    Guard,
    Play,
    PlayFunction,
    R,
    Subject,
    TaskError,
    kebab,
    parameters,
    sentence_of,
    snake,
)

if TYPE_CHECKING:
    from harness.environment import Environment


@dataclass(frozen=True)
class Role:
    """Who acts: the fact that holds the person, and where it signs in (None: at all the services)."""

    person: str
    services: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Hold:
    """A precondition: where it is broken, the attempt is void, whatever guards would say; that is no pass."""

    name: str
    sentence: str
    check: Check
    params: tuple[str, ...]


@dataclass(eq=False)
class Task:
    """One task of an environment; made by `env.task`, filled by its decorators."""

    env: Environment
    slug: str
    file: Path
    title: str
    surface: Surface
    route: str
    writes: frozenset[type[Row]]
    along: dict[str, Along]
    actors: dict[str, Role]
    inputs: dict[str, str]
    answer: type[Any] | None
    instruction: str
    line: int = 1
    neighbours: dict[str, str] = field(default_factory=dict)
    guards: dict[str, Guard] = field(default_factory=dict)
    cheats: dict[str, Cheat] = field(default_factory=dict)
    variants: dict[str, Play] = field(default_factory=dict)
    holds: list[Hold] = field(default_factory=list)
    the_reference: Play | None = None

    def __post_init__(self) -> None:
        if not self.writes:
            raise TaskError(
                f"{self.slug} writes nothing; a task is graded by what it leaves: writes={{Notice}}."
            )
        if self.answer is not None and not issubclass(self.answer, pydantic.BaseModel):
            raise TaskError(f"The answer of {self.slug} must be a pydantic model, not {self.answer!r}.")

    @property
    def name(self) -> str:
        """Environment and task as commands take them: claims_desk/record-the-determination."""
        return f"{self.env.slug}/{self.slug}"

    @property
    def subjects_by_argument(self) -> dict[str, Subject]:
        """The subjects by the name that guards ask for them by."""
        return {guard.argument: guard for guard in self.guards.values() if isinstance(guard, Subject)}

    @property
    def standing(self) -> dict[str, str]:
        """The standing guards of this task and their sentences."""
        return {n: s for n, s in STANDING.items() if n != ANSWER_AS_ASKED or self.answer is not None}

    @property
    def written_tables(self) -> frozenset[str]:
        """The names of the tables that the task writes."""
        return frozenset(row.__table__.name for row in self.writes)

    def text(self, facts: Any) -> str:
        """The instruction, with the values of the facts. Raises TaskError where one of them can't be had."""
        values = {name: getattr(facts, name) for name in facts.__dataclass_fields__}
        try:
            return self.instruction.format(facts=facts, **values)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            place = f"{shown(self.file)}:{self.line}"
            raise TaskError(f"{place}: the instruction can't be filled in: {error}.") from None

    def person(self, actor: str, facts: Any) -> Person:
        """The person whom an actor stands for. Raises TaskError."""
        person = operator.attrgetter(self.actors[actor].person)(facts)
        if not isinstance(person, Person):
            raise TaskError(
                f"Actor {actor!r} of {self.slug} must be a Person among the facts, not {person!r}."
            )
        return person

    # guards and subjects

    def subject(
        self,
        row: type[R],
        guard: str,
        where: Callable[[R, Any], bool],
        *,
        changed: tuple[str, ...] | None = None,
        name: str | None = None,
        says: str | None = None,
    ) -> Subject:
        """The one row that the task is about: new, or changed in a column of `changed`, and as `where` says.

        Its own guard, named `guard`, speaks when there is none or more than one; guards ask for the row by
        `name`.
        """
        return self._subject(
            row, guard, where, changed, name or snake(row.__name__), says, many=False, at_least=1
        )

    def subjects(
        self,
        row: type[R],
        guard: str,
        where: Callable[[R, Any], bool],
        *,
        at_least: int = 1,
        changed: tuple[str, ...] | None = None,
        name: str | None = None,
        says: str | None = None,
    ) -> Subject:
        """As `subject`, for a list of rows, `at_least` so many; the default name is the class's with an s."""
        return self._subject(
            row, guard, where, changed, name or f"{snake(row.__name__)}s", says, many=True, at_least=at_least
        )

    def _subject(
        self, row: type[R], guard: str, where: Callable[[R, Any], bool], changed: tuple[str, ...] | None,
        argument: str, says: str | None, *, many: bool, at_least: int,
    ) -> Subject:  # fmt: skip
        if argument in {"end", "facts", "answer", *self.subjects_by_argument}:
            raise TaskError(
                f"{self.slug} has an argument {argument!r} already; give the subject another name=."
            )
        if row not in self.writes:
            raise TaskError(
                f"{self.slug} does not say that it writes {row.__name__}, so no subject can be one."
            )
        for column in changed or ():
            if column not in row.__table__.columns:
                raise TaskError(
                    f"{row.__name__} has no column {column!r} for a subject of {self.slug} to change."
                )
        what = f"at least {at_least} rows" if many else "exactly one row"
        default = f"Of {row.__table__.name}, {what} of the kind that was asked for came of it."
        made = Subject(
            task=self,
            name=guard,
            sentence=says or default,
            check=_no_check,
            params=(),
            row=row,
            where=where,
            changed=changed,
            argument=argument,
            many=many,
            at_least=at_least,
        )
        self._keep(made)
        return made

    @overload
    def guard(self, check: Check, /) -> Guard: ...

    @overload
    def guard(self, /, *, owns: Iterable[type[Row]]) -> Callable[[Check], Guard]: ...

    def guard(
        self, check: Check | None = None, /, *, owns: Iterable[type[Row]] = ()
    ) -> Guard | Callable[[Check], Guard]:
        """Declares a guard: a function that asserts one statement, named and described by its name and
        docstring.

        It asks by name for `end`, `facts`, `answer` and subjects. New and removed rows of the tables it
        `owns` are its to refuse, not nothing-else-changed's.
        """
        tables = frozenset(row.__table__.name for row in owns)

        def declare(check: Check) -> Guard:
            params = parameters(check, self._arguments(), "Guard")
            made = Guard(self, kebab(check.__name__), sentence_of(check, "Guard"), check, params, tables)
            self._keep(made)
            return made

        return declare if check is None else declare(check)

    def hold(self, check: Check) -> Hold:
        """Declares a precondition; broken, it voids the attempt."""
        params = parameters(check, ("end", "facts"), "Hold")
        made = Hold(kebab(check.__name__), sentence_of(check, "Hold"), check, params)
        self.holds.append(made)
        return made

    def _arguments(self) -> list[str]:
        answer = ["answer"] if self.answer is not None else []
        return ["end", "facts", *answer, *self.subjects_by_argument]

    def _keep(self, guard: Guard) -> None:
        if guard.name in self.guards or guard.name in STANDING:
            raise TaskError(f"{self.slug} has a guard {guard.name!r} already; give this one another name.")
        self.guards[guard.name] = guard

    # plays

    def reference(self, function: PlayFunction) -> Play:
        """Declares the honest way through; exactly one a task. What it returns is the answer."""
        if self.the_reference is not None:
            raise TaskError(
                f"{self.slug} has a reference already ({self.the_reference.name}); make this one a variant."
            )
        self.the_reference = self.play(function, "Reference", needs_sentence=False)
        return self.the_reference

    def variant(self, function: PlayFunction) -> Play:
        """Declares another honest way, which must pass as well."""
        made = self.play(function, "Variant", needs_sentence=False)
        if made.name in self.variants:
            raise TaskError(f"{self.slug} has a variant {made.name!r} already; give this one another name.")
        self.variants[made.name] = made
        return made

    def play(self, function: PlayFunction, what: str, *, needs_sentence: bool) -> Play:
        """A play of this task: an async function of actors and facts. Raises TaskError."""
        if not inspect.iscoroutinefunction(function):
            raise TaskError(f"{what} {function.__name__!r} must be an async function.")
        params = parameters(function, [*self.actors, "facts"], what)
        needs_sentence = needs_sentence or bool(function.__doc__)
        sentence = sentence_of(function, what) if needs_sentence else ""
        return Play(kebab(function.__name__), sentence, function, params)

    def add_cheat(self, cheat: Cheat) -> None:
        """Keeps a cheat. Raises TaskError when there is one of that name."""
        if cheat.name in self.cheats:
            raise TaskError(f"{self.slug} has a cheat {cheat.name!r} already; give this one another name.")
        self.cheats[cheat.name] = cheat

    def check(self) -> None:
        """That the whole can be proved: a reference, guards, cheats that name guards there are.

        Raises TaskError.
        """
        if self.the_reference is None:
            raise TaskError(f"{self.slug} has no reference; declare one with @task.reference.")
        if not self.guards:
            raise TaskError(f"{self.slug} has no guards; declare some with task.subject and @task.guard.")
        for cheat in self.cheats.values():
            for name in cheat.also:
                if name not in self.guards and name not in self.standing:
                    raise TaskError(
                        f"Cheat {cheat.name!r} of {self.slug} names {name!r} in also=, no guard of it."
                    )
        for name in self.along:
            if (
                name in {s.table for s in self.subjects_by_argument.values()}
                and self.along[name].operation is None
            ):
                raise TaskError(
                    f"{self.slug} lets all of {name!r} come along, and it is a subject's table: say "
                    "operation=, columns= or where= in an Along(…)."
                )


def _no_check() -> None:
    """A subject's guard counts rows; it has no function of its own."""


__all__ = ["Hold", "Role", "Task"]
