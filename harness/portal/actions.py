"""What the portal's forms do with clocks and whole worlds. Each form carries the session's token."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core.agenda import Planned
from fakes.core.clock import MODES
from fakes.core.ui.filters import instant
from fakes.core.world import World
from harness.app import Server, Start, UnknownScenario, own_clock, starting_now
from harness.fields import BadInput, whole_number
from harness.instants import instant_of, later, next_due
from harness.portal.forms import Form, done, form_of, here
from harness.portal.page import time_of_day

JUST_BEFORE = 1000  # ms


async def move_clock(request: Request) -> Response:
    """Turns the clock to a `mode`, or moves it on: by a `step` such as "2h" or "next", or `to` an instant.

    With `due`, the number of a planned thing, it goes there, and with `when` "before" to a second before it.
    """
    world: World = request.state.world
    sent = await form_of(request)
    if "mode" in sent:
        sentence = _turn(world, sent["mode"])
    else:
        sentence = _advance(world, _target(world, sent))
    return done(request, sentence, here(request, "/planned" if "due" in sent else "/"))


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


def _target(world: World, sent: Form) -> int | None:
    if "due" in sent:
        return _due(world, sent["due"], before=sent.get("when") == "before")
    if "to" in sent:
        if not sent.text("to"):
            raise BadInput("Say a date and a time to go to.")
        return _not_past(world, instant_of(sent.text("to"), world.zone))
    return next_due(world) if sent.get("step") == "next" else later(world, sent.get("step", ""))


def _due(world: World, number: str, *, before: bool) -> int:
    planned = world.get(Planned, whole_number(number))
    if planned is None or planned.fired_at is not None:
        raise BadInput("That is planned no more; it was done or dropped meanwhile.")
    return max(planned.due_at - JUST_BEFORE * before, world.now())


def _not_past(world: World, at_ms: int) -> int:
    if at_ms < world.now():
        stands = instant(world.now(), world.zone)
        raise BadInput(f"The run clock stands at {stands} and can't go back; a snapshot or a reset can.")
    return at_ms


def _advance(world: World, target: int | None) -> str:
    if target is None:
        return "Nothing is planned."
    fired = world.advance(max(target, world.now()))
    due = {0: "Nothing was due.", 1: "1 thing was due."}.get(fired, f"{fired} things were due.")
    seconds = f":{time_of_day(world.now(), world.zone)[6:]}" if world.now() % 60_000 else ""
    return f"It is {instant(world.now(), world.zone)}{seconds}. {due}"


async def reset(request: Request) -> Response:
    """Puts the world's pristine state back."""
    sent = await form_of(request)
    server: Server = request.state.server
    name = request.state.world.name
    pristine_hash = server.reset_world(name)
    back = "/" if sent.get("back") == "overview" else here(request)
    return done(request, f"World {name} is as it was seeded: hash {pristine_hash}.", back)


async def delete(request: Request) -> Response:
    """Deletes the world."""
    await form_of(request)
    server: Server = request.state.server
    name = request.state.world.name
    await server.remove_world(name)
    return done(request, f"World {name} is deleted.", "/")


async def fork(request: Request) -> Response:
    """A new world with this one's present state, under the `name` that is said."""
    sent = await form_of(request)
    server: Server = request.state.server
    source, name = request.state.world.name, sent.text("name")
    server.fork_world(source, name)
    back = "/" if sent.get("back") == "overview" else f"/worlds/{name}/"
    return done(request, f"World {name} begins where {source} is now.", back)


async def create_world(request: Request) -> Response:
    """Seeds a world: `name`, `scenario`, and a clock that runs from now or stands on the scenario's day.

    A saved seed begins where its own clock stood.
    """
    sent = await form_of(request)
    server: Server = request.state.server
    name, scenario, runs = sent.text("name"), sent.get("scenario", ""), sent.get("clock") == "running"
    try:
        start = starting_now(scenario) if runs or own_clock(scenario) else Start(scenario)
        server.create_world(name, start, "running" if runs else "frozen")
    except UnknownScenario as error:
        raise BadInput(str(error)) from None
    return done(request, f"World {name} is seeded.", f"/worlds/{name}/")


ROUTES: list[BaseRoute] = [
    Route("/clock", move_clock, methods=["POST"]),
    Route("/reset", reset, methods=["POST"]),
    Route("/delete", delete, methods=["POST"]),
    Route("/fork", fork, methods=["POST"]),
]
