"""Named snapshots of a world: kept, restored, forked from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.world import World
from harness.app import Server
from harness.control.answers import Routes, to_file, to_json, world_of
from harness.control.clock import reading
from harness.fields import Fields
from harness.instants import iso
from harness.snapshots import Snapshot


def _shown(snapshot: Snapshot, world: World) -> dict[str, Any]:
    return {**asdict(snapshot), "at": iso(snapshot.at, world.zone), "at_ms": snapshot.at}


def _named(request: Request) -> tuple[str, str]:
    return request.path_params["name"], request.path_params["snapshot"]


async def list_snapshots(server: Server, request: Request) -> Any:
    """A world's snapshots, oldest first; `changed` counts the rows that are not now as they were."""
    world = world_of(server, request)
    return {
        "snapshots": [
            {**_shown(each, world), "changed": server.snapshots.changed(world.name, each.name)}
            for each in server.snapshots.of(world.name)
        ]
    }


async def take_snapshot(server: Server, request: Request) -> Any:
    """Keeps the present state: {name}; without a name one is given."""
    world = world_of(server, request)
    fields = await Fields.read(request, "name")
    name = fields.text("name", "") or server.snapshots.next_name(world.name)
    return to_json(_shown(server.snapshots.take(world.name, name), world), 201)


async def restore_snapshot(server: Server, request: Request) -> Any:
    """Puts the world back to it; the clock goes on in the mode it has now."""
    world = world_of(server, request)
    restored = server.snapshots.restore(*_named(request))
    return {**_shown(restored, world), "clock": reading(world)}


async def fork_snapshot(server: Server, request: Request) -> Any:
    """A new world that begins there: {name}."""
    fields = await Fields.read(request, "name")
    forked = server.snapshots.fork(*_named(request), fields.text("name"))
    return to_json({"name": forked.name, "clock": reading(forked)}, 201)


async def delete_snapshot(server: Server, request: Request) -> Any:
    """Forgets it."""
    server.snapshots.delete(*_named(request))
    return Response(status_code=204)


async def download_snapshot(server: Server, request: Request) -> Any:
    """It as a SQLite file."""
    world, name = _named(request)
    return to_file(server.snapshots.image(world, name), f"{world}-{name}")


_ONE = "/worlds/{name}/snapshots/{snapshot}"
ROUTES: Routes = (
    ("GET", "/worlds/{name}/snapshots", list_snapshots),
    ("POST", "/worlds/{name}/snapshots", take_snapshot),
    ("GET", f"{_ONE}/image", download_snapshot),
    ("POST", f"{_ONE}/restore", restore_snapshot),
    ("POST", f"{_ONE}/fork", fork_snapshot),
    ("DELETE", _ONE, delete_snapshot),
)
