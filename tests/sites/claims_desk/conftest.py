"""A world with Harborlight's desk, a neighbour's, and a post office that keeps what it delivers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from starlette.responses import PlainTextResponse

from fakes.core import auth
from fakes.core.browsers import Leases
from fakes.core.capabilities import MAIL_DELIVER, MailRefused, OutgoingMail
from fakes.core.clock import instant
from fakes.core.gateway import Gateway
from fakes.core.people import Person
from fakes.core.refusals import Refusals
from fakes.core.seeding import Base, Seed, build_base
from fakes.core.service import Service
from fakes.core.store import Row
from fakes.core.world import Genesis, World
from fakes.core.worlds import Worlds
from sites.claims_desk import service
from sites.claims_desk.schema import Operator
from sites.claims_desk.seed import Desk as Desk
from sites.claims_desk.seed import harborlight_desk

SITE = "http://127.0.0.1/w/{world}/sites/claims_desk"
BASE_DATE, ZONE = date(2025, 10, 21), "America/New_York"


class Posted(Row, table="post_mails"):
    """A mail that the post office took."""

    id: str
    seq: int
    sender: str
    receiver: str
    subject: str
    text: str


def deliver(world: World, mail: OutgoingMail) -> str:
    """Keeps the mail; refuses receivers at refused.example after having begun to write."""
    with world.tx() as tx:
        seq = tx.seq("post_mail")
        id = f"<{seq}.as.long.as.mail.systems.number.what.they.take@post>"
        tx.insert(Posted(
            id=id, seq=seq, sender=mail.sender, receiver=mail.to[0], subject=mail.subject,
            text=mail.text,
        ))  # fmt: skip
        if mail.to[0].endswith("@refused.example"):
            raise MailRefused("no such mailbox.")
    return id


post = Service(
    name="post", title="Post", summary="Keeps mails.", kind="fake", tables=(Posted,), routes=list,
    offers={MAIL_DELIVER: deliver},
)  # fmt: skip
SERVICES = {"claims_desk": service, "post": post}


@dataclass(frozen=True)
class Facts:
    """Who and what the tests speak of."""

    desk: Desk
    mira: Person
    jonas: Person
    manager: Person
    outsider: Person
    visitor: Person


def seed(w: Seed) -> Facts:
    """The desk and its people; the visitor has no log-in at it."""
    mira = w.person("mira@harborlight.example", "Mira Okafor")
    jonas = w.person("jonas@harborlight.example", "Jonas Weber")
    manager = w.person("tom@harborlight.example", "Tom Becker")
    outsider = w.person("olga@cobblestone.example", "Olga Stern")
    visitor = w.person("vera@harborlight.example", "Vera Lund")
    desk = harborlight_desk(w, operators=[mira, jonas], manager=manager, outsider=outsider)
    return Facts(desk, mira, jonas, manager, outsider, visitor)


@cache
def base_on(day: date = BASE_DATE, zone: str = ZONE) -> Base:
    """The pristine desk on a date in a zone."""
    genesis = Genesis(1, b"a secret for tests", instant(day, "09:30", ZoneInfo(zone)), zone, "desk")
    return build_base(SERVICES, genesis, seed)


@pytest.fixture(scope="session")
def facts() -> Facts:
    """What was seeded."""
    found: Facts = base_on().facts
    return found


@pytest.fixture(scope="session")
def desk(facts: Facts) -> Desk:
    """The rows of Harborlight's desk."""
    return facts.desk


@pytest.fixture
def me(desk: Desk) -> Operator:
    """Harborlight's first operator."""
    return desk.operators[0]


@pytest.fixture
def worlds() -> Iterator[Worlds]:
    """The worlds `main` and `other`, both pristine."""
    found = Worlds(SERVICES)
    for name in ("main", "other"):
        found.create(name, base_on().image)
    yield found
    found.close()


@pytest.fixture
def world(worlds: Worlds) -> World:
    """The world `main`."""
    return worlds.get("main")


class Api:
    """Calls the desk through the gateway, as the holder of a token, a cookie, a link or nothing."""

    def __init__(
        self, client: httpx.AsyncClient, world: World, headers: dict[str, str] | None = None
    ) -> None:
        self._client, self.world, self.headers = client, world, headers or {}

    def with_token(self, person: Person, service: str = "claims_desk") -> Api:
        """As this person, with a fresh bearer token."""
        token = auth.issue_token(self.world, person, service)
        return Api(self._client, self.world, {"Authorization": f"Bearer {token}"})

    def with_cookie(self, person: Person, *, stage: str = "full", csrf: bool = True) -> Api:
        """As this person in a browser that is logged in."""
        session, value = auth.start_session(self.world, "claims_desk", person, stage)
        headers = {"Cookie": f"{auth.cookie_name(self.world, 'claims_desk')}={value}"}
        if csrf:
            headers["X-CSRF"] = auth.csrf(self.world, session)
        return Api(self._client, self.world, headers)

    def with_link(self, token: str) -> Api:
        """As whoever holds a questionnaire's link."""
        return Api(self._client, self.world, {"Authorization": f"Link {token}"})

    def anonymous(self) -> Api:
        """As nobody."""
        return Api(self._client, self.world)

    def at(self, world: World) -> Api:
        """The same credential in another world."""
        return Api(self._client, world, self.headers)

    async def call(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        """Any request."""
        headers = {**self.headers, **kwargs.pop("headers", {})}
        return await self._client.request(
            method, SITE.format(world=self.world.name) + path, headers=headers, **kwargs
        )

    async def get(self, path: str, **params: Any) -> httpx.Response:
        """GET."""
        return await self.call("GET", path, params=params or None)

    async def post(self, path: str, /, **body: Any) -> httpx.Response:
        """POST with a JSON object."""
        return await self.call("POST", path, json=body)


@pytest.fixture
def nobody(worlds: Worlds, world: World) -> Api:
    """A caller without any credential."""
    nothing = PlainTextResponse("nothing", 404)
    gateway = Gateway(worlds, Leases(), Refusals(), portal=nothing, control=nothing)
    return Api(httpx.AsyncClient(transport=httpx.ASGITransport(app=gateway)), world)


@pytest.fixture
def api(nobody: Api, facts: Facts) -> Api:
    """Mira with a bearer token."""
    return nobody.with_token(facts.mira)


@pytest.fixture
def outsider(nobody: Api, facts: Facts) -> Api:
    """The neighbour's operator with a bearer token."""
    return nobody.with_token(facts.outsider)


def mails(world: World, to: str | None = None) -> list[Posted]:
    """What the post office delivered, oldest first."""
    every = world.all(Posted, "ORDER BY seq")
    return [mail for mail in every if to in (None, mail.receiver)]


def link_in(mail: Posted) -> str:
    """The token of the public link in a mail."""
    start = "http://claims-desk.this.localhost/q/"
    return next(line for line in mail.text.splitlines() if line.startswith(start)).removeprefix(start)
