"""Leases: browsers and clients of their own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.browsers import Lease
from harness.app import Server
from harness.control.answers import Missing, Routes, to_error, to_json
from harness.fields import Fields

KINDS = ("agent", "person", "cast", "harness")
MEDIA = ("client", "browser")


def _lease(server: Server, lease: Lease) -> dict[str, Any]:
    url = f"http://{lease.address}:{server.port}" if lease.address else server.public_url
    proxy = {"server": server.public_url, "username": lease.id, "password": server.leases.password(lease)}
    return {**asdict(lease), "address": lease.address or None, "url": url, "proxy": proxy}


async def list_leases(server: Server, request: Request) -> Any:
    """The open leases, oldest first."""
    return {"leases": [_lease(server, lease) for lease in server.leases.all()]}


async def open_lease(server: Server, request: Request) -> Any:
    """A browser or client of its own: {world, kind, medium, holder}.

    `url` is its proxy, or its host; where leases have no addresses, both are the server's. `proxy` is the
    server as a proxy for whoever can say a user and password, which name the lease wherever it is.
    """
    fields = await Fields.read(request, "world", "kind", "medium", "holder")
    kind = fields.choice("kind", KINDS, "agent")
    medium = fields.choice("medium", MEDIA, "client")
    world, holder = fields.text("world"), fields.text("holder", "") or None
    try:
        lease = await server.lease(world, kind=kind, medium=medium, holder=holder)  # type: ignore[arg-type]
    except OSError as error:
        sentence = f"A lease found no loopback address of its own here ({error}); serve with --proxy-auth."
        return to_error(503, "no_address", sentence)
    return to_json(_lease(server, lease), 201)


async def close_lease(server: Server, request: Request) -> Any:
    """Ends a lease and its connections."""
    wanted = request.path_params["lease"]
    lease = next((lease for lease in server.leases.all() if lease.id == wanted), None)
    if lease is None:
        raise Missing("unknown_lease", f"There is no open lease {wanted!r}.")
    await server.leases.close(lease)
    return Response(status_code=204)


ROUTES: Routes = (
    ("GET", "/leases", list_leases),
    ("POST", "/leases", open_lease),
    ("DELETE", "/leases/{lease}", close_lease),
)
