"""Claimed identities: a person's own browser that the portal opened as somebody of a world.

A *ticket* is a link on a service's host, good once and for a minute. Following it signs the browser in, where
the person has an account, and gives it a cookie by which the request log names each of its requests:
kind `person`, lease "mira (claimed)". Only the browser says so, so no graded run believes it: a lease's own
requests ignore the cookie, a lease gets 404 for a ticket, and no lease has such a name.

All of it is kept by the server, outside every world: a reset or a restore leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from fakes.core import auth
from fakes.core.clock import wall_ms
from fakes.core.ids import digest, draw_token
from fakes.core.requests import REDACTED, RequestRecord

if TYPE_CHECKING:
    from fakes.core.people import Person
    from fakes.core.service import Service
    from fakes.core.world import World

PATH = "/_as"
TICKET_MS = 60_000  # of wall time
MOST_TICKETS = 256
MARK = "(claimed)"
_SPENT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Spent</title>
<meta name="robots" content="noindex"><style>:root{color-scheme:light dark}</style>
<h1>This link is spent</h1><p>It works once, and for a minute. Open the person again from the portal.</p>
"""


@dataclass(frozen=True)
class Claim:
    """A browser that was opened as a person at one service; `session` is what it was signed in with."""

    id: int
    world: str
    service: str
    email: str
    session: str | None

    @property
    def name(self) -> str:
        """What the request log calls the browser: "mira (claimed)"."""
        return _name(self.email)


def _name(email: str) -> str:
    return f"{email.partition('@')[0]} {MARK}"


@dataclass(frozen=True)
class _Ticket:
    world: str
    service: str
    email: str
    until: int


class Claims:
    """The tickets and claimed browsers of one server; as an ASGI app, what answers at PATH."""

    def __init__(self) -> None:
        self._tickets: dict[str, _Ticket] = {}
        self._claims: dict[str, Claim] = {}
        self._count = 0
        self.cookie = f"pc_as_{draw_token(6)}"  # of this server alone: cookies ignore ports

    @property
    def count(self) -> int:
        """Moves with each claim that begins or ends."""
        return self._count

    def all(self, world: str) -> list[Claim]:
        """The browsers that are open as somebody of a world, oldest first."""
        return [claim for claim in self._claims.values() if claim.world == world]

    def ticket(self, world: World, service: Service, person: Person) -> str:
        """A ticket: the text that `PATH?ticket=…` on the service's host takes."""
        now = wall_ms()
        fresh = {key: kept for key, kept in self._tickets.items() if kept.until > now}
        self._tickets = dict(list(fresh.items())[1 - MOST_TICKETS :])
        text = draw_token()
        self._tickets[digest(text)] = _Ticket(world.name, service.name, person.email, now + TICKET_MS)
        return text

    def named(self, cookies: str, world: str) -> Claim | None:
        """Who the browser with this Cookie header is open as in this world."""
        if not self._claims or self.cookie not in cookies:
            return None
        return next((c for _, c in self._carried(cookies) if c.world == world), None)

    def _carried(self, cookies: str) -> Iterator[tuple[str, Claim]]:
        """The claims that a Cookie header names; that of the very host before that of its world."""
        given = dict(part.strip().partition("=")[::2] for part in cookies.split(";"))
        for name in (self.cookie, f"{self.cookie}_world"):
            key = digest(given.get(name, ""))
            if key in self._claims:
                yield key, self._claims[key]

    def end(self, world: World, claim: Claim) -> None:
        """The browser is nobody any more, and its session is over."""
        for key in [key for key, each in self._claims.items() if each.id == claim.id]:
            del self._claims[key]
            self._count += 1
        session = world.get(auth.Session, claim.session) if claim.session else None
        person = world.person(claim.email)
        if session is not None and session.ended_at is None and person and session.person_id == person.id:
            auth.end_session(world, session)

    def forget(self, world: str) -> None:
        """The world is gone, or made anew."""
        self._tickets = {key: kept for key, kept in self._tickets.items() if kept.world != world}
        self._claims = {key: kept for key, kept in self._claims.items() if kept.world != world}
        self._count += 1

    # following a ticket

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers at PATH of a service's host."""
        request = Request(scope)
        record: RequestRecord = request.state.record
        record.route = f"GET {PATH}"
        record.query = f"ticket={REDACTED}" if record.query else ""
        answer = self._follow(request, record)
        answer.headers.update({"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
        await answer(scope, receive, send)

    def _follow(self, request: Request, record: RequestRecord) -> Response:
        world: World = request.state.world
        service = world.services[record.service or ""]
        person = self._spend(request, world, service)
        if person is None:
            return HTMLResponse(_SPENT, 404)
        answer = RedirectResponse("/", 303)
        record.kind, record.lease = "person", _name(person.email)
        self._leave(request, world, service)
        self._count += 1
        session = None
        if has_account(world, service, person):
            session, value = auth.start_session(world, service.name, person)
            auth.set_cookie(answer, request, service.name, value)
            auth.note_credential(request, f"session:{session.id}", person)
        claim = Claim(self._count, world.name, service.name, person.email, session.id if session else None)
        text = draw_token()
        self._claims[digest(text)] = claim
        answer.set_cookie(self.cookie, text, httponly=True, samesite="lax")
        # links lead on to other services of the world, where the browser is the same person's
        world_host = f"{world.name}.localhost"
        answer.set_cookie(f"{self.cookie}_world", text, domain=world_host, httponly=True, samesite="lax")
        return answer

    def _spend(self, request: Request, world: World, service: Service) -> Person | None:
        """The person of a live ticket for this world and service; whatever it was, it is spent."""
        if request.method != "GET":
            return None
        ticket = self._tickets.pop(digest(request.query_params.get("ticket", "")), None)
        if ticket is None or ticket.until <= wall_ms():
            return None
        if (ticket.world, ticket.service) != (world.name, service.name):
            return None
        return world.person(ticket.email)

    def _leave(self, request: Request, world: World, service: Service) -> None:
        """Ends what this browser was at this service until now."""
        for _, claim in list(self._carried(request.headers.get("cookie", ""))):
            if (claim.world, claim.service) == (world.name, service.name):
                self.end(world, claim)


def has_account(world: World, service: Service, person: Person) -> bool:
    """Whether this person can log in at this service."""
    return service.accounts is not None and person.email in {a.email for a in service.accounts(world)}
