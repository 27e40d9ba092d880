"""The run clock of a world."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.requests import Request

from fakes.core.clock import MODES
from fakes.core.world import World
from harness.app import Server
from harness.control.answers import Routes, world_of
from harness.fields import BadInput, Fields
from harness.instants import instant_of, iso, later, next_due


def reading(world: World) -> dict[str, Any]:
    """How a world's clock stands: instants in ISO 8601 with its offset, `at_ms` in UTC milliseconds."""
    now, due = world.now(), next_due(world)
    return {
        "mode": world.clock.mode,
        "at_ms": now,
        "at": iso(now, world.zone),
        "zone": world.zone.key,
        "step_ms": world.clock.step_ms,
        "next_due": None if due is None else iso(due, world.zone),
    }


async def show_clock(server: Server, request: Request) -> Any:
    """Mode and instant of the run clock, and when the next planned thing is due."""
    return reading(world_of(server, request))


async def set_clock(server: Server, request: Request) -> Any:
    """Turns the clock to another mode: {mode}, and for stepping how far a write moves it: {step_ms}."""
    world = world_of(server, request)
    fields = await Fields.read(request, "mode", "step_ms")
    turned = world.clock.turned(fields.choice("mode", MODES, world.clock.mode))
    step_ms = fields.number("step_ms", turned.step_ms)
    if not 0 < step_ms <= 86_400_000:
        raise BadInput(f"'step_ms' is {step_ms}: a step lasts from 1 to 86400000 milliseconds.")
    world.set_clock(replace(turned, step_ms=step_ms))
    return reading(world)


async def advance_clock(server: Server, request: Request) -> Any:
    """Moves the clock on, firing what is due on the way: {to: instant}, {by: "2h"} or {next: true}."""
    world = world_of(server, request)
    fields = await Fields.read(request, "to", "by", "next")
    if len(fields) != 1:
        raise BadInput('Say one of: {"to": "2025-10-21T14:00"}, {"by": "2h"} or {"next": true}.')
    target = _target(world, fields)
    if target < world.now():
        raise BadInput(f"The run clock stands at {iso(world.now(), world.zone)} and can't go back.")
    return {"fired": world.advance(target), "clock": reading(world)}


def _target(world: World, fields: Fields) -> int:
    if "by" in fields:
        return later(world, fields.text("by"))
    if "to" in fields:
        return instant_of(fields.text("to"), world.zone)
    due = next_due(world)
    if due is None:
        raise BadInput("Nothing is planned, so there is no next due thing to go to.")
    return due


ROUTES: Routes = (
    ("GET", "/worlds/{name}/clock", show_clock),
    ("POST", "/worlds/{name}/clock", set_clock),
    ("POST", "/worlds/{name}/clock/advance", advance_clock),
)
