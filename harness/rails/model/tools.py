"""Tools: what a model may do, each with the form of its arguments; what goes wrong is told to the model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import pydantic

from harness.rails.model.turns import Call, Outcome

MOST = 16_000  # letters of an outcome
F = TypeVar("F", bound="Form")


class ToolFailed(Exception):
    """What a model asks of a tool can't be done; the sentence tells it why."""


class Form(pydantic.BaseModel):
    """The arguments of a tool; what is not in the form is refused."""

    model_config = pydantic.ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Tool:
    """A tool by name: what it does, the JSON schema of its arguments, and what does it.

    `call` may raise whatever it likes; the loop goes on all the same.
    """

    name: str
    says: str
    schema: Mapping[str, Any]
    call: Callable[[Mapping[str, Any]], Awaitable[Outcome]]


class ToolSource(Protocol):
    """Where tools come from: the world's services, its browsers, a server of tools."""

    def tools(self) -> Sequence[Tool]:
        """What it offers, known once the attempt has begun."""
        ...


def tool(
    name: str, says: str, form: type[F], function: Callable[[F], Awaitable[Outcome]],
    choices: Mapping[str, Sequence[str]] | None = None,
) -> Tool:  # fmt: skip
    """A tool of ours. An argument in `choices` is one of those; of a single one it is not asked for."""

    async def call(arguments: Mapping[str, Any]) -> Outcome:
        try:
            given = form.model_validate(dict(arguments))
        except pydantic.ValidationError as error:
            raise ToolFailed(f"{name} was not called as it must be: {complaint(error)}.") from None
        return await function(given)

    return Tool(name, says, _schema(form, choices or {}), call)


def complaint(error: pydantic.ValidationError) -> str:
    """What is wrong with some values, in a line."""
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the value'}: {e['msg']}" for e in error.errors())


def _schema(form: type[Form], choices: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    schema = form.model_json_schema()
    for title in ("title", "description"):
        schema.pop(title, None)
    asked: dict[str, Any] = schema.setdefault("properties", {})
    for name, known in choices.items():
        if len(known) < 2:
            asked.pop(name, None)
        else:
            asked[name]["enum"] = list(known)
    for each in asked.values():
        each.pop("title", None)
    return schema


class Toolbox:
    """The tools of an attempt, from all their sources."""

    def __init__(self, sources: Iterable[ToolSource]) -> None:
        self.tools = [each for source in sources for each in source.tools()]
        self._by_name = {each.name: each for each in self.tools}

    async def use(self, call: Call) -> Outcome:
        """Does what a call asks for, or says why not: nothing is raised, however the call is made."""
        found = self._by_name.get(call.name)
        if found is None:
            return Outcome(f"There is no tool {call.name!r}; there are {', '.join(self._by_name)}.", True)
        if call.arguments is None:
            return Outcome(f"The arguments of {call.name} are no JSON object: {call.sent[:300]}", True)
        try:
            outcome = await found.call(call.arguments)
        except ToolFailed as error:
            return Outcome(bounded(str(error)), True)
        except Exception as error:  # a tool that breaks is an answer too, and never the end of the attempt
            return Outcome(bounded(f"{call.name} broke: {type(error).__name__}: {error}"), True)
        return Outcome(bounded(outcome.text), outcome.failed, outcome.image)


def bounded(text: str, most: int = MOST) -> str:
    """A text, cut where it gets too long for a model, and with nothing in it that no endpoint takes."""
    text = text.encode(errors="replace").decode()  # names of files may be no Unicode
    return text if len(text) <= most else f"{text[:most]}\n… ({len(text) - most:,} letters more are left out)"
