"""Opening a service in one's own browser as somebody of the world, and ceasing to be them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fakes.core import claimed
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput
from harness.portal.forms import by_harness, done, form_of, here, person_at, service_named
from harness.portal.page import pages, port_of


async def open_as(request: Request) -> Response:
    """A ticket for `service` as the person with `email`: followed at once, or with `link` shown to copy."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    service, person = service_named(world, sent.text("service")), person_at(world, sent.text("email"))
    ticket = server.gateway.claims.ticket(world, service, person)
    host = f"{service.host_label}.{world.name}.localhost{port_of(request)}"
    link = f"http://{host}{claimed.PATH}?ticket={ticket}"
    if "link" in sent:
        return pages.response(request, "ticket.html", link=link, service=service, person=person)
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return RedirectResponse(link, 303, headers)


async def stop_being(request: Request) -> Response:
    """Ends a claimed browser: it is named no more, and its session is over."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    found = [claim for claim in server.gateway.claims.all(world.name) if str(claim.id) == sent.text("claim")]
    if not found:
        raise BadInput("That browser is nobody here already.")
    claim = found[0]
    with by_harness(request, "stop-being", service=claim.service, person=claim.email):
        server.gateway.claims.end(world, claim)
    title = world.services[claim.service].title
    return done(request, f"That browser is not {claim.email} at {title} any more.", here(request))


ROUTES: list[BaseRoute] = [
    Route("/open-as", open_as, methods=["POST"]),
    Route("/stop-being", stop_being, methods=["POST"]),
]
