"""The manifest of a service: what the kernel must know of a fake or a site, in one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from fakes.core.capabilities import Capability
from fakes.core.requests import REDACTED
from fakes.core.store import Row

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response

    from fakes.core.world import World

_SECRET_PARAMS = ("token", "code")


@dataclass(frozen=True)
class Account:
    """A log-in that the portal shows: a person's address and where to use it."""

    email: str
    note: str = ""


@dataclass(frozen=True)
class Service:
    """One fake or site.

    `routes` builds its Starlette routes (imported lazily); fakes name the vendor's path prefixes in
    `api_paths` (no leading slash); `offers` are capabilities; `due` handles planned work by kind; `refuse`
    renders an error in the vendor's dialect; `redact` adds body fields that the request log must not keep.
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
    redact: frozenset[str] = frozenset()
    ddl: tuple[str, ...] = ()
    accounts: Callable[[World], list[Account]] | None = None

    @property
    def host_label(self) -> str:
        """The service's label in a host name."""
        return self.name.replace("_", "-")


class LoggedRoute(Route):
    """A route that tells the request log its template, and takes secrets in the path out of the log."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers the request."""
        record = scope.get("state", {}).get("record")
        if record is not None:
            record.route = f"{scope['method']} {self.path}"
            for name in _SECRET_PARAMS:
                if name in scope.get("path_params", {}):
                    record.path = record.path.replace(str(scope["path_params"][name]), REDACTED)
        await super().handle(scope, receive, send)


def route(method: str, path: str, endpoint: Callable[..., Any], *, name: str | None = None) -> LoggedRoute:
    """A route for one method: `route("POST", "/api/notices", record_notice)`."""
    return LoggedRoute(path, endpoint, methods=[method], name=name)
