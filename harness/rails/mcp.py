"""The `mcp` rail: a program that calls the tools of services, over a client lease."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import orjson

from fakes.core.mcp.routes import tools_path
from harness.guards import TaskError
from harness.rails.actor import Actor, Place
from harness.rails.forge import PlayError

PROTOCOL = "2025-11-25"
"""The revision that plays speak; servers take older and newer ones too."""


@dataclass(frozen=True)
class Told:
    """What a tool answered: a text, the same as values, and whether it is a refusal."""

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    refused: bool = False

    def __getitem__(self, name: str) -> Any:
        """One of the values."""
        return self.facts[name]


class ToolClient:
    """One service's tools, called by program; `who` is named in errors."""

    def __init__(self, http: httpx.AsyncClient, url: str, token: str | None, who: str) -> None:
        self._http, self._url, self._who, self._calls = http, url, who, 0
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": PROTOCOL,
        }
        if token:
            self._headers["authorization"] = f"Bearer {token}"

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        """What it offers: `name`, `description`, `inputSchema`, `annotations` …"""
        answer: Sequence[Mapping[str, Any]] = (await self._ask("tools/list", {}))["tools"]
        return answer

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Told:
        """Calls a tool. Raises PlayError for what is no answer of a tool: no such tool, a failed server."""
        result = await self._ask("tools/call", {"name": tool, "arguments": dict(arguments)})
        text = "\n".join(each["text"] for each in result["content"] if each["type"] == "text")
        return Told(text, result.get("structuredContent") or {}, bool(result.get("isError")))

    async def _ask(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        self._calls += 1
        sent = {"jsonrpc": "2.0", "id": self._calls, "method": method, "params": params}
        answer = await self._http.post(self._url, content=orjson.dumps(sent), headers=self._headers)
        if answer.is_error:
            said = answer.text[:300].replace("\n", " ")
            raise PlayError(f"{self._who}: {method} was answered {answer.status_code}: {said}")
        told = answer.json()
        if "error" in told:
            raise PlayError(f"{self._who}: {method} was answered {told['error']['message']}")
        result: Mapping[str, Any] = told["result"]
        return result


class Toolset:
    """The tools of one service as an actor holds them."""

    def __init__(self, actor: Actor, service: str) -> None:
        place = actor.place
        found = place.world.services.get(service)
        if found is None or found.mcp is None:
            known = [each.name for each in place.world.services.values() if each.mcp is not None]
            raise PlayError(f"{service!r} has no tools; there are those of {', '.join(known) or 'nobody'}.")
        self._actor, self._known = actor, found.mcp()
        url = f"http://{place.lease.address}:{place.port}{tools_path(found, place.world.name)}"
        self._client = ToolClient(actor.http, url, actor.tokens.get(service), actor.name)

    async def tools(self) -> Sequence[Mapping[str, Any]]:
        """What the service offers."""
        return await self._client.tools()

    async def call(self, tool: str, /, *, may_be_refused: bool = False, **arguments: Any) -> Told:
        """Calls a tool: `await desk.call("send_email", to=[…], subject=…, body=…)`.

        Raises PlayError where the tool refuses, unless it may.
        """
        known = self._known.by_name.get(tool)
        if known is None or not known.reads:
            self._actor.place.steps.use()
        told = await self._client.call(tool, arguments)
        if told.refused and not may_be_refused:
            raise PlayError(f"{self._actor.name}: {tool} refused: {told.text[:300]}")
        return told


class McpActor(Actor):
    """A person whose work is done by tools: `tools` and `call` are those of the task's product."""

    lent = Actor.lent | {"tools", "call", "toolset"}

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        product = place.task.env.product
        if place.world.services[product].mcp is None:
            raise TaskError(f"{place.task.slug} is to be done by tools, and {product!r} has none.")
        toolset = Toolset(self, product)
        self.tools, self.call = toolset.tools, toolset.call

    def toolset(self, service: str) -> Toolset:
        """The tools of another service. Raises PlayError where it has none."""
        return Toolset(self, service)


class McpRail:
    """Plays by tools."""

    name = "mcp"
    medium: Literal["browser", "client"] = "client"

    async def enter(self, place: Place) -> Actor:
        """An actor with a token for each service. Raises TaskError where the product has no tools."""
        return McpActor(place)
