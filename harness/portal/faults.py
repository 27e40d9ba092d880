"""Planned failures by click: what the next requests to a service get instead of their answer."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core import faults
from fakes.core.faults import CUT, HANG_UP, OWN, SENTENCES, BadFault, UnknownFault
from fakes.core.people import Person
from fakes.core.service import LoggedRoute
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput, whole_number
from harness.instants import later
from harness.portal.forms import Form, by_harness, done, form_of, here
from harness.portal.page import page
from harness.portal.panels import services_of

ANSWERS = (
    *((status, f"{status} {sentence}") for status, sentence in SENTENCES.items()),
    (HANG_UP, "hang up: no answer at all"),
    (CUT, "cut off: half of the service's answer"),
    (OWN, "the service's own answer, late"),
)
_FIELDS = ("service", "route", "person", "lease", "answer", "kept", "late", "retry_after", "after", "times")


def _page(request: Request, sent: Form, errors: Mapping[str, str], status: int = 200) -> Response:
    world: World = request.state.world
    server: Server = request.state.server
    return page(
        request, "faults.html", status, tab="faults", sent=sent, errors=errors, answers=ANSWERS,
        faults=[(fault, faults.said(fault)) for fault in faults.planned(world)],
        services=[(service.name, service.title) for service in services_of(world)],
        routes=_routes(world, sent.text("service")),
        people=[(person.email, person.name) for person in world.all(Person, "ORDER BY seq")],
        leases=[(lease.id, lease.id) for lease in server.leases.all() if lease.world == world.name],
    )  # fmt: skip


def _routes(world: World, chosen: str) -> list[str]:
    """What can be typed for a route: those of the chosen service, or of every one."""
    services = [world.services[chosen]] if chosen in world.services else services_of(world)
    found = [
        f"{method} {each.path}"
        for service in services
        for each in service.routes()
        if isinstance(each, LoggedRoute)
        for method in sorted((each.methods or set()) - {"HEAD"})
    ]
    return list(dict.fromkeys(found))


async def show(request: Request) -> Response:
    """The form, and every fault of the world; `?service=` and `?route=` fill some in."""
    return _page(request, Form(list(request.query_params.multi_items())), {})


async def plan(request: Request) -> Response:
    """Plans a fault, or says beside the field what is wrong with it."""
    world: World = request.state.world
    sent = await form_of(request)
    try:
        late_ms = later(world, sent.text("late")) - world.now() if sent.text("late") else 0
        with by_harness(request, "faults", service=sent.text("service") or None):
            fault = faults.plan(
                world, service=sent.text("service") or None, route=sent.text("route") or None,
                person=sent.text("person") or None, lease=sent.text("lease") or None,
                answer=sent.text("answer") or OWN, kept="kept" in sent, late_ms=late_ms,
                retry_after=_number(sent, "retry_after"), after=_number(sent, "after") or 0,
                times=1 if (times := _number(sent, "times")) is None else times,
            )  # fmt: skip
    except (BadFault, BadInput) as error:
        return _page(request, sent, {_about(str(error), sent): str(error)}, 422)
    return done(request, faults.said(fault), here(request, "/faults"))


def _number(sent: Form, name: str) -> int | None:
    """A whole number, or None where nothing was typed. Raises BadInput."""
    text = sent.text(name)
    if not text:
        return None
    number = whole_number(text)
    if number is None:
        raise BadInput(f"'{name}' must be a whole number, not {text!r}.")
    return number


def _about(sentence: str, sent: Form) -> str:
    """The field that a refusal is about: the one that it names, or whose text it quotes."""
    for name in _FIELDS:
        if f"'{name}'" in sentence:
            return name
    return next((name for name in _FIELDS if sent.text(name) and repr(sent.text(name)) in sentence), "answer")


async def cancel(request: Request) -> Response:
    """Takes a fault back."""
    world: World = request.state.world
    sent = await form_of(request)
    number = _number(sent, "fault")
    try:
        with by_harness(request, "faults/cancel"):
            faults.cancel(world, number or 0)
    except UnknownFault as error:
        raise BadInput(str(error)) from None
    return done(request, f"Fault {number} is taken back.", here(request, "/faults"))


ROUTES: list[BaseRoute] = [
    Route("/faults", show),
    Route("/faults", plan, methods=["POST"]),
    Route("/faults/cancel", cancel, methods=["POST"]),
]
