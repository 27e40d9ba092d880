"""The server itself: what it is, its portal, and what it turned away."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request

from harness.app import Server, discover_scenarios
from harness.control.answers import Routes


async def show_server(server: Server, request: Request) -> Any:
    """What this server is, and what it can seed."""
    return {
        "url": server.url,
        "schema": server.schema_version,
        "services": sorted(server.services),
        "scenarios": sorted(discover_scenarios()),
        "worlds": server.worlds.names(),
    }


async def new_portal_link(server: Server, request: Request) -> Any:
    """A fresh one-time link to the portal."""
    return {"url": server.door.link(server.url)}


async def list_refusals(server: Server, request: Request) -> Any:
    """What was turned away, oldest first; `?lease=` and `?world=` narrow it."""
    query = request.query_params
    wanted = {name: query[name] for name in ("lease", "world") if name in query}
    found = [asdict(refusal) for refusal in server.refusals.all()]
    return {"refusals": [each for each in found if wanted.items() <= each.items()]}


ROUTES: Routes = (
    ("GET", "/", show_server),
    ("POST", "/portal", new_portal_link),
    ("GET", "/refusals", list_refusals),
)
