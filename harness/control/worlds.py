"""Worlds: seeding, resetting, forking, reading their log and their changes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.clock import MODES, wall_ms
from fakes.core.people import Person
from fakes.core.world import World
from harness.app import BASE_DATE, ZONE, Server, Start, morning_of, own_clock
from harness.control.answers import Routes, to_file, to_json, world_of
from harness.control.clock import reading
from harness.fields import Fields, number_in_query
from harness.instants import instant_of, zone_of


def _summary(world: World) -> dict[str, Any]:
    return {
        "name": world.name,
        "scenario": world.scenario,
        "seed": world.seed,
        "pristine_hash": world.pristine_hash,
        "people": world.count(Person),
        "requests": world.log.newest,
        "clock": reading(world),
    }


async def list_worlds(server: Server, request: Request) -> Any:
    """Every world, by name."""
    return {"worlds": [_summary(server.worlds.get(name)) for name in server.worlds.names()]}


async def show_world(server: Server, request: Request) -> Any:
    """One world."""
    return _summary(world_of(server, request))


async def create_world(server: Server, request: Request) -> Any:
    """Seeds a world: {name, scenario, seed, at, zone, mode, replace}; only the name is needed.

    `at` is an instant, a date (its 09:30) or "now"; without one the clock stands on the scenarios' own day. A
    saved seed starts where its own clock stands, unless an instant or a date is said.
    """
    fields = await Fields.read(request, "name", "scenario", "seed", "at", "zone", "mode", "replace")
    name, scenario, at = fields.text("name"), fields.text("scenario", "office"), fields.text("at", "")
    own = own_clock(scenario) if at in ("", "now") else None
    zone = zone_of(fields.text("zone", own[1] if own else ZONE))
    at_ms = own[0] if own else _first_instant(at, zone)
    start = Start(scenario=scenario, seed=fields.number("seed", 1), at_ms=at_ms, zone=zone.key)
    mode = fields.choice("mode", MODES, "frozen")
    server.base(start)  # a seed that fails must not cost the world that it was to replace
    if fields.flag("replace") and name in server.worlds.names():
        await server.remove_world(name)
    return to_json(_summary(server.create_world(name, start, mode)), 201)


def _first_instant(at: str, zone: ZoneInfo) -> int:
    if at == "now":
        return wall_ms()
    return instant_of(at, zone) if at else morning_of(BASE_DATE, zone.key)


async def delete_world(server: Server, request: Request) -> Any:
    """Ends a world and its leases."""
    await server.remove_world(world_of(server, request).name)
    return Response(status_code=204)


async def reset_world(server: Server, request: Request) -> Any:
    """Puts the pristine state back; the clock goes on in the mode it had."""
    world = world_of(server, request)
    return {"hash": server.reset_world(world.name), "clock": reading(world)}


async def fork_world(server: Server, request: Request) -> Any:
    """A copy under another name: {name}."""
    fields = await Fields.read(request, "name")
    return to_json(_summary(server.fork_world(world_of(server, request).name, fields.text("name"))), 201)


async def download_image(server: Server, request: Request) -> Any:
    """The whole world as a SQLite file."""
    world = world_of(server, request)
    return to_file(world.image(), world.name)


async def show_seed(server: Server, request: Request) -> Any:
    """The world's rows as they are now, as the text of a scenario's seed.yaml."""
    from harness.seedfile import save  # yaml is slow to import

    return {"yaml": save(world_of(server, request))}


async def show_hash(server: Server, request: Request) -> Any:
    """The hash of the present state and that of the pristine one."""
    world = world_of(server, request)
    return {"hash": world.state_hash(), "pristine_hash": world.pristine_hash}


async def show_diff(server: Server, request: Request) -> Any:
    """What differs from the seed, or after journal row `?since=`, a change for each row touched."""
    world = world_of(server, request)
    since = number_in_query(request, "since", 0)
    return {"head": world.journal.head(), "changes": [asdict(change) for change in world.diff(since)]}


async def list_requests(server: Server, request: Request) -> Any:
    """The request log after number `?after=`, at most `?limit=` (1000) of it; `?lease=` narrows it."""
    world = world_of(server, request)
    after, limit = number_in_query(request, "after", 0), number_in_query(request, "limit", 1000, most=10_000)
    lease = request.query_params.get("lease")
    narrowed, params = (" AND lease = ?", (lease,)) if lease else ("", ())
    tail = f"WHERE id > ?{narrowed} ORDER BY id LIMIT ?"
    return {"requests": [asdict(row) for row in world.log.rows(tail, (after, *params, limit))]}


ROUTES: Routes = (
    ("GET", "/worlds", list_worlds),
    ("POST", "/worlds", create_world),
    ("GET", "/worlds/{name}", show_world),
    ("DELETE", "/worlds/{name}", delete_world),
    ("POST", "/worlds/{name}/reset", reset_world),
    ("POST", "/worlds/{name}/fork", fork_world),
    ("GET", "/worlds/{name}/image", download_image),
    ("GET", "/worlds/{name}/seed", show_seed),
    ("GET", "/worlds/{name}/hash", show_hash),
    ("GET", "/worlds/{name}/diff", show_diff),
    ("GET", "/worlds/{name}/requests", list_requests),
)
