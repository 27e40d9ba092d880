"""What every page of the portal stands on: its templates, its tabs, and how it says what went wrong."""

from __future__ import annotations

from html import escape
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fakes.core.clock import civil
from fakes.core.ui import Pages
from fakes.core.ui.pages import CSP
from harness.app import Server
from harness.portal import panels

pages = Pages("harness.portal")
TABS = (
    ("", "Services"),
    ("connect", "Connect"),
    ("mail", "Mail"),
    ("requests", "Requests"),
    ("changes", "Changes"),
    ("planned", "Planned"),
    ("deliveries", "Deliveries"),
    ("faults", "Faults"),
    ("snapshots", "Snapshots"),
    ("refusals", "Refused"),
)
STEPS = (("1m", "1 min"), ("10m", "10 min"), ("1h", "1 hour"), ("1d", "1 day"), ("1w", "1 week"))


def time_of_day(at_ms: int, zone: ZoneInfo) -> str:
    """The civil time of an instant, to the second."""
    return civil(at_ms, zone).strftime("%H:%M:%S")


def local_input(at_ms: int, zone: ZoneInfo) -> str:
    """An instant as a field for date and time takes it: "2025-10-21T09:30"."""
    return civil(at_ms, zone).strftime("%Y-%m-%dT%H:%M")


pages.env.filters.update(time_of_day=time_of_day, local_input=local_input, surface=panels.surface_of)
pages.env.globals.update(tabs=TABS, steps=STEPS, coming=panels.coming)


def port_of(request: Request) -> str:
    """The port that the reader came by, as a host name takes it: ":8080", or nothing for 80."""
    port = request.url.port
    return f":{port}" if port else ""


def address_of(request: Request) -> str:
    """Where programs beside the reader find this server; no slash at its end. They know no *.localhost."""
    server: Server = request.state.server
    host = request.url.hostname or ""
    return server.url if host.endswith(".localhost") else f"http://{request.url.netloc}"


def page(
    request: Request, template: str, status: int = 200, *, to_services: bool = False, **context: object
) -> HTMLResponse:
    """A page of the portal; says once what the form before it did.

    `to_services`: it has forms that lead on to a service's own host.
    """
    server: Server = request.state.server
    live = request.headers.get("x-live")
    flash = "" if live else server.door.take_note(request.state.session)
    shown: dict[str, Any] = {"flash": flash, "server": server, **context}
    headers = {"Content-Security-Policy": f"{CSP} http://*.localhost{port_of(request)}"}
    return pages.response(request, template, status, headers=headers if to_services else None, **shown)


def sorry(request: Request, sentence: str, status: int) -> Response:
    """An error of ours, as a page or in the page's status line."""
    if request.headers.get("hx-request"):
        return HTMLResponse(escape(sentence), status)
    world = str(request.path_params.get("name", ""))
    back = world if world in request.state.server.worlds.names() else ""
    return page(request, "sorry.html", status, sentence=sentence, back=back)
