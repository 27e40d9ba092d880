"""The pages of a world that show it: its services and phones, its log, what changed, what is planned."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core.people import Person
from fakes.core.world import World
from harness.app import Server
from harness.fields import number_in_query
from harness.portal import panels
from harness.portal.changed import CHANGES, changed_tables, changes_by, pointed_at
from harness.portal.live import live
from harness.portal.page import page, pages, port_of


async def bench(request: Request) -> Response:
    """A world's services and log-ins, its people, and the phone of one of them."""
    world: World = request.state.world
    server: Server = request.state.server
    phone = panels.phone_of(world, request.query_params.get("phone"))
    return page(
        request, "bench.html", tab="", to_services=True,
        cards=panels.service_cards(world, port_of(request)),
        people=world.all(Person, "ORDER BY seq"),
        claims=server.gateway.claims.all(world.name),
        phone=phone, ways=panels.ways_of(world, phone.person) if phone else [],
    )  # fmt: skip


async def clock_reading(request: Request) -> Response:
    """The clock's face alone: what a running clock fetches each second."""
    return pages.response(request, "reading.html")


async def request_log(request: Request) -> Response:
    """The request log, newest first."""
    world: World = request.state.world
    lease = request.query_params.get("lease") or None
    before = number_in_query(request, "before", 0) or None
    files = request.query_params.get("files") == "yes"
    return page(
        request, "requests.html", tab="requests", lease=lease, before=before, files=files,
        log=panels.log_page(world, lease, before, files=files), leases=panels.leases_in_log(world),
        nobody=panels.NOBODY,
    )  # fmt: skip


async def one_request(request: Request) -> Response:
    """One request: all that was kept of it, and the rows that it wrote."""
    world: World = request.state.world
    number = request.path_params["id"]
    found = world.log.rows("WHERE id = ?", (number,)) if number <= world.log.newest else []
    if not found:
        raise HTTPException(404)
    rows = changed_tables(world, changes_by(world, found[0].id))
    return page(request, "request.html", tab="requests", logged=found[0], tables=rows)


async def changes(request: Request) -> Response:
    """What differs from the seed; `?mark=TABLE/KEY` points at one row."""
    world: World = request.state.world
    found = world.diff()
    marked = pointed_at(found, request.query_params.get("mark", ""))
    shown = found[:CHANGES]
    if marked is not None and marked not in shown:
        shown = [*shown[:-1], marked]
    tables = changed_tables(world, shown, marked)
    return page(request, "changes.html", tab="changes", tables=tables, count=len(found), most=CHANGES)


async def planned(request: Request) -> Response:
    """What is planned, and what fired."""
    return page(request, "planned.html", tab="planned", plans=panels.plans(request.state.world))


async def refusals(request: Request) -> Response:
    """What the gateway turned away: of one world, or all of it."""
    server: Server = request.state.server
    world: World | None = getattr(request.state, "world", None)
    found = [each for each in server.refusals.all() if world is None or each.world in (world.name, None)]
    return page(request, "refusals.html", tab="refusals", refusals=found[:-201:-1], count=len(found))


ROUTES: list[BaseRoute] = [
    Route("/", bench),
    Route("/clock-reading", clock_reading),
    Route("/requests", request_log),
    Route("/requests/{id:int}", one_request),
    Route("/changes", changes),
    Route("/planned", planned),
    Route("/refusals", refusals),
    Route("/_live", live),
]
