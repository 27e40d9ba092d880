"""How programs and browser agents get in: environment and tokens for a person at a service, and leases."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fakes.core import auth
from fakes.core.auth import Token
from fakes.core.browsers import Lease
from fakes.core.claimed import has_account
from fakes.core.mcp.routes import tools_path
from fakes.core.people import Person
from fakes.core.service import Service
from fakes.core.world import World
from harness.app import Server
from harness.fields import BadInput
from harness.portal import snippets
from harness.portal.forms import Form, by_harness, done, form_of, here, person_at, service_named
from harness.portal.page import address_of, page, port_of
from harness.portal.panels import services_of

MOST_TOKENS = 100
KINDS = ("agent", "person", "cast")


@dataclass(frozen=True)
class Issued:
    """A token as it is listed: without its text."""

    token: Token
    person: str
    state: str


@dataclass(frozen=True)
class Open:
    """A lease as it is listed: what its holder connects to, with user and password where addresses carry no
    identity; scripts for a browser."""

    lease: Lease
    address: str
    login: tuple[str, str] | None
    script: str
    flags: str


async def show(request: Request) -> Response:
    """The page for `?as=` somebody at a `?service=`."""
    world: World = request.state.world
    server: Server = request.state.server
    service, person = _chosen(world, request)
    keys = "x-live" not in request.headers
    handed = server.door.take_note(request.state.session, "token") if keys else ""
    base = snippets.base_url(address_of(request), world, service) if service else ""
    return page(
        request, "connect.html", tab="connect", service=service, person=person, base=base, token=handed,
        services=services_of(world), people=world.all(Person, "ORDER BY seq"),
        may=bool(service and person and _may(world, service, person)),
        environment=snippets.environment(base, person, handed) if person else None,
        calls=snippets.first_calls(service) if service else [],
        tools=_tools(request, service, person, handed),
        tokens=_tokens(world), leases=_leases(request, world, service), kinds=KINDS,
    )  # fmt: skip


def _tools(
    request: Request, service: Service | None, person: Person | None, token: str | None
) -> list[snippets.Snippet]:
    if service is None or service.mcp is None or person is None:
        return []
    world: World = request.state.world
    url = address_of(request) + tools_path(service, world.name)
    return snippets.tool_clients(url, world, service, person, token)


def _chosen(world: World, request: Request) -> tuple[Service | None, Person | None]:
    """The service and the person that the address names, else the first of each."""
    query = request.query_params
    services = services_of(world)
    service = world.services.get(query.get("service", "")) or (services[0] if services else None)
    person = world.person(query.get("as", "")) or _first_person(world, service)
    return service, person


def _first_person(world: World, service: Service | None) -> Person | None:
    for account in service.accounts(world) if service and service.accounts else ():
        person = world.person(account.email)
        if person is not None:
            return person
    return world.one(Person, "ORDER BY seq")


def _may(world: World, service: Service, person: Person) -> bool:
    """Whether a token for this person means anything to the service."""
    return service.accounts is None or has_account(world, service, person)


def _tokens(world: World) -> list[Issued]:
    people = {person.id: person.email for person in world.all(Person)}
    tokens = world.all(Token, "ORDER BY created_at DESC, length(id) DESC, id DESC LIMIT ?", (MOST_TOKENS,))
    return [
        Issued(token, people.get(token.person_id, token.person_id), _state(world, token)) for token in tokens
    ]


def _state(world: World, token: Token) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at <= world.now() else "good"


def _leases(request: Request, world: World, service: Service | None) -> list[Open]:
    server: Server = request.state.server
    label = service.host_label if service else "gmail"
    url = f"http://{label}.{world.name}.localhost{port_of(request)}/"
    found = []
    for lease in server.leases.all():
        if lease.world == world.name:
            address = f"http://{lease.address}:{server.port}" if lease.address else address_of(request)
            login = None if lease.address else (lease.id, server.leases.password(lease))
            script = snippets.for_browser(address, url, login)
            found.append(Open(lease, address, login, script, snippets.chromium_flags(address)))
    return found


def _back(request: Request, sent: Form, anchor: str) -> str:
    """This page as it was, at one of its sections."""
    query = urlencode({"as": sent.text("email"), "service": sent.text("service")})
    return here(request, f"/connect?{query}#{anchor}")


async def issue(request: Request) -> Response:
    """A new token; the next page shows it, and no page after that."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    service, person = service_named(world, sent.text("service")), person_at(world, sent.text("email"))
    if not _may(world, service, person):
        raise BadInput(f"{person.name} has no account at {service.title}.")
    with by_harness(request, "tokens", service=service.name, person=person.email):
        token = auth.issue_token(world, person, service.name)
    server.door.note(request.state.session, token, "token")
    said = (
        f"A token for {person.name} at {service.title} is issued; it is shown on this page and never again."
    )
    return done(request, said, _back(request, sent, "token"))


async def revoke(request: Request) -> Response:
    """Ends a token before its time."""
    world: World = request.state.world
    sent = await form_of(request)
    token = world.get(Token, sent.text("token"))
    if token is None or token.revoked_at is not None:
        raise BadInput("There is no such token to revoke.")
    with by_harness(request, "tokens/revoke", service=token.service), world.tx() as tx:
        tx.update(token, revoked_at=world.now())
    return done(request, f"Token {token.id} opens nothing any more.", here(request, "/connect#tokens"))


async def open_lease(request: Request) -> Response:
    """A browser or a client of its own, for a person of the world or for nobody in particular."""
    world: World = request.state.world
    server: Server = request.state.server
    sent = await form_of(request)
    kind, medium = sent.text("kind"), sent.text("medium")
    if kind not in KINDS or medium not in ("browser", "client"):
        raise BadInput("Choose who holds the lease, and a browser or a program.")
    holder = person_at(world, sent.text("holder")).email if sent.text("holder") else None
    try:
        lease = await server.lease(world.name, kind=kind, medium=medium, holder=holder)  # type: ignore[arg-type]
    except OSError as error:
        raise BadInput(
            f"A lease found no loopback address of its own here ({error}); serve with --proxy-auth."
        ) from None
    return done(request, f"Lease {lease.id} is open.", _back(request, sent, "leases"))


async def end_lease(request: Request) -> Response:
    """Ends a lease and its connections."""
    server: Server = request.state.server
    sent = await form_of(request)
    wanted, name = sent.text("lease"), request.state.world.name
    lease = next((each for each in server.leases.all() if (each.id, each.world) == (wanted, name)), None)
    if lease is None:
        raise BadInput(f"There is no open lease {wanted!r} here.")
    await server.leases.close(lease)
    return done(request, f"Lease {lease.id} is ended.", here(request, "/connect#leases"))


ROUTES: list[BaseRoute] = [
    Route("/connect", show),
    Route("/tokens", issue, methods=["POST"]),
    Route("/tokens/revoke", revoke, methods=["POST"]),
    Route("/leases", open_lease, methods=["POST"]),
    Route("/leases/end", end_lease, methods=["POST"]),
]
