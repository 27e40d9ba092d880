"""What leaves the world: how far each delivery has come, dead letters, sending again, and the pump."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core import outbox
from fakes.core.outbox import INSIDE, STATES, NotSendable, UnknownDelivery
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput, number_in_query, whole_number
from harness.portal.forms import by_harness, done, form_of, here
from harness.portal.page import page

PAGE = 50


async def show(request: Request) -> Response:
    """Outgoing rows, newest first; `?state=` narrows them, `?before=` goes on below a number."""
    world: World = request.state.world
    state = request.query_params.get("state") or None
    if state is not None and state not in STATES:
        raise BadInput(f"There is no state {state!r}: {', '.join(STATES)}.")
    before = number_in_query(request, "before", 0) or None
    found = outbox.deliveries(world, limit=PAGE + 1, before=before, state=state)
    return page(
        request, "deliveries.html", tab="deliveries", state=state, states=STATES, before=before,
        views=found[:PAGE], older=found[PAGE - 1].outgoing.id if len(found) > PAGE else None,
        dead=len(outbox.dead(world)), inside=INSIDE,
    )  # fmt: skip


async def resend(request: Request) -> Response:
    """Puts a delivery back in its lane, due at once."""
    world: World = request.state.world
    sent = await form_of(request)
    number = whole_number(sent.text("delivery")) or 0
    try:
        with by_harness(request, "deliveries/resend"):
            found = outbox.resend(world, number)
    except (UnknownDelivery, NotSendable) as error:
        raise BadInput(str(error)) from None
    waits = (
        "" if world.pump_on or found.outgoing.receiver.startswith(INSIDE) else " The pump is off: it waits."
    )
    return done(request, f"Delivery {number} is due again.{waits}", here(request, "/deliveries"))


async def turn_pump(request: Request) -> Response:
    """Has what leaves the world sent to real receivers, or no longer."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    wanted = sent.text("pump")
    if wanted not in ("on", "off"):
        raise BadInput("Say whether the pump is to be on or off.")
    server.turn_pump(world.name, wanted == "on")
    said = "What leaves this world is sent." if wanted == "on" else "What leaves this world waits."
    return done(request, said, here(request, "/deliveries"))


ROUTES: list[BaseRoute] = [
    Route("/deliveries", show),
    Route("/deliveries/resend", resend, methods=["POST"]),
    Route("/pump", turn_pump, methods=["POST"]),
]
