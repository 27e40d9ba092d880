"""Where a service's tools are found: `/mcp` at its own host, `/w/<world>/mcp/<service>` for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from fakes.core.links import by_path
from fakes.core.service import LoggedRoute

if TYPE_CHECKING:
    from fakes.core.service import Service

HOST_PATH = "/mcp"
_METHODS = ["GET", "POST", "DELETE"]


def api_path(name: str) -> str:
    """The path of a service's tools below its world's address, without a leading slash."""
    return f"mcp/{name}"


def tools_path(service: Service, world: str) -> str:
    """The path of a service's tools in a world, for programs."""
    return f"{by_path(service, world)}/{api_path(service.name)}"


class McpRoute(LoggedRoute):
    """A route whose requests are of the surface `mcp`."""

    def note(self, scope: Scope) -> None:
        """Tells the request log."""
        super().note(scope)
        record = scope.get("state", {}).get("record")
        if record is not None:
            record.surface = "mcp"


def mcp_routes(service: Service) -> list[McpRoute]:
    """The routes of a service's tools; none where it has no tools."""
    if service.mcp is None:
        return []

    async def endpoint(request: Request) -> Response:
        if request.method != "POST":  # there are no sessions to end, and nothing is said unasked
            return Response("Only POST is answered here.\n", 405, {"Allow": "POST"}, "text/plain")
        from fakes.core.mcp.exchange import exchange  # a second to import: only where tools are used

        return await exchange(request, service)

    return [McpRoute(path, endpoint, methods=_METHODS) for path in (HOST_PATH, f"/{api_path(service.name)}")]
