"""The tools of a task that is done by tools: those that the services serve, as the actors' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from fakes.core.mcp.tools import Tool as ServedTool
from harness.attempt import Attempt
from harness.rails.forge import PlayError
from harness.rails.mcp import McpActor
from harness.rails.model.tools import Tool, ToolFailed
from harness.rails.model.turns import Outcome


class ServedTools:
    """Tools by their own names; of several services that have some, by `service__tool`."""

    def __init__(self, attempt: Attempt) -> None:
        self._actors = {name: each for name, each in attempt.actors.items() if isinstance(each, McpActor)}
        first = next(iter(self._actors.values()))
        services = attempt.world.services
        self._sets = {
            name: made() for name in first.tokens if (made := services[name].mcp) is not None
        }

    def tools(self) -> Sequence[Tool]:
        """All of them; where several act, each asks for the `actor`."""
        several = len(self._sets) > 1
        return [
            self._tool(service, each, f"{service}__{each.name}" if several else each.name)
            for service, tools in self._sets.items() for each in tools.by_name.values()
        ]  # fmt: skip

    def _tool(self, service: str, served: ServedTool, name: str) -> Tool:
        async def call(arguments: Mapping[str, Any]) -> Outcome:
            asked = dict(arguments)
            actor = self._actor(asked.pop("actor", "") if self._is_crowd else "")
            try:
                told = await actor.toolset(service).call(served.name, may_be_refused=True, **asked)
            except (httpx.HTTPError, PlayError) as error:
                raise ToolFailed(f"The tool could not be called: {error}.") from None
            return Outcome(told.text, failed=told.refused)

        return Tool(name, served.says, self._schema(served.schema), call)

    def _schema(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self._is_crowd:
            return schema
        actor = {"type": "string", "enum": list(self._actors)}
        return {**schema, "properties": {"actor": actor, **schema["properties"]}}

    @property
    def _is_crowd(self) -> bool:
        return len(self._actors) > 1

    def _actor(self, name: str) -> McpActor:
        found = self._actors.get(name or next(iter(self._actors)))
        if found is None:
            raise ToolFailed(f"There is no actor {name!r}; there are {', '.join(self._actors)}.")
        return found
