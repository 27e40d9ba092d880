"""What the portal's forms do: move clocks, reset, make and delete worlds. Each carries a token."""

from __future__ import annotations

from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from fakes.core.clock import MODES, wall_ms
from fakes.core.ui.filters import instant
from fakes.core.world import World
from harness.app import BASE_DATE, Server, Start, UnknownScenario, morning_of
from harness.fields import BadInput
from harness.instants import later, next_due


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form of ours. Raises HTTPException 403 for one that lacks the session's token."""
    sent = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    server: Server = request.state.server
    if not server.door.csrf_is_right(request.state.session, sent.pop("csrf", "")):
        raise HTTPException(403, "The form was not one of this portal's; load the page again")
    return sent


def _done(request: Request, sentence: str, back: str) -> Response:
    """What was done: in the page's status line for htmx, else on the page that comes next."""
    if request.headers.get("hx-request"):
        return HTMLResponse(escape(sentence))
    server: Server = request.state.server
    server.door.note(request.state.session, sentence)
    return RedirectResponse(back, 303)


def _home(request: Request) -> str:
    root: str = request.scope["root_path"]
    return f"{root}/"


async def move_clock(request: Request) -> Response:
    """Turns the clock to a `mode`, or moves it on by a `step` such as "2h" or to the "next" due thing."""
    world: World = request.state.world
    sent = await _form(request)
    if "mode" in sent:
        sentence = _turn(world, sent["mode"])
    else:
        sentence = _advance(world, sent.get("step", ""))
    return _done(request, sentence, _home(request))


def _turn(world: World, wanted: str) -> str:
    mode = next((mode for mode in MODES if mode == wanted), None)
    if mode is None:
        raise BadInput(f"{wanted!r} is no mode of a clock.")
    world.turn_clock(mode)
    return {
        "frozen": "The clock stands still.",
        "stepping": "The clock moves on by a second with each request that writes.",
        "running": "The clock runs.",
    }[mode]


def _advance(world: World, step: str) -> str:
    target = next_due(world) if step == "next" else later(world, step)
    if target is None:
        return "Nothing is planned."
    fired = world.advance(target)
    due = {0: "Nothing was due.", 1: "1 thing was due."}.get(fired, f"{fired} things were due.")
    return f"It is {instant(world.now(), world.zone)}. {due}"


async def reset(request: Request) -> Response:
    """Puts the world's pristine state back."""
    await _form(request)
    server: Server = request.state.server
    name = request.state.world.name
    pristine_hash = server.reset_world(name)
    return _done(request, f"World {name} is as it was seeded: hash {pristine_hash}.", _home(request))


async def delete(request: Request) -> Response:
    """Deletes the world."""
    await _form(request)
    server: Server = request.state.server
    name = request.state.world.name
    await server.remove_world(name)
    return _done(request, f"World {name} is deleted.", "/")


async def create_world(request: Request) -> Response:
    """Seeds a world: `name`, `scenario`, and a clock that runs from now or stands on the scenario's day."""
    sent = await _form(request)
    server: Server = request.state.server
    name, runs = sent.get("name", "").strip(), sent.get("clock") == "running"
    at_ms = wall_ms() if runs else morning_of(BASE_DATE)
    try:
        start = Start(sent.get("scenario", ""), at_ms=at_ms)
        server.create_world(name, start, "running" if runs else "frozen")
    except UnknownScenario as error:
        raise BadInput(str(error)) from None
    return _done(request, f"World {name} is seeded.", f"/worlds/{name}/")
