"""A person's way into all the services of a world at once: paths and fresh tokens, for `env` and `exec`."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from fakes.core import auth
from fakes.core.claimed import has_account
from fakes.core.links import by_path
from fakes.core.mcp.routes import tools_path
from fakes.core.people import Person
from fakes.core.requests import RequestRecord, acting
from fakes.core.service import Service
from fakes.core.world import World
from harness.app import Server
from harness.control.answers import HOST, Missing, Routes, to_json, world_of
from harness.fields import Fields


async def give_access(server: Server, request: Request) -> Any:
    """Tokens of one person, for one service or for each at which they have an account: {email, service}.

    Answers a path and a token for each service, and the path of its tools if it has some; the server's own
    address goes before the paths.
    """
    world = world_of(server, request)
    fields = await Fields.read(request, "email", "service")
    person = world.person(fields.text("email"))
    if person is None:
        sentence = f"Nobody in world {world.name!r} has the address {fields.text('email')!r}."
        raise Missing("unknown_person", sentence)
    wanted = fields.text("service", "").replace("-", "_")
    if wanted and wanted not in server.services:
        known = ", ".join(sorted(server.services)) or "none"
        raise Missing("unknown_service", f"There is no service {wanted!r}. Services: {known}.")
    open_to = [s for s in server.services.values() if wanted in ("", s.name) and _may(world, s, person)]
    if not open_to:
        where = f"at {wanted}" if wanted else "at any service"
        raise Missing("no_account", f"{person.email} has no account {where} in world {world.name!r}.")
    given = {service.name: _let_in(world, service, person, request.url.path) for service in open_to}
    return to_json({"email": person.email, "path": f"/w/{world.name}", "services": given}, 201)


def _may(world: World, service: Service, person: Person) -> bool:
    return service.accounts is None or has_account(world, service, person)


def _let_in(world: World, service: Service, person: Person, path: str) -> dict[str, str]:
    record = RequestRecord(
        kind="harness", person=person.email, service=service.name, method="POST", host=HOST, path=path,
        route="POST /worlds/{name}/access", status=201,
    )  # fmt: skip
    with acting(record):
        token = auth.issue_token(world, person, service.name)
    world.log.finish(record)
    given = {"path": by_path(service, world.name), "token": token}
    return {**given, "tools": tools_path(service, world.name)} if service.mcp is not None else given


ROUTES: Routes = (("POST", "/worlds/{name}/access", give_access),)
