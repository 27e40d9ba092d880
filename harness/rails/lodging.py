"""A workspace for a command in a world: the task's files, each actor's way in, and a letter that says so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from fakes.core import auth
from fakes.core.links import by_path
from fakes.core.mcp.routes import tools_path
from harness.attempt import Attempt
from harness.chromium import find_chromium
from harness.rails.actor import Actor, Place
from harness.rails.browser import origin
from harness.rails.environ import Entry, for_person, prefixed, storage_state, tool_servers, variable

LETTER, TOOLS = "TASK.md", "mcp.json"
ANSWER = "answer.json"


def move_in(attempt: Attempt, workspace: Path) -> tuple[dict[str, str], str]:
    """Puts a world task's files into a workspace; returns the variables of its actors and the letter."""
    several = len(attempt.actors) > 1
    variables = {"PARACOSM_TASK_TEXT": attempt.task.text(attempt.base.facts)}
    variables["PARACOSM_ACTORS"] = ",".join(attempt.actors)
    if attempt.task.answer is not None:
        variables["PARACOSM_ANSWER"] = str(workspace / ANSWER)
    for name, actor in attempt.actors.items():
        own = _ways_in(actor, workspace, f"{name}." if several else "")
        variables |= prefixed(name, own) if several else own
    for name in attempt.task.inputs:
        (workspace / name).write_bytes(next(iter(attempt.actors.values())).input(name))
    letter = _letter(attempt, workspace)
    (workspace / LETTER).write_text(letter, encoding="utf-8")
    return {**variables, **_chromium()}, letter


def _ways_in(actor: Actor, workspace: Path, prefix: str) -> dict[str, str]:
    """The variables of one actor; the cookies of its sessions go into a file, and so do servers of tools."""
    place, storage = actor.place, workspace / f"{prefix}storage.json"
    proxy = f"http://{place.lease.address}:{place.port}"
    base = f"{proxy}/w/{place.world.name}"
    entries = [_entry(place, proxy, name, token) for name, token in _services(actor).items()]
    found = {**for_person(actor.person.email, base, entries), "PARACOSM_PROXY": proxy}
    cookies = _cookies(actor)
    if cookies:
        storage.write_text(storage_state(cookies), encoding="utf-8")
        found["PARACOSM_STORAGE"] = str(storage)
    return {**found, **_tools(place, entries, workspace / f"{prefix}{TOOLS}")}


def _entry(place: Place, proxy: str, name: str, token: str | None) -> Entry:
    service, world = place.world.services[name], place.world.name
    tools = proxy + tools_path(service, world) if service.mcp is not None and token else None
    return Entry(name, proxy + by_path(service, world), token, origin(place, name), tools)


def _tools(place: Place, entries: Sequence[Entry], file: Path) -> dict[str, str]:
    """Where the tools of a task that is done by them are: an address, and a file of configuration."""
    if place.task.surface != "mcp":
        return {}
    file.write_text(tool_servers(entries), encoding="utf-8")
    own = next((entry.tools for entry in entries if entry.service == place.task.env.product), None)
    return {"PARACOSM_MCP_CONFIG": str(file), **({"PARACOSM_MCP_URL": own} if own else {})}


def _services(actor: Actor) -> dict[str, str | None]:
    """The services of the task, each with the actor's token, if it has an account there."""
    return {name: actor.tokens.get(name) for name in (*actor.place.task.env.services, *actor.tokens)}


def _cookies(actor: Actor) -> list[tuple[str, str, str]]:
    """Host, name and value of each session that the rail began, whichever rail it is."""
    sessions: Mapping[str, tuple[auth.Session, str]] = getattr(actor, "sessions", {})
    world = actor.place.world
    hosts = {name: f"{world.services[name].host_label}.{world.name}.localhost" for name in sessions}
    return [(hosts[n], auth.cookie_name(world, n), value) for n, (_, value) in sessions.items()]


def _chromium() -> dict[str, str]:
    """Where our Chromium is, since a command has another home and looks for its own there."""
    found = find_chromium()
    if found is None:
        return {}
    variables = {"PARACOSM_CHROMIUM": str(found)}
    if len(found.parents) > 2 and found.parents[2].name == "ms-playwright":
        variables["PLAYWRIGHT_BROWSERS_PATH"] = str(found.parents[2])
    return variables


def _letter(attempt: Attempt, workspace: Path) -> str:
    """The task, and how to get at it: what an agent is told."""
    parts = [attempt.task.text(attempt.base.facts), "## How you get in"]
    several = len(attempt.actors) > 1
    for name, actor in attempt.actors.items():
        parts.append(_introduced(actor, f"{variable(name)}_" if several else ""))
    parts.append(_SURFACES[attempt.task.surface])
    if attempt.task.inputs:
        parts.append(f"Files of the task are in {workspace}: {', '.join(attempt.task.inputs)}.")
    if attempt.task.answer is not None:
        schema = json.dumps(attempt.task.answer.model_json_schema())
        parts.append(f"Write your answer to {workspace / ANSWER}, as JSON of this schema:\n\n    {schema}")
    return "\n\n".join(parts) + "\n"


def _introduced(actor: Actor, prefix: str) -> str:
    place = actor.place
    who = f"You act as {actor.person.name} <{actor.person.email}>"
    lines = [f"{who}, whose variables begin with {prefix.rstrip('_')}:" if prefix else f"{who}:"]
    for name, token in _services(actor).items():
        service, base = place.world.services[name], prefix + variable(name)
        header = f"with the header `Authorization: Bearer ${base}_TOKEN`"
        way = header if token else "where you have no account"
        tools = f"; tools (MCP, by HTTP) at ${base}_MCP_URL" if service.mcp is not None and token else ""
        lines.append(
            f"- {service.title}: programs at ${base}_BASE_URL, {way}{tools}; pages at {origin(place, name)}/"
        )
    if place.task.surface == "mcp":
        lines.append(f"- The file ${prefix}PARACOSM_MCP_CONFIG names the servers of tools, with the token.")
    lines.append(
        f"- Browsers: a Chromium with the proxy ${prefix}PARACOSM_PROXY for localhost too "
        f"(`--proxy-bypass-list=<-loopback>`; Playwright does so by itself); the file "
        f"${prefix}PARACOSM_STORAGE is its signed-in state, for Playwright's `storage_state`. "
        "There is an executable at $PARACOSM_CHROMIUM."
    )
    return "\n".join(lines)


_SURFACES = {
    "api": "The task is to be done by API: what it asks for must be written with the token, not in pages.",
    "browser": "The task is to be done in a browser: what it asks for must be written by pages, not by API.",
    "mcp": "The task is to be done by tools: what it asks for must be written by them, not by API or pages.",
}
