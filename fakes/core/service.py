"""The manifest of a service: what the kernel must know of a fake or a site, in one value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Literal

from starlette.requests import Request
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fakes.core.capabilities import Capability
from fakes.core.requests import REDACTED
from fakes.core.store import Row

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.responses import Response

    from fakes.core.journal import Tx
    from fakes.core.mcp.tools import Tools
    from fakes.core.outbox import Outgoing, Post, Stamp
    from fakes.core.seeding import Section
    from fakes.core.world import World

_SECRET_PARAMS = ("token", "code")


@dataclass(frozen=True)
class Account:
    """A log-in that the portal shows: a person's address and where to use it."""

    email: str
    note: str = ""


@dataclass(frozen=True)
class Sample:
    """A first call for programs, as the portal's snippets make it.

    `path` answers a GET: below the world's address for a fake, below its own for a site. For Google's clients
    `google` names api, version and method: ("gmail", "v1", 'users().getProfile(userId="me")').
    """

    path: str
    google: tuple[str, str, str] | None = None


@dataclass(frozen=True)
class Coverage:
    """Which methods a vendor's API has, by their names, and which of them a fake answers; sorted."""

    methods: Sequence[str]
    faked: Sequence[str]

    @property
    def not_faked(self) -> list[str]:
        """Those that it does not answer."""
        return sorted(set(self.methods) - set(self.faked))


@dataclass(frozen=True)
class Service:
    """One fake or site.

    `routes` builds its Starlette routes (imported lazily); fakes name the vendor's path prefixes in
    `api_paths` (no leading slash); `offers` are capabilities; `due` handles planned work by kind; `refuse`
    renders an error in the vendor's dialect; `redact` adds body fields that the request log must not keep;
    `sample` is a first call for programs, `coverage` tells how much of the vendor's API there is.

    `sends` makes HTTP deliveries, signed in the service's own way, of its outgoing rows by kind (raises
    `outbox.NotSendable`); `takes` handles those that others put for this service, `inside:NAME`, by kind.

    For saved seeds, `secrets` names what follows from the world's secret and stands in stored rows (links in
    mails), and `derive` makes anew what follows from rows alone (an index of words). `sections` are the parts
    of a YAML seed that the service reads.

    `mcp` makes its tools for agents, always the same ones (imported lazily).
    """

    name: str
    title: str
    summary: str
    kind: Literal["fake", "site"]
    tables: tuple[type[Row], ...]
    routes: Callable[[], list[BaseRoute]]
    api_paths: tuple[str, ...] = ()
    offers: Mapping[Capability[Any], Callable[..., Any]] = field(default_factory=dict)
    due: Mapping[str, Callable[[World, dict[str, Any]], None]] = field(default_factory=dict)
    refuse: Callable[[Request, HTTPException], Response] | None = None
    sends: Mapping[str, Callable[[World, Outgoing, Stamp], Post]] = field(default_factory=dict)
    takes: Mapping[str, Callable[[World, Outgoing], None]] = field(default_factory=dict)
    redact: frozenset[str] = frozenset()
    ddl: tuple[str, ...] = ()
    accounts: Callable[[World], list[Account]] | None = None
    sample: Sample | None = None
    coverage: Callable[[], Coverage] | None = None
    secrets: Callable[[World], Mapping[str, str]] | None = None
    derive: Callable[[World, Tx], None] | None = None
    sections: Callable[[], Mapping[str, Section]] | None = None
    mcp: Callable[[], Tools] | None = None

    @property
    def host_label(self) -> str:
        """The service's label in a host name."""
        return self.name.replace("_", "-")


class LoggedRoute(Route):
    """A route that tells the request log its template, and takes secrets in the path out of the log."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        if iscoroutinefunction(endpoint):
            self.app = _answering(endpoint)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers the request."""
        self.note(scope)
        await super().handle(scope, receive, send)

    def note(self, scope: Scope) -> None:
        """Tells the request log."""
        record = scope.get("state", {}).get("record")
        if record is not None:
            record.route = f"{scope['method']} {self.path}"
            if params := scope.get("path_params"):
                for name in _SECRET_PARAMS:
                    if name in params:
                        record.path = record.path.replace(str(params[name]), REDACTED)


def _answering(endpoint: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    """The endpoint as an app. What it raises is answered by the service's app, so no layer is needed here."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


def route(method: str, path: str, endpoint: Callable[..., Any], *, name: str | None = None) -> LoggedRoute:
    """A route for one method: `route("POST", "/api/notices", record_notice)`."""
    return LoggedRoute(path, endpoint, methods=[method], name=name)
