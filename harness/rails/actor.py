"""An actor: a person of the world with one lease, as plays and agents hold it, whatever the rail."""

from __future__ import annotations

import operator
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol

import httpx

from fakes.core import auth
from fakes.core.browsers import Lease
from fakes.core.links import by_path
from fakes.core.mcp.routes import HOST_PATH
from fakes.core.objects import StoredObject
from fakes.core.people import Person
from fakes.core.requests import READS, RequestRecord
from fakes.core.world import World
from harness.guards import TaskError
from harness.rails.forge import Forge, PlayError
from harness.rails.verbs import Verbs, is_expected
from harness.steps import Steps
from harness.tap import Sent, Tap
from harness.task import Task

if TYPE_CHECKING:
    from playwright.async_api import FilePayload

TIMEOUT = 10.0
_OWN_HEADERS = frozenset({"host", "content-length", "connection", "accept-encoding", "transfer-encoding"})


def is_address(path: str) -> bool:
    """Whether this is a whole address, and no path; a query may hold one."""
    return not path.startswith("/") and "://" in path.partition("?")[0]


@dataclass(frozen=True)
class Place:
    """Where an actor acts: the world, the task, the person, the lease, and the server's port and tap."""

    name: str
    person: Person
    task: Task
    facts: Any
    world: World
    lease: Lease
    port: int
    tap: Tap
    steps: Steps
    services: tuple[str, ...]
    timeout: float = TIMEOUT


class Rail(Protocol):
    """Signs a person in and hands out the actor; `medium` is what kind of lease it drives."""

    name: str
    medium: Literal["browser", "client"]

    async def enter(self, place: Place) -> Actor:
        """The signed-in actor at this place; `actor.leave()` gives everything back."""
        ...


class Client(Verbs):
    """One service, spoken to by program: the actor's token, over the actor's lease.

    Paths are the service's own. A play's client `raises` for an error status; an agent's hands it out.
    """

    def __init__(self, actor: Actor, service: str, *, raises: bool = True) -> None:
        place = actor.place
        if service not in place.world.services:
            raise PlayError(
                f"There is no service {service!r} here; there are {', '.join(place.world.services)}."
            )
        prefix = by_path(place.world.services[service], place.world.name)
        self._actor, self._base = actor, f"http://{place.lease.address}:{place.port}{prefix}"
        self._token, self._raises = actor.tokens.get(service), raises

    async def request(
        self,
        method: str,
        path: str,
        *,
        expect: int | Iterable[int] | None = None,
        headers: dict[str, str] | None = None,
        **content: Any,
    ) -> httpx.Response:
        """Sends a request; `json=`, `data=`, `content=`, `files=`, `params=` as in httpx, `path` also as a
        whole URL.

        Raises PlayError for any status beside those in `expect`; without it, in a play, for an error status.
        """
        if method.upper() not in READS:
            self._actor.place.steps.use()
        url = path if path.startswith("http://") else f"{self._base}/{path.lstrip('/')}"
        sent = {"authorization": f"Bearer {self._token}"} if self._token else {}
        response = await self._actor.http.request(method, url, headers={**sent, **(headers or {})}, **content)
        if (self._raises or expect) and not is_expected(response, expect):
            said = response.text[:300].replace("\n", " ")
            raise PlayError(
                f"{self._actor.name}: {method} {path} was answered {response.status_code}: {said}"
            )
        return response


class Actor:
    """A person at work. `get`, `post` … talk to the product by program, `api("gmail")` to another service."""

    lent = frozenset({"name", "person", "input", "inputs"})
    """What of it an agent gets beside the product's and other services' clients."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.name, self.person = place.name, place.person
        self.strayed: list[str] = []
        self.tokens = {s: auth.issue_token(place.world, place.person, s) for s in place.services}
        # No TLS is ever spoken to a lease's address; without verification no certificates are loaded.
        self.http = httpx.AsyncClient(timeout=place.timeout, trust_env=False, verify=False)
        self.credential = self._token_credential()
        self._product = Client(self, place.task.env.product)
        self.get, self.post, self.put = self._product.get, self._product.post, self._product.put
        self.patch, self.delete, self.request = (
            self._product.patch,
            self._product.delete,
            self._product.request,
        )

    def _token_credential(self) -> str | None:
        product = self.place.task.env.product
        token = self.tokens.get(product)
        found = auth.find_token(self.place.world, product, token) if token else None
        return f"token:{found.id}" if found else None

    async def collect(self) -> dict[str, bytes]:
        """What was recorded of the actor beside the evidence, by name; of a program nothing is."""
        return {}

    async def leave(self) -> None:
        """Closes what the actor held open."""
        await self.http.aclose()

    def hurry(self, seconds: float) -> None:
        """Waits for nothing longer than this from now on: what a play waits for may never come."""
        self.http.timeout = httpx.Timeout(seconds)

    def api(self, service: str) -> Client:
        """Another service of the world, spoken to by program."""
        return Client(self, service)

    @property
    def page(self) -> Any:
        """The browser page; only in browser tasks."""
        raise PlayError(
            f"{self.name} has no page: {self.place.task.slug} is played by {self.place.task.surface}."
        )

    @asynccontextmanager
    async def step(self, name: str) -> AsyncIterator[None]:
        """A named stretch of the play. `prove` leaves each out, and does each twice; use `page` inside it."""
        async with self.place.steps.go(name, self.name, self._newest, self._send_again):
            yield

    async def _newest(self) -> int:
        await self.place.tap.quiet(self.place.lease.address)
        return self.place.world.log.newest

    async def _send_again(self, after: int, until: int) -> int:
        writes = self.place.tap.sent(self.place.lease.address, after, until)
        for sent in writes:
            await self.send_again(sent)
        return len(writes)

    async def send_again(self, sent: Sent) -> None:
        """Sends a write of this actor once more as it was, whatever the answer."""
        headers = {name: value for name, value in sent.headers if name not in _OWN_HEADERS}
        url = f"http://{self.place.lease.address}:{self.place.port}{sent.target}"
        await self.http.request(sent.method, url, content=sent.body, headers={**headers, "host": sent.host})

    # inputs

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs that the task declares."""
        return tuple(self.place.task.inputs)

    def input(self, name: str) -> bytes:
        """The bytes of an input that the task declares. Raises TaskError."""
        if name not in self.place.task.inputs:
            known = ", ".join(self.inputs) or "none"
            raise TaskError(f"{self.place.task.slug} declares no input {name!r}; its inputs: {known}.")
        held = operator.attrgetter(self.place.task.inputs[name])(self.place.facts)
        content = _bytes_of(held, self.place.world)
        if content is None:
            raise TaskError(
                f"Input {name!r} of {self.place.task.slug} is {held!r}, which has neither bytes nor text."
            )
        return content

    def upload(self, name: str, media_type: str = "text/plain") -> FilePayload:
        """An input as Playwright's `set_input_files` takes it."""
        return {"name": name, "mimeType": media_type, "buffer": self.input(name)}

    # straight into the tables

    @property
    def forge(self) -> Forge:
        """Rows written past the product, journaled as this actor's by the task's own route."""
        return Forge(self.place.world, self.place.steps, self._forged())

    def _forged(self) -> RequestRecord:
        task, lease = self.place.task, self.place.lease
        method, _, path = task.route.partition(" ")
        service = self.place.world.services[task.env.product]
        in_browser = task.surface == "browser"
        if task.surface == "mcp":  # its route names the tool, whatever the request was
            method, path = "POST", HOST_PATH
        return RequestRecord(
            lease=lease.id,
            kind=lease.kind,
            person=self.person.email,
            credential=self.credential,
            surface=task.surface,
            service=task.env.product,
            method=method,
            host=f"{service.host_label}.{self.place.world.name}.localhost",
            path=path,
            route=task.route,
            status=200,
            mode="cors" if in_browser else None,
            dest="empty" if in_browser else None,
        )


_BY_PROGRAM = frozenset("request get post put patch delete".split())
_SOFTER = {"goto": {"raises": False}, "call": {"may_be_refused": True}}


class Lent:
    """An actor as an agent gets it: what its person could do on this rail, and no way into the tables.

    An error status is an answer here, for the agent to read, and raises nothing.
    """

    def __init__(self, actor: Actor) -> None:
        self.__actor = actor
        self.__product = self.api(actor.place.task.env.product)

    def api(self, service: str) -> Client:
        """A service of the world, spoken to by program."""
        return Client(self.__actor, service, raises=False)

    def __dir__(self) -> list[str]:
        return sorted({"api", *_BY_PROGRAM, *self.__actor.lent})

    def __getattr__(self, name: str) -> Any:
        if name in _BY_PROGRAM:
            return getattr(self.__product, name)
        if name in self.__actor.lent:
            found = getattr(self.__actor, name)
            return partial(found, **_SOFTER[name]) if name in _SOFTER else found
        raise AttributeError(f"This actor has no {name!r}; it has {', '.join(dir(self))}.")


def _bytes_of(held: Any, world: World) -> bytes | None:
    for value in (held, *(getattr(held, name, None) for name in ("content", "text", "body"))):
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, bytes):
            return value
    stored = getattr(held, "object_id", None)
    row = world.get(StoredObject, stored) if stored else None
    return row.content if row else None
