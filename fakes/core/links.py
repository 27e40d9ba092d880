"""Links between services: stored without port or world, resolved for whoever reads them.

A base is shared by many worlds and a port is chosen at start, so a mail can't hold either. Stored text says
`http://claims-desk.this.localhost/q/…`; a reader who came by host gets the world's own host name, one who
came by path (Python and Node do not resolve *.localhost) gets
`http://127.0.0.1:PORT/w/<world>/sites/claims_desk/q/…`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

    from fakes.core.service import Service

HERE = "this"
_STORED = re.compile(rf"http://([a-z0-9-]+)\.{HERE}\.localhost(?=[/\s\"'<]|$)")


def stored_link(service: str, path: str) -> str:
    """The link to `path` ("/q/abc") of a service, as rows and mails keep it."""
    return f"http://{service.replace('_', '-')}.{HERE}.localhost{path}"


def resolve(request: Request, text: str) -> str:
    """The text with its stored links made to work for the reader who sent this request."""
    if f".{HERE}.localhost" not in text:
        return text
    return _STORED.sub(lambda match: origin(request, match[1]), text)


def origin(request: Request, label: str) -> str:
    """Where this reader finds the service with host label `label`: no trailing slash."""
    world = request.state.world
    host = request.headers.get("host", "localhost")
    if ".localhost" in host:
        port = host.rpartition(":")[2] if ":" in host else ""
        return f"http://{label}.{world.name}.localhost" + (f":{port}" if port else "")
    service = world.services.get(label.replace("-", "_"))
    return f"http://{host}{by_path(service, world.name) if service else f'/w/{world.name}/sites/{label}'}"


def by_path(service: Service, world: str) -> str:
    """The path prefix under which a program reaches a service of a world."""
    return f"/w/{world}" if service.kind == "fake" else f"/w/{world}/sites/{service.name}"
