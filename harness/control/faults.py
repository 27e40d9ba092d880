"""Planned failures of a world: what the next requests get instead of their answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from fakes.core import faults
from fakes.core.faults import BadFault, Fault, UnknownFault
from fakes.core.world import World
from harness.app import Server
from harness.control.answers import Missing, Routes, to_json, world_of
from harness.fields import BadInput, Fields, whole_number
from harness.instants import later

NAMES = ("service", "method", "route", "person", "lease")


def _told(fault: Fault) -> dict[str, Any]:
    return {**asdict(fault), "left": fault.left, "said": faults.said(fault)}


async def list_faults(server: Server, request: Request) -> Any:
    """The faults of a world in the order in which they are tried, spent ones too."""
    return {"faults": [_told(fault) for fault in faults.planned(world_of(server, request))]}


async def plan_fault(server: Server, request: Request) -> Any:
    """Plans one: {service, method, route, person, lease} say for which requests, any where they say nothing;
    {answer, kept, late, retry_after} what becomes of them; {after, times} how many pass and how many are
    struck. `late` is a length of run-clock time such as "30s".
    """
    world = world_of(server, request)
    fields = await Fields.read(request, *NAMES, "answer", "kept", "late", "retry_after", "after", "times")
    which = {name: fields.text(name, "") or None for name in NAMES}
    try:
        fault = faults.plan(
            world, **which, answer=_answer(fields), kept=fields.flag("kept"), late_ms=_late(world, fields),
            retry_after=fields.number("retry_after", 0) if "retry_after" in fields else None,
            after=fields.number("after", 0), times=fields.number("times", 1),
        )  # fmt: skip
    except BadFault as error:
        raise BadInput(str(error)) from None
    return to_json(_told(fault), 201)


def _answer(fields: Fields) -> str:
    """A status may be a number or text."""
    try:
        return fields.text("answer", faults.OWN)
    except BadInput:
        return str(fields.number("answer", 0))


def _late(world: World, fields: Fields) -> int:
    return later(world, fields.text("late")) - world.now() if "late" in fields else 0


async def cancel_fault(server: Server, request: Request) -> Any:
    """Takes a fault back."""
    world, given = world_of(server, request), str(request.path_params["id"])
    try:
        faults.cancel(world, whole_number(given) or 0)
    except UnknownFault:
        raise Missing("unknown_fault", f"World {world.name!r} has no fault {given!r}.") from None
    return Response(status_code=204)


ROUTES: Routes = (
    ("GET", "/worlds/{name}/faults", list_faults),
    ("POST", "/worlds/{name}/faults", plan_fault),
    ("DELETE", "/worlds/{name}/faults/{id}", cancel_fault),
)
