"""What is kept of a world, by click: named snapshots to go back to or fork from, and saved seeds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core.world import World
from harness.app import Server
from harness.control.answers import to_file
from harness.portal.forms import done, form_of, here
from harness.portal.page import page
from harness.snapshots import Snapshot


@dataclass(frozen=True)
class Kept:
    """A snapshot, and how many rows are not now as they were (None: it fits this world no more)."""

    about: Snapshot
    changed: int | None


async def show(request: Request) -> Response:
    """The list, newest first."""
    world: World = request.state.world
    server: Server = request.state.server
    kept, name = server.snapshots, world.name
    return page(
        request, "snapshots.html", tab="snapshots", free=kept.next_name(name),
        kept=[Kept(each, kept.changed(name, each.name)) for each in reversed(kept.of(name))],
        broken=[file for file in kept.broken if file.startswith(f"{name}/")],
    )  # fmt: skip


async def take(request: Request) -> Response:
    """Keeps the present state under the `name` that is said, or the next free one."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    name = sent.text("name") or server.snapshots.next_name(world.name)
    server.snapshots.take(world.name, name)
    back = "/" if sent.get("back") == "overview" else here(request, "/snapshots")
    return done(request, f"Snapshot {name} of {world.name} is kept.", back)


async def restore(request: Request) -> Response:
    """Puts the world back to it."""
    await form_of(request)
    world: World = request.state.world
    server: Server = request.state.server
    name = request.path_params["snapshot"]
    server.snapshots.restore(world.name, name)
    return done(request, f"World {world.name} is as it was at snapshot {name}.", here(request, "/snapshots"))


async def fork(request: Request) -> Response:
    """A new world that begins there."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    name, new = request.path_params["snapshot"], sent.text("name")
    server.snapshots.fork(world.name, name, new)
    return done(request, f"World {new} begins where {world.name} was at snapshot {name}.", f"/worlds/{new}/")


async def delete(request: Request) -> Response:
    """Forgets it."""
    await form_of(request)
    server: Server = request.state.server
    name = request.path_params["snapshot"]
    server.snapshots.delete(request.state.world.name, name)
    return done(request, f"Snapshot {name} is deleted.", here(request, "/snapshots"))


async def save(request: Request) -> Response:
    """Writes the present rows as the seed of a new scenario, in the folder that the server was started in."""
    from harness.seedfile import save, write_scenario  # yaml is slow to import

    sent = await form_of(request)
    world: World = request.state.world
    name = sent.text("name")
    write_scenario(save(world), name, Path.cwd())
    said = f"Scenario {name} is saved as scenarios/{name}/seed.yaml: worlds can be seeded from it."
    return done(request, said, here(request, "/snapshots"))


async def download(request: Request) -> Response:
    """It as a SQLite file."""
    server: Server = request.state.server
    world, name = request.state.world.name, request.path_params["snapshot"]
    return to_file(server.snapshots.image(world, name), f"{world}-{name}")


ROUTES: list[BaseRoute] = [
    Route("/snapshots", show),
    Route("/snapshots", take, methods=["POST"]),
    Route("/save", save, methods=["POST"]),
    Route("/snapshots/{snapshot}/restore", restore, methods=["POST"]),
    Route("/snapshots/{snapshot}/fork", fork, methods=["POST"]),
    Route("/snapshots/{snapshot}/delete", delete, methods=["POST"]),
    Route("/snapshots/{snapshot}/file", download),
]
