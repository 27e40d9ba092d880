"""The control plane: JSON over host `control.localhost`, for the harness and the command line.

Whoever comes without the server's secret (every agent token, every page) gets the 404 of a page that does not
exist, and the attempt is recorded outside the worlds. Leases do not get here at all: the gateway answers them
so by itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import Any
from zoneinfo import ZoneInfo

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fakes.core import auth
from fakes.core.browsers import Lease
from fakes.core.clock import MODES, wall_ms
from fakes.core.errors import Refused, UnknownService
from fakes.core.ids import same
from fakes.core.journal import encode
from fakes.core.people import Person, password
from fakes.core.requests import RequestRecord, acting
from fakes.core.service import Service
from fakes.core.world import World
from harness.app import BASE_DATE, ZONE, Server, Start, UnknownScenario, discover_scenarios, morning_of
from harness.fields import BadInput, Fields, number_in_query
from harness.instants import instant_of, iso, later, next_due, zone_of

HOST = "control.localhost"
KINDS = ("agent", "person", "cast", "harness")
MEDIA = ("client", "browser")
Endpoint = Callable[[Server, Request], Awaitable[Any]]


def control_app(server: Server) -> ASGIApp:
    """The control plane of one server, closed to whoever lacks its secret."""
    routes = [Route(path, _answering(server, call), methods=[method]) for method, path, call in ROUTES]
    handlers: dict[Any, Any] = {
        Refused: _on_refused, BadInput: _on_bad_input, UnknownScenario: _on_bad_input,
        HTTPException: _on_http_error, Exception: _on_crash,
    }  # fmt: skip
    app = Starlette(routes=routes, exception_handlers=handlers)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _holds_secret(server, scope):
            await app(scope, receive, send)
        else:
            await _turn_away(server, scope, receive, send)

    return guarded


def _holds_secret(server: Server, scope: Scope) -> bool:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    wanted = f"Bearer {server.control_secret}"
    return len(given) == 1 and same(given[0].decode("latin-1"), wanted)


async def _turn_away(server: Server, scope: Scope, receive: Receive, send: Send) -> None:
    server.refusals.add(
        lease=None, world=None, method=scope.get("method", "WEBSOCKET"), host=HOST, path=scope["path"],
        reason="the control plane, without its secret",
    )  # fmt: skip
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    refusal = UnknownService("There is nothing here.")
    await _json(refusal.body(), refusal.status)(scope, receive, send)


def _answering(server: Server, call: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        answer = await call(server, request)
        return answer if isinstance(answer, Response) else _json(answer)

    return endpoint


def _json(body: Any, status: int = 200) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(encode(body), status, headers=headers, media_type="application/json")


def _error(status: int, code: str, message: str) -> Response:
    return _json({"error": {"code": code, "message": message}}, status)


async def _on_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _json(error.body(), error.status)


async def _on_bad_input(request: Request, error: Exception) -> Response:
    status, code = (404, error.code) if isinstance(error, Missing) else (400, "bad_input")
    return _error(status, code, str(error))


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "unknown_path", 405: "wrong_method"}.get(error.status_code, "refused")
    return _error(error.status_code, code, f"{request.method} {request.url.path}: {error.detail}.")


async def _on_crash(request: Request, error: Exception) -> Response:
    return _error(500, "internal", f"{type(error).__name__}: {error}")


class Missing(BadInput):
    """Something named in the request that the world does not have: 404."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


# the server


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
    return {"url": f"{server.url}/open?key={server.door.new_key()}"}


async def list_refusals(server: Server, request: Request) -> Any:
    """What was turned away, oldest first; `?lease=` and `?world=` narrow it."""
    query = request.query_params
    wanted = {name: query[name] for name in ("lease", "world") if name in query}
    found = [asdict(refusal) for refusal in server.refusals.all()]
    return {"refusals": [each for each in found if wanted.items() <= each.items()]}


# worlds


def _world(server: Server, request: Request) -> World:
    return server.worlds.get(request.path_params["name"])


def _clock(world: World) -> dict[str, Any]:
    now, due = world.now(), next_due(world)
    return {
        "mode": world.clock.mode,
        "at_ms": now,
        "at": iso(now, world.zone),
        "zone": world.zone.key,
        "step_ms": world.clock.step_ms,
        "next_due": None if due is None else iso(due, world.zone),
    }


def _summary(world: World) -> dict[str, Any]:
    return {
        "name": world.name,
        "scenario": world.scenario,
        "seed": world.seed,
        "pristine_hash": world.pristine_hash,
        "people": world.count(Person),
        "requests": world.log.newest,
        "clock": _clock(world),
    }


async def list_worlds(server: Server, request: Request) -> Any:
    """Every world, by name."""
    return {"worlds": [_summary(server.worlds.get(name)) for name in server.worlds.names()]}


async def show_world(server: Server, request: Request) -> Any:
    """One world."""
    return _summary(_world(server, request))


async def create_world(server: Server, request: Request) -> Any:
    """Seeds a world: {name, scenario, seed, at, zone, mode, replace}; only the name is needed.

    `at` is an instant, a date (its 09:30) or "now"; without one the clock stands on the scenarios' own day.
    """
    fields = await Fields.read(request, "name", "scenario", "seed", "at", "zone", "mode", "replace")
    name, zone = fields.text("name"), zone_of(fields.text("zone", ZONE))
    start = Start(
        scenario=fields.text("scenario", "office"),
        seed=fields.number("seed", 1),
        at_ms=_first_instant(fields.text("at", ""), zone),
        zone=zone.key,
    )
    mode = fields.choice("mode", MODES, "frozen")
    server.base(start)  # a seed that fails must not cost the world that it was to replace
    if fields.flag("replace") and name in server.worlds.names():
        await server.remove_world(name)
    return _json(_summary(server.create_world(name, start, mode)), 201)


def _first_instant(at: str, zone: ZoneInfo) -> int:
    if at == "now":
        return wall_ms()
    return instant_of(at, zone) if at else morning_of(BASE_DATE, zone.key)


async def delete_world(server: Server, request: Request) -> Any:
    """Ends a world and its leases."""
    await server.remove_world(_world(server, request).name)
    return Response(status_code=204)


async def reset_world(server: Server, request: Request) -> Any:
    """Puts the pristine state back; the clock goes on in the mode it had."""
    world = _world(server, request)
    return {"hash": server.reset_world(world.name), "clock": _clock(world)}


async def fork_world(server: Server, request: Request) -> Any:
    """A copy under another name: {name}."""
    fields = await Fields.read(request, "name")
    return _json(_summary(server.fork_world(_world(server, request).name, fields.text("name"))), 201)


async def download_image(server: Server, request: Request) -> Any:
    """The whole world as a SQLite file."""
    world = _world(server, request)
    headers = {"Content-Disposition": f'attachment; filename="{world.name}.sqlite"'}
    return Response(world.image(), media_type="application/vnd.sqlite3", headers=headers)


async def show_hash(server: Server, request: Request) -> Any:
    """The hash of the present state and that of the pristine one."""
    world = _world(server, request)
    return {"hash": world.state_hash(), "pristine_hash": world.pristine_hash}


async def show_diff(server: Server, request: Request) -> Any:
    """What differs from the seed, or after journal row `?since=`, a change for each row touched."""
    world = _world(server, request)
    since = number_in_query(request, "since", 0)
    return {"head": world.journal.head(), "changes": [asdict(change) for change in world.diff(since)]}


async def list_requests(server: Server, request: Request) -> Any:
    """The request log after number `?after=`, at most `?limit=` (1000) of it; `?lease=` narrows it."""
    world = _world(server, request)
    after, limit = number_in_query(request, "after", 0), number_in_query(request, "limit", 1000, most=10_000)
    lease = request.query_params.get("lease")
    narrowed, params = (" AND lease = ?", (lease,)) if lease else ("", ())
    tail = f"WHERE id > ?{narrowed} ORDER BY id LIMIT ?"
    return {"requests": [asdict(row) for row in world.log.rows(tail, (after, *params, limit))]}


# the clock


async def show_clock(server: Server, request: Request) -> Any:
    """Mode and instant of the run clock, and when the next planned thing is due."""
    return _clock(_world(server, request))


async def set_clock(server: Server, request: Request) -> Any:
    """Turns the clock to another mode: {mode}, and for stepping how far a write moves it: {step_ms}."""
    world = _world(server, request)
    fields = await Fields.read(request, "mode", "step_ms")
    turned = world.clock.turned(fields.choice("mode", MODES, world.clock.mode))
    step_ms = fields.number("step_ms", turned.step_ms)
    if not 0 < step_ms <= 86_400_000:
        raise BadInput(f"'step_ms' is {step_ms}: a step lasts from 1 to 86400000 milliseconds.")
    world.set_clock(replace(turned, step_ms=step_ms))
    return _clock(world)


async def advance_clock(server: Server, request: Request) -> Any:
    """Moves the clock on, firing what is due on the way: {to: instant}, {by: "2h"} or {next: true}."""
    world = _world(server, request)
    fields = await Fields.read(request, "to", "by", "next")
    if len(fields) != 1:
        raise BadInput('Say one of: {"to": "2025-10-21T14:00"}, {"by": "2h"} or {"next": true}.')
    target = _target(world, fields)
    if target < world.now():
        raise BadInput(f"The run clock stands at {iso(world.now(), world.zone)} and can't go back.")
    return {"fired": world.advance(target), "clock": _clock(world)}


def _target(world: World, fields: Fields) -> int:
    if "by" in fields:
        return later(world, fields.text("by"))
    if "to" in fields:
        return instant_of(fields.text("to"), world.zone)
    due = next_due(world)
    if due is None:
        raise BadInput("Nothing is planned, so there is no next due thing to go to.")
    return due


# people and tokens


async def list_people(server: Server, request: Request) -> Any:
    """Who lives in the world, with passwords: whoever asks here holds the secret that they follow from."""
    world = _world(server, request)
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
    world = _world(server, request)
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
    return _json({"token": token, "email": person.email, "service": service.name}, 201)


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


# leases


def _lease(server: Server, lease: Lease) -> dict[str, Any]:
    return {**asdict(lease), "url": f"http://{lease.address}:{server.port}"}


async def list_leases(server: Server, request: Request) -> Any:
    """The open leases, oldest first."""
    return {"leases": [_lease(server, lease) for lease in server.leases.all()]}


async def open_lease(server: Server, request: Request) -> Any:
    """A browser or client of its own: {world, kind, medium, holder}. `url` is its proxy, or its host."""
    fields = await Fields.read(request, "world", "kind", "medium", "holder")
    kind = fields.choice("kind", KINDS, "agent")
    medium = fields.choice("medium", MEDIA, "client")
    world, holder = fields.text("world"), fields.text("holder", "") or None
    try:
        lease = await server.lease(world, kind=kind, medium=medium, holder=holder)  # type: ignore[arg-type]
    except OSError as error:
        return _error(503, "no_address", f"A lease found no loopback address of its own here: {error}.")
    return _json(_lease(server, lease), 201)


async def close_lease(server: Server, request: Request) -> Any:
    """Ends a lease and its connections."""
    wanted = request.path_params["lease"]
    lease = next((lease for lease in server.leases.all() if lease.id == wanted), None)
    if lease is None:
        raise Missing("unknown_lease", f"There is no open lease {wanted!r}.")
    await server.leases.close(lease)
    return Response(status_code=204)


ROUTES: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/", show_server),
    ("POST", "/portal", new_portal_link),
    ("GET", "/refusals", list_refusals),
    ("GET", "/worlds", list_worlds),
    ("POST", "/worlds", create_world),
    ("GET", "/worlds/{name}", show_world),
    ("DELETE", "/worlds/{name}", delete_world),
    ("POST", "/worlds/{name}/reset", reset_world),
    ("POST", "/worlds/{name}/fork", fork_world),
    ("GET", "/worlds/{name}/image", download_image),
    ("GET", "/worlds/{name}/hash", show_hash),
    ("GET", "/worlds/{name}/diff", show_diff),
    ("GET", "/worlds/{name}/requests", list_requests),
    ("GET", "/worlds/{name}/clock", show_clock),
    ("POST", "/worlds/{name}/clock", set_clock),
    ("POST", "/worlds/{name}/clock/advance", advance_clock),
    ("GET", "/worlds/{name}/people", list_people),
    ("POST", "/worlds/{name}/tokens", issue_token),
    ("GET", "/leases", list_leases),
    ("POST", "/leases", open_lease),
    ("DELETE", "/leases/{lease}", close_lease),
)
"""Every way in: method, path and what answers."""
