"""What leaves a world: how far each delivery has come, sending one again, and the pump."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request

from fakes.core import outbox
from fakes.core.outbox import STATES, DeliveryView, NotSendable, UnknownDelivery
from fakes.core.world import World
from harness.app import Server
from harness.control.answers import Missing, Routes, world_of
from harness.fields import BadInput, Fields, number_in_query, whole_number


def _told(found: DeliveryView) -> dict[str, Any]:
    outgoing = found.outgoing
    return {
        "id": outgoing.id,
        "service": outgoing.service,
        "kind": outgoing.kind,
        "receiver": outgoing.receiver,
        "topic": outgoing.topic,
        "created_at": outgoing.created_at,
        "payload": outgoing.payload,
        "state": found.state,
        "failures": found.failures,
        "due_ms": found.due_ms,
        "delivery": found.stamp,
        "why": found.why,
        "attempts": [asdict(attempt) for attempt in found.attempts],
    }


def _pump(world: World) -> dict[str, Any]:
    return {"on": world.pump_on}


async def list_deliveries(server: Server, request: Request) -> Any:
    """What left the world, newest first: at most `?limit=` (100) of them below number `?before=`, of one
    `?state=` (waiting, delivered, dead, kept) if that is said.
    """
    world = world_of(server, request)
    limit = number_in_query(request, "limit", 100, most=1000)
    before = number_in_query(request, "before", 0) or None
    state = request.query_params.get("state") or None
    if state is not None and state not in STATES:
        raise BadInput(f"'state' must be one of {', '.join(STATES)}, not {state!r}.")
    found = outbox.deliveries(world, limit=limit, before=before, state=state)
    return {"pump": _pump(world), "deliveries": [_told(one) for one in found]}


async def resend(server: Server, request: Request) -> Any:
    """Has a delivery sent again, with the same delivery id; it goes out while the pump is on."""
    world, given = world_of(server, request), str(request.path_params["id"])
    number = whole_number(given)
    if number is None:
        raise Missing("unknown_delivery", f"World {world.name!r} has no delivery {given!r}.")
    try:
        return _told(outbox.resend(world, number))
    except UnknownDelivery as error:
        raise Missing("unknown_delivery", str(error)) from None
    except NotSendable as error:
        raise BadInput(str(error)) from None


async def turn_pump(server: Server, request: Request) -> Any:
    """Has what leaves the world sent to real receivers, or no longer: {on}."""
    world = world_of(server, request)
    fields = await Fields.read(request, "on")
    if "on" not in fields:
        raise BadInput('Say {"on": true} or {"on": false}.')
    server.turn_pump(world.name, fields.flag("on"))
    return _pump(world)


ROUTES: Routes = (
    ("GET", "/worlds/{name}/deliveries", list_deliveries),
    ("POST", "/worlds/{name}/deliveries/{id}/resend", resend),
    ("POST", "/worlds/{name}/pump", turn_pump),
)
