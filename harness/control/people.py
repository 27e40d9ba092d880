"""Who lives in a world, and tokens that act for them."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from fakes.core import auth
from fakes.core.people import Person, password
from fakes.core.requests import RequestRecord, acting
from fakes.core.service import Service
from fakes.core.world import World
from harness.app import Server
from harness.control.answers import HOST, Missing, Routes, to_json, world_of
from harness.fields import Fields


async def list_people(server: Server, request: Request) -> Any:
    """Who lives in the world, with passwords: whoever asks here holds the secret that they follow from."""
    world = world_of(server, request)
    people = world.all(Person, "ORDER BY seq")
    shown = ("email", "name", "title", "zone", "phone")
    return {
        "people": [
            {**{name: getattr(person, name) for name in shown}, "password": password(world, person.email)}
            for person in people
        ]
    }


async def issue_token(server: Server, request: Request) -> Any:
    """A bearer token of one person for one service: {email, service, scopes}."""
    world = world_of(server, request)
    fields = await Fields.read(request, "email", "service", "scopes")
    email, name = fields.text("email"), fields.text("service")
    service = server.services.get(name.replace("-", "_"))
    if service is None:
        known = ", ".join(sorted(server.services)) or "none"
        raise Missing("unknown_service", f"There is no service {name!r}. Services: {known}.")
    person = world.person(email)
    if person is None:
        raise Missing("unknown_person", f"Nobody in world {world.name!r} has the address {email!r}.")
    _check_account(world, service, person)
    record = RequestRecord(
        kind="harness", person=person.email, service=service.name, method="POST", host=HOST,
        path=request.url.path, route="POST /worlds/{name}/tokens", status=201,
    )  # fmt: skip
    with acting(record):
        token = auth.issue_token(world, person, service.name, scopes=fields.text("scopes", ""))
    world.log.finish(record)
    return to_json({"token": token, "email": person.email, "service": service.name}, 201)


def _check_account(world: World, service: Service, person: Person) -> None:
    if service.accounts is None:
        return
    holders = [account.email for account in service.accounts(world)]
    if person.email not in holders:
        known = ", ".join(holders) or "nobody"
        raise Missing(
            "no_account",
            f"{person.email} has no account at {service.name} in world {world.name!r}; there: {known}.",
        )


ROUTES: Routes = (
    ("GET", "/worlds/{name}/people", list_people),
    ("POST", "/worlds/{name}/tokens", issue_token),
)
