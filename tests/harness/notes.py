"""A small site to try the harness with: notes, written by API, chased after two hours, kept for outside."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import httpx
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute

from fakes.core import agenda, auth, outbox
from fakes.core.people import Person
from fakes.core.seeding import Base
from fakes.core.service import Account, Service, route
from fakes.core.store import Row
from fakes.core.world import World
from harness.app import FIXED_SECRET, Server, Start
from harness.control import HOST, control_app
from harness.portal.app import portal_app

HOUR = 3600_000


class Note(Row, table="nt_notes", key="id"):
    """A note."""

    id: str
    text: str
    done: bool
    written_at: int


async def write_note(request: Request) -> Response:
    """Writes a note by whoever comes; a bearer that is wrong is refused."""
    world: World = request.state.world
    if auth.bearer_text(request) is not None and auth.token_of(request, "notes") is None:
        raise HTTPException(401)
    with world.tx() as tx:
        text = (await request.body()).decode()
        note = tx.insert(Note(id=tx.new_id("note"), text=text, done=False, written_at=world.now()))
        due_at, payload = world.now() + 2 * HOUR, {"id": note.id}
        agenda.schedule(tx, service="notes", kind="chase", ref=note.id, due_at=due_at, payload=payload)
        receiver, now = "someone@else.example", world.now()
        outbox.put(tx, service="notes", kind="mail", receiver=receiver, created_at=now, payload={})
    return JSONResponse({"id": note.id}, 201)


async def text_a_code(request: Request) -> Response:
    """Sends the first person a code."""
    world: World = request.state.world
    person = world.one(Person, "ORDER BY seq")
    assert person is not None
    auth.new_code(world, "notes", person, "text")
    return JSONResponse({})


async def show_page(request: Request) -> Response:
    """A page with nothing in it."""
    return HTMLResponse("<!doctype html><title>Notes</title><h1>Notes</h1>")


def chase(world: World, payload: dict[str, Any]) -> None:
    """Marks a note done, two hours on."""
    note = world.get(Note, payload["id"])
    assert note is not None
    with world.tx() as tx:
        tx.update(note, done=True)


def _routes() -> list[BaseRoute]:
    return [
        route("POST", "/notes", write_note),
        route("POST", "/codes", text_a_code),
        route("GET", "/", show_page),
    ]


def _accounts(world: World) -> list[Account]:
    return [Account("mira@harborlight.example", "operator"), Account("tom@harborlight.example")]


NOTES = Service(
    name="notes", title="Notes", summary="Notes for trying things out.", kind="site", tables=(Note,),
    routes=_routes, due={"chase": chase}, accounts=_accounts,
)  # fmt: skip


SERVICES = {"notes": NOTES}


@cache
def _bases() -> dict[Start, Base]:
    """The office as it was seeded: the same for each server, so made once."""
    made = Server(services=SERVICES, secret=FIXED_SECRET)
    made.base(Start("office"))
    return made._bases


@asynccontextmanager
async def serving(**world: Any) -> AsyncIterator[Server]:
    """A server with control plane and portal, and a world `main` from the office."""
    planes: Any = {"portal": portal_app, "control": control_app}
    async with Server(services=SERVICES, secret=FIXED_SECRET, **planes) as server:
        server._bases.update(_bases())
        server.create_world("main", Start("office"), **world)
        yield server


def client(server: Server, **headers: str) -> httpx.AsyncClient:
    """A program on this machine."""
    return httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False, verify=False)


def control(server: Server) -> httpx.AsyncClient:
    """A program that holds the server's secret."""
    return client(server, Host=HOST, Authorization=f"Bearer {server.control_secret}")


async def write(server: Server, text: str = "a note", world: str = "main") -> None:
    """Writes a note without a lease."""
    async with client(server) as program:
        (await program.post(f"/w/{world}/sites/notes/notes", content=text)).raise_for_status()
