"""The portal's pages: all worlds at a glance, and of one its services, phone, log, changes and plans."""

from __future__ import annotations

from html import escape
from typing import Any
from zoneinfo import ZoneInfo

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fakes.core.clock import civil
from fakes.core.people import Person
from fakes.core.ui import Pages
from fakes.core.world import World
from harness.app import Server, discover_scenarios
from harness.fields import number_in_query
from harness.portal import panels

pages = Pages("harness.portal")
TABS = (
    ("", "Services"),
    ("requests", "Requests"),
    ("changes", "Changes"),
    ("planned", "Planned"),
    ("refusals", "Refused"),
)
STEPS = (("1m", "1 min"), ("10m", "10 min"), ("1h", "1 hour"), ("1d", "1 day"), ("1w", "1 week"))


def time_of_day(at_ms: int, zone: ZoneInfo) -> str:
    """The civil time of an instant, to the second."""
    return civil(at_ms, zone).strftime("%H:%M:%S")


pages.env.filters.update(time_of_day=time_of_day, surface=panels.surface_of)
pages.env.globals.update(tabs=TABS, steps=STEPS, coming=panels.coming)


def _page(request: Request, template: str, status: int = 200, **context: object) -> HTMLResponse:
    """A page of the portal; says once what the form before it did."""
    server: Server = request.state.server
    live = request.headers.get("x-live")
    flash = "" if live else server.door.take_note(request.state.session)
    shown: dict[str, Any] = {"flash": flash, "server": server, **context}
    return pages.response(request, template, status, **shown)


def sorry(request: Request, sentence: str, status: int) -> Response:
    """An error of ours, as a page or in the page's status line."""
    if request.headers.get("hx-request"):
        return HTMLResponse(escape(sentence), status)
    return _page(request, "sorry.html", status, sentence=sentence)


async def overview(request: Request) -> Response:
    """Every world of the server."""
    server: Server = request.state.server
    worlds = [server.worlds.get(name) for name in server.worlds.names()]
    people = {world.name: world.count(Person) for world in worlds}
    return _page(
        request, "overview.html", worlds=worlds, people=people, scenarios=sorted(discover_scenarios())
    )


async def bench(request: Request) -> Response:
    """A world's services and log-ins, its people, and the phone of one of them."""
    world: World = request.state.world
    port = request.url.port
    return _page(
        request, "bench.html", tab="",
        cards=panels.service_cards(world, f":{port}" if port else ""),
        people=world.all(Person, "ORDER BY seq"),
        phone=panels.phone_of(world, request.query_params.get("phone")),
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
    return _page(
        request, "requests.html", tab="requests", lease=lease, before=before, files=files,
        log=panels.log_page(world, lease, before, files=files), leases=panels.leases_in_log(world),
        nobody=panels.NOBODY,
    )  # fmt: skip


async def one_request(request: Request) -> Response:
    """One request: all that was kept of it, and the rows that it wrote."""
    world: World = request.state.world
    found = world.log.rows("WHERE id = ?", (request.path_params["id"],))
    if not found:
        raise HTTPException(404)
    changed = panels.changed_tables(world, panels.changes_by(world, found[0].id))
    return _page(request, "request.html", tab="requests", logged=found[0], tables=changed)


async def changes(request: Request) -> Response:
    """What differs from the seed."""
    world: World = request.state.world
    found = world.diff()
    tables = panels.changed_tables(world, found[: panels.CHANGES])
    return _page(request, "changes.html", tab="changes", tables=tables, count=len(found), most=panels.CHANGES)


async def planned(request: Request) -> Response:
    """What is planned, what fired, and what was kept for receivers outside."""
    return _page(request, "planned.html", tab="planned", plans=panels.plans(request.state.world))


async def refusals(request: Request) -> Response:
    """What the gateway turned away: of one world, or all of it."""
    server: Server = request.state.server
    world: World | None = getattr(request.state, "world", None)
    found = [each for each in server.refusals.all() if world is None or each.world in (world.name, None)]
    return _page(request, "refusals.html", tab="refusals", refusals=found[:-201:-1], count=len(found))
