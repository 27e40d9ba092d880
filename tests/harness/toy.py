"""A toy site for the harness's own tests: boxes that are put on a shelf, and a log of who put them there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

from fakes.core import auth
from fakes.core.people import Person
from fakes.core.seeding import Seed
from fakes.core.service import Service, route
from fakes.core.store import Row
from fakes.core.world import World


class Box(Row, table="toy_boxes", key="id"):
    """A box on the shelf."""

    id: str
    seq: int
    label: str
    weight: int | None
    due: date | None
    fragile: bool | None
    closed_at: int | None


class Entry(Row, table="toy_log", key="id"):
    """A line of the log."""

    id: int
    box_id: str
    by: str


@dataclass(frozen=True)
class Facts:
    """What the toy's tasks are about."""

    mira: Person
    old: Box
    due: date
    label: str


def seed(w: Seed) -> Facts:
    """Two people, one box."""
    mira = w.person("mira@toy.example", "Mira Okafor")
    w.person("tom@toy.example", "Tom Lindqvist")
    old = w.insert(
        Box(
            id="box_old", seq=w.seq("box"), label="Old", weight=3, due=w.day(9), fragile=False, closed_at=None
        )
    )
    return Facts(mira=mira, old=old, due=w.day(5), label="Lamps")


def put(world: World, by: str, label: str, weight: int | None, due: str | None, fragile: bool) -> Box:
    """Puts a box on the shelf."""
    with world.tx() as tx:
        day = date.fromisoformat(due) if due else None
        box = Box(
            id=tx.new_id("box", prefix="box_"),
            seq=tx.seq("box"),
            label=label,
            weight=weight,
            due=day,
            fragile=fragile,
            closed_at=None,
        )
        tx.insert(box)
        tx.insert(Entry(id=tx.seq("entry"), box_id=box.id, by=by))
    return box


def close(world: World, box: Box, weight: int | None = None) -> None:
    """Closes a box, and weighs it if a weight is given; closing it again does nothing."""
    if box.closed_at is None:
        with world.tx() as tx:
            tx.update(box, closed_at=world.now(), weight=weight or box.weight)


def _who(request: Request) -> Person:
    found = auth.token_of(request, "toy")
    if found is None:
        raise HTTPException(401, "Who are you?")
    return found[1]


async def post_box(request: Request) -> Response:
    """POST /api/boxes."""
    person, body = _who(request), await request.json()
    box = put(
        request.state.world,
        person.email,
        body["label"],
        body.get("weight"),
        body.get("due"),
        bool(body.get("fragile")),
    )
    return JSONResponse({"id": box.id}, 201)


async def close_box(request: Request) -> Response:
    """POST /api/boxes/{id}/close."""
    _who(request)
    weighed = await request.json() if await request.body() else {}
    world: World = request.state.world
    box = world.get(Box, request.path_params["id"])
    if box is None:
        raise HTTPException(404, "No such box.")
    close(world, box, weighed.get("weight"))
    return JSONResponse({"id": box.id})


async def get_boxes(request: Request) -> Response:
    """GET /api/boxes."""
    _who(request)
    return JSONResponse([box.values() for box in request.state.world.all(Box, "order by seq")])


async def shelf(request: Request) -> Response:
    """GET /: the shelf with a form."""
    session = auth.session_of(request, "toy")
    if session is None:
        return HTMLResponse("<!doctype html><title>Toy</title><p>Log in first.", 401)
    world: World = request.state.world
    items = "".join(f"<li>{box.label}</li>" for box in world.all(Box, "order by seq"))
    return HTMLResponse(
        f"<!doctype html><html lang=en><title>Toy</title><ul>{items}</ul>"
        f"<p id=today>{world.today()}</p>"
        f"<form method=post action='{request.scope['root_path']}/boxes'>"
        f"<input type=hidden name=csrf value='{auth.csrf(world, session)}'>"
        "<label>Label <input name=label></label><label>Due <input name=due></label>"
        "<button>Put</button></form>"
    )


async def post_form(request: Request) -> Response:
    """POST /boxes, from the page."""
    session = auth.session_of(request, "toy")
    world: World = request.state.world
    form = await request.form()
    if session is None or not auth.csrf_is_right(world, session, str(form.get("csrf", ""))):
        raise HTTPException(403, "Reload the page.")
    put(world, "page", str(form["label"]), None, str(form["due"]), False)
    return RedirectResponse(f"{request.scope['root_path']}/", 303)


def routes() -> list[BaseRoute]:
    """The toy's routes."""
    return [
        route("GET", "/", shelf),
        route("POST", "/boxes", post_form),
        route("GET", "/api/boxes", get_boxes),
        route("POST", "/api/boxes", post_box),
        route("POST", "/api/boxes/{id}/close", close_box),
    ]


SERVICES = {
    "toy": Service(
        name="toy", title="Toy", summary="A shelf of boxes.", kind="site", tables=(Box, Entry), routes=routes
    )
}
