"""The tools of a task that is done by API: HTTP at the world's services, over the actors' own leases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx
import pydantic

from fakes.core.links import by_path
from fakes.core.service import LoggedRoute
from harness.attempt import Attempt
from harness.rails.actor import Actor, Lent, is_address
from harness.rails.model.tools import Form, Tool, ToolFailed, tool
from harness.rails.model.turns import Outcome

_SHOWN_HEADERS = ("content-type", "location", "retry-after", "etag", "www-authenticate")
_OURS = frozenset({"host", "content-length", "connection", "transfer-encoding"})


class HttpRequest(Form):
    """A request."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    path: str = pydantic.Field(
        description="A path of the service, such as /api/things/1, or a link that you met."
    )
    service: str = ""
    actor: str = ""
    params: dict[str, str | int | float | bool | list[str]] = pydantic.Field(
        default_factory=dict, description="The query."
    )
    body: Any = pydantic.Field(default=None, alias="json", description="The body, sent as JSON.")
    form: dict[str, str] | None = pydantic.Field(default=None, description="The body, as a form's fields.")
    files: dict[str, str] | None = pydantic.Field(
        default=None, description="Files of a form: the field, and the name of one of the task's inputs."
    )
    headers: dict[str, str] = pydantic.Field(default_factory=dict)


class ListRoutes(Form):
    """Whose routes."""

    service: str = ""


class Requests:
    """The tools `http_request` and `list_routes`."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._services = attempt.world.services

    def tools(self) -> Sequence[Tool]:
        """Both; their arguments name services and actors of this attempt."""
        services = {"service": list(self._services)}
        product = self._attempt.task.env.product
        return [
            tool(
                "http_request",
                "Send a request to a service, signed in as the actor. An error status is an answer for you "
                f"to read. Without a service, it is {product}'s.",
                HttpRequest, self._request, {**services, "actor": list(self._attempt.actors)},
            ),
            tool("list_routes", "The methods and paths of a service.", ListRoutes, self._list, services),
        ]  # fmt: skip

    def _actor(self, name: str) -> Actor:
        actors = self._attempt.actors
        found = actors.get(name or next(iter(actors)))
        if found is None:
            raise ToolFailed(f"There is no actor {name!r}; there are {', '.join(actors)}.")
        return found

    def _service(self, name: str) -> str:
        found = name or self._attempt.task.env.product
        if found not in self._services:
            raise ToolFailed(f"There is no service {name!r}; there are {', '.join(self._services)}.")
        return found

    async def _request(self, given: HttpRequest) -> Outcome:
        actor = self._actor(given.actor)
        service, url, own = self._aim(actor, given)
        headers = {name.lower(): value for name, value in given.headers.items()}
        kept = {name: value for name, value in headers.items() if name not in _OURS} | own
        try:
            client = Lent(actor).api(service)
            answer = await client.request(given.method, url, headers=kept, **_content(given, actor))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ToolFailed(
                f"The request could not be sent: {str(error) or type(error).__name__}."
            ) from None
        return Outcome(_shown(answer))

    def _aim(self, actor: Actor, given: HttpRequest) -> tuple[str, str, dict[str, str]]:
        """Service, path or address, and headers that it takes: links are followed only within the world."""
        if not is_address(given.path):
            return self._service(given.service), given.path, {}
        place, link = actor.place, urlsplit(given.path)
        query = f"?{link.query}" if link.query else ""
        target = f"http://{place.lease.address}:{place.port}{link.path}{query}"
        for name, service in self._services.items():
            if link.hostname == f"{service.host_label}.{place.world.name}.localhost":
                return name, target, {"host": f"{link.hostname}:{place.port}"}
            here = link.hostname in (place.lease.address, "127.0.0.1", "localhost")
            prefix = by_path(service, place.world.name)
            if here and service.kind == "site" and link.path.startswith(f"{prefix}/"):
                return name, target, {}
            if here and any(link.path.startswith(f"{prefix}/{api}") for api in service.api_paths):
                return name, target, {}
        raise ToolFailed(f"Nothing outside of this world can be reached, and {given.path} is not in it.")

    async def _list(self, given: ListRoutes) -> Outcome:
        service = self._services[self._service(given.service)]
        lines = [_line(route) for route in service.routes() if isinstance(route, LoggedRoute)]
        return Outcome("\n".join(lines))


def _line(route: LoggedRoute) -> str:
    methods = ", ".join(sorted((route.methods or set()) - {"HEAD"}))
    says = (route.endpoint.__doc__ or "").strip().partition("\n")[0]
    return f"{methods} {route.path}" + (f": {says}" if says else "")


def _content(given: HttpRequest, actor: Actor) -> dict[str, Any]:
    """What of a request is not its address, as httpx takes it. Raises ToolFailed."""
    content: dict[str, Any] = {"params": given.params} if given.params else {}
    if "body" in given.model_fields_set:
        if given.form is not None or given.files is not None:
            raise ToolFailed("A request has one body: json, or form and files.")
        return {**content, "json": given.body}
    if given.form is not None:
        content["data"] = given.form
    if given.files is not None:
        content["files"] = {field: (name, _input(actor, name)) for field, name in given.files.items()}
    return content


def _input(actor: Actor, name: str) -> bytes:
    if name not in actor.inputs:
        raise ToolFailed(f"The task gives no file {name!r}; it gives {', '.join(actor.inputs) or 'none'}.")
    return actor.input(name)


def _shown(answer: httpx.Response) -> str:
    """An answer as text."""
    headers: Mapping[str, str] = answer.headers
    lines = [f"{answer.status_code} {answer.reason_phrase}"]
    lines += [f"{name}: {headers[name]}" for name in _SHOWN_HEADERS if name in headers]
    media = headers.get("content-type", "")
    textual = media.startswith("text/") or any(word in media for word in ("json", "xml", "script", "form"))
    if not answer.content:
        body = "(no body)"
    elif textual or not media:
        body = answer.text
    else:
        body = f"({len(answer.content):,} bytes)"
    return "\n".join([*lines, "", body])
