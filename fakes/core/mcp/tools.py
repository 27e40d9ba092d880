"""What a service's tools are: a name, a form of arguments and a plain function each.

A tool is one more surface of a store's verbs: it reads its arguments, calls one verb, says what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import pydantic
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from starlette.requests import Request

    from fakes.core.people import Person
    from fakes.core.world import World

A = TypeVar("A", bound="Arguments")


class ToolRefused(Exception):
    """What is asked of a tool can't be done; the sentence tells whoever called it why."""


class Arguments(pydantic.BaseModel):
    """The arguments of a tool, in camelCase on the wire; one that it has not is refused, never ignored."""

    model_config = pydantic.ConfigDict(extra="forbid", alias_generator=to_camel)


class Nothing(Arguments):
    """No arguments."""


@dataclass(frozen=True)
class ToolCall:
    """Who calls a tool, where: `person` owns the token that it came with."""

    request: Request
    world: World
    person: Person


@dataclass(frozen=True)
class Said:
    """What came of a call: a text to read, and the same for programs."""

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """A tool. `reads`: it writes nothing; `destroys`: what it takes away does not come back; `repeats`: done
    twice, it is as done once; `reaches`: it may reach people outside. All four are what clients are told as
    hints, and plays go by `reads`.
    """

    name: str
    title: str
    says: str
    form: type[Arguments]
    call: Callable[[ToolCall, Any], Said]
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    reaches: bool = False

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments."""
        schema: dict[str, Any] = _untitled(self.form.model_json_schema())
        schema.pop("description", None)
        return {"properties": {}, **schema}

    @property
    def hints(self) -> dict[str, bool]:
        """Its annotations, as the protocol names them."""
        return {
            "readOnlyHint": self.reads,
            "destructiveHint": self.destroys,
            "idempotentHint": self.reads or self.repeats,
            "openWorldHint": self.reaches,
        }

    def use(self, call: ToolCall, given: Mapping[str, Any]) -> Said:
        """Does what is asked. Raises ToolRefused for arguments that are not as they must be."""
        try:
            asked = self.form.model_validate(dict(given))
        except pydantic.ValidationError as error:
            raise ToolRefused(f"{self.name} was not called as it must be: {complaint(error)}.") from None
        return self.call(call, asked)


def tool(
    name: str, title: str, says: str, form: type[A], call: Callable[[ToolCall, A], Said], **traits: bool
) -> Tool:
    """A tool whose function takes what its form holds; `traits` are those of Tool."""
    return Tool(name, title, says, form, call, **traits)


class Tools:
    """A service's tools. `instructions` tell a model what they are for; `refusals` are the service's own
    errors, whose text is told as it is.
    """

    def __init__(
        self, instructions: str, tools: Iterable[Tool], *, refusals: tuple[type[Exception], ...] = ()
    ) -> None:
        self.instructions = instructions
        self.by_name = {each.name: each for each in tools}
        self._refusals = refusals

    def use(self, name: str, call: ToolCall, given: Mapping[str, Any]) -> Said:
        """Calls a tool. Raises ToolRefused for whatever can't be done."""
        found = self.by_name.get(name)
        if found is None:
            raise ToolRefused(f"There is no tool {name!r}; there are {', '.join(self.by_name)}.")
        try:
            return found.use(call, given)
        except self._refusals as error:
            raise ToolRefused(str(error)) from error


def complaint(error: pydantic.ValidationError) -> str:
    """What is wrong with arguments, in a line."""
    found = ((each["type"], ".".join(map(str, each["loc"])), each["msg"]) for each in error.errors())
    return "; ".join(_told(kind, place, said) for kind, place, said in found)


def _told(kind: str, place: str, said: str) -> str:
    if kind == "missing":
        return f"{place!r} is missing"
    if kind == "extra_forbidden":
        return f"it has no {place!r}"
    said = said.removeprefix("Value error, ")
    return f"{place!r}: {said}" if place else said


def _untitled(schema: Any) -> Any:
    """A schema without the titles that are only names said again."""
    if isinstance(schema, dict):
        kept = {key: value for key, value in schema.items() if key != "title" or not isinstance(value, str)}
        return {key: _untitled(value) for key, value in kept.items()}
    return [_untitled(each) for each in schema] if isinstance(schema, list) else schema
