"""The gateway: one ASGI app in front of every world. It says which world and service a request is for, who
sent it,
and keeps the request log."""

from __future__ import annotations

import html
import logging
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fakes.core import claimed, requests, striking
from fakes.core.browsers import Lease, Leases
from fakes.core.errors import ForeignLease, Refused, UnknownHost, UnknownService
from fakes.core.links import HERE, by_path
from fakes.core.mcp.routes import api_path
from fakes.core.proxy import is_loopback
from fakes.core.refusals import Refusals
from fakes.core.requests import SECRET_NAMES, RequestRecord, redact_body, redact_path, redact_query
from fakes.core.service import Service
from fakes.core.serving import refusal_of, service_app
from fakes.core.store import StoreError
from fakes.core.world import World
from fakes.core.worlds import Worlds

log = logging.getLogger("paracosm")
CAPTURE = 65_536
MOST = 64 * 1024 * 1024
_DOCUMENTS = frozenset({"document", "iframe", "frame", "embed", "object"})


class Target(NamedTuple):
    """Where a request goes: the app, its root path, and the world and service it is for (None: server-wide).
    """

    app: ASGIApp
    root_path: str = ""
    world: World | None = None
    service: Service | None = None


class Gateway:
    """Dispatches by host and by path. `portal` answers at /, `control` at control.localhost; `hosts` are
    further names of this server, at which everything is found by path.
    """

    def __init__(
        self, worlds: Worlds, leases: Leases, refusals: Refusals, *, portal: ASGIApp, control: ASGIApp,
        hosts: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.worlds, self.leases, self.refusals = worlds, leases, refusals
        self._hosts = frozenset(hosts)
        self.portal, self._control = portal, control
        self.claims = claimed.Claims()
        self._by_label = _by_label(worlds.services)
        self._apps: dict[str, Starlette] = {}
        self._prefixes = _prefixes(worlds.services)
        self._secret_names = {n: SECRET_NAMES | s.redact for n, s in worlds.services.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers an http or websocket connection."""
        if scope["type"] not in ("http", "websocket"):
            return
        headers = _Headers(scope)
        lease = scope["state"].get("lease") if "state" in scope else None  # by what it said to the proxy
        if lease is None and scope.get("server"):
            lease = self.leases.at(scope["server"][0])
        try:
            target = self._resolve(scope, headers, lease)
        except Refused as refusal:
            self._turned_away(scope, headers, lease, refusal.sentence)
            await _refuse(scope, headers, refusal)(scope, receive, send)
            return
        if target.world is None or target.service is None:
            await target.app(scope, receive, send)
            return
        await self._serve(target, lease, headers, scope, receive, send)

    def _app(self, service: Service) -> Starlette:
        """The service's app, made with its first request: a server is up before it has imported them all."""
        if service.name not in self._apps:
            self._apps[service.name] = service_app(service)
        return self._apps[service.name]

    # where to

    def _resolve(self, scope: Scope, headers: _Headers, lease: Lease | None) -> Target:
        host = headers.host_name
        if headers.hosts > 1:
            raise UnknownHost("A request names one host.")
        if host.endswith(".localhost"):
            target = self._by_host(host, scope, headers, lease)
        elif host in ("localhost", "[::1]") or is_loopback(host) or host in self._hosts:
            target = self._by_path(scope, headers, lease)
        else:
            raise UnknownHost(f"{host or 'This host'} is not faked here; nothing leaves the machine.")
        return target

    def _world(self, name: str, lease: Lease | None) -> World:
        if lease and lease.world != name:
            raise ForeignLease(f"This browser or client belongs to world {lease.world!r}, not {name!r}.")
        return self.worlds.get(name)

    def _by_path(self, scope: Scope, headers: _Headers, lease: Lease | None) -> Target:
        path: str = scope["path"]
        if path == "/w" or path.startswith("/w/"):
            name, _, rest = path[3:].partition("/")
            world = self._world(name, lease)
            service = self._service_at(rest)
            if service is None:
                raise UnknownService(
                    f"World {name!r} has nothing at {'/' + rest!r}; see the portal's list of services."
                )
            root = by_path(service, name)
            if headers.dest in _DOCUMENTS:
                return Target(_to_host(service, name, root, headers, scope))
            return Target(self._app(service), root, world, service)
        if lease is not None:
            raise UnknownService("There is nothing here.")
        return Target(self.portal)

    def _service_at(self, rest: str) -> Service | None:
        if rest.startswith("sites/"):
            service = self.worlds.services.get(rest.split("/", 2)[1])
            return service if service is not None and service.kind == "site" else None
        for prefix, service in self._prefixes:
            if rest.startswith(prefix) and (prefix.endswith("/") or rest[len(prefix) :][:1] in ("", "/")):
                return service
        return None

    def _by_host(self, host: str, scope: Scope, headers: _Headers, lease: Lease | None) -> Target:
        labels = _labels(host)
        if labels == ("control",):
            if lease is not None:
                raise UnknownService("There is nothing here.")
            return Target(self._control)
        if labels == ("portal",):
            if lease is not None:
                raise UnknownService("There is nothing here.")
            return Target(self.portal)
        if len(labels) == 1 and labels[0] in self._by_label and scope["type"] == "http":
            return Target(_to_main(labels[0], headers, scope))
        service = self._by_label.get(labels[0])
        if service is None or len(labels) != 2:
            raise UnknownHost(f"{host} is not faked here. Services: {', '.join(sorted(self._by_label))}.")
        name = (lease.world if lease else "main") if labels[1] == HERE else labels[1]
        world = self._world(name, lease)
        if scope["path"] == claimed.PATH and scope["type"] == "http":
            if lease is not None:
                raise UnknownService("There is nothing here.")
            return Target(self.claims, "", world, service)
        return Target(self._app(service), "", world, service)

    # serving

    async def _serve(
        self,
        target: Target,
        lease: Lease | None,
        headers: _Headers,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        world, service = target.world, target.service
        assert world is not None and service is not None
        record = _record(scope, headers, lease, service)
        names = self._secret_names[service.name]
        if scope["query_string"]:
            record.query = redact_query(scope["query_string"].decode("latin-1"), names)
        if lease is None and headers.cookie and (claim := self.claims.named(headers.cookie, world.name)):
            record.lease, record.kind = claim.name, "person"
        world.log.begin(record)
        scope["root_path"] = target.root_path
        known = {"world": world, "record": record, "lease": lease, "gateway": self}
        scope["state"] = {**scope.get("state", {}), **known}
        if record.method not in requests.READS:
            receive = _capturing(receive, record, headers.media_type, names)
        finished = False

        async def sending(message: Message) -> None:
            nonlocal finished
            if not finished and message["type"] in _STATUS:
                record.status = _STATUS[message["type"]](message)
                if record.route is None:
                    record.path = redact_path(record.path)
                finished = True
                world.finish(record)
            await send(message)

        try:
            with requests.acting(record):
                app = target.app
                if world.log.faults != ():  # none is what nearly every world has
                    refuse = refusal_of(service)
                    app = striking.in_the_way(world, service, app, refuse, scope, record)
                await app(scope, receive, sending)
        except Exception:
            path = record.path if record.route else redact_path(record.path)
            log.exception("%s %s failed in %s", record.method, path, service.name)
        finally:
            if not finished:
                if record.route is None:
                    record.path = redact_path(record.path)
                world.finish(record)

    def _turned_away(self, scope: Scope, headers: _Headers, lease: Lease | None, reason: str) -> None:
        self.refusals.add(
            lease=lease.id if lease else None, world=lease.world if lease else None,
            method=scope.get("method", "WEBSOCKET"), host=headers.host, path=scope["path"], reason=reason,
        )  # fmt: skip


_STATUS: dict[str, Any] = {
    "http.response.start": lambda message: message["status"],
    "websocket.accept": lambda _: 101,
    "websocket.close": lambda _: 403,
    "websocket.http.response.start": lambda message: message["status"],
}


class _Headers:
    """The few headers that the gateway needs, read once."""

    __slots__ = ("accept", "authorized", "cookie", "dest", "host", "hosts", "media_type", "mode")

    def __init__(self, scope: Scope) -> None:
        self.host = self.media_type = self.accept = self.cookie = ""
        self.hosts = 0
        self.authorized = False
        self.mode: str | None = None
        self.dest: str | None = None
        for name, value in scope["headers"]:
            if name == b"host":
                self.host = value.decode("latin-1").lower()
                self.hosts += 1
            elif name == b"content-type":
                self.media_type = value.decode("latin-1").lower()
            elif name == b"accept":
                self.accept = value.decode("latin-1")
            elif name == b"cookie":
                self.cookie = value.decode("latin-1")
            elif name == b"authorization":
                self.authorized = True
            elif name == b"sec-fetch-mode":
                self.mode = value.decode("latin-1")
            elif name == b"sec-fetch-dest":
                self.dest = value.decode("latin-1")

    @property
    def host_name(self) -> str:
        """The host without its port."""
        return _without_port(self.host)


@lru_cache(maxsize=1024)
def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


@lru_cache(maxsize=1024)
def _labels(host: str) -> tuple[str, ...]:
    return tuple(host.removesuffix(".localhost").split("."))


def _record(scope: Scope, headers: _Headers, lease: Lease | None, service: Service) -> RequestRecord:
    socket = scope["type"] == "websocket"
    by_page = socket or (headers.mode is not None and not headers.authorized)  # pages go by cookies
    in_browser = lease is not None and lease.medium == "browser" and by_page
    return RequestRecord(
        lease=lease.id if lease else None,
        kind=lease.kind if lease else None,
        surface="browser" if in_browser else "api",
        service=service.name,
        method="WEBSOCKET" if socket else scope["method"],
        host=headers.host,
        path=scope["path"],
        mode=headers.mode,
        dest=headers.dest,
    )


def _capturing(receive: Receive, record: RequestRecord, media_type: str, names: frozenset[str]) -> Receive:
    chunks: list[bytes] = []
    size = 0

    async def capturing() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            body = message.get("body", b"")
            size += len(body)
            if size > MOST:
                raise HTTPException(413, f"A request's body holds at most {MOST:,} bytes.")
            if size <= CAPTURE:
                chunks.append(body)
            if not message.get("more_body"):
                whole = size <= CAPTURE
                record.body = redact_body(b"".join(chunks), media_type, names) if whole else f"[{size} bytes]"
        return message

    return capturing


def _by_label(services: Mapping[str, Service]) -> dict[str, Service]:
    found: dict[str, Service] = {}
    for service in services.values():
        if service.host_label in found:
            raise StoreError(f"Two services have the host label {service.host_label!r}; rename one.")
        found[service.host_label] = service
    return found


def _prefixes(services: Mapping[str, Service]) -> list[tuple[str, Service]]:
    """Vendor paths, longest first, so the most particular one wins."""
    found = [(prefix, service) for service in services.values() for prefix in service.api_paths]
    found += [(api_path(service.name), service) for service in services.values() if service.mcp is not None]
    if len({prefix for prefix, _ in found}) != len(found):
        raise StoreError(f"Two services claim one path: {', '.join(sorted(prefix for prefix, _ in found))}.")
    return sorted(found, key=lambda pair: -len(pair[0]))


def _to_main(label: str, headers: _Headers, scope: Scope) -> ASGIApp:
    port = headers.host.removeprefix(headers.host_name)
    query = scope["query_string"].decode("latin-1")
    return RedirectResponse(
        f"http://{label}.main.localhost{port}{scope['path']}{'?' + query if query else ''}"
    )


def _to_host(service: Service, world: str, root: str, headers: _Headers, scope: Scope) -> ASGIApp:
    """To the service's own host: no page of a world may share an origin with the portal."""
    port = headers.host.removeprefix(headers.host_name)
    query = scope["query_string"].decode("latin-1")
    path = scope["path"].removeprefix(root) or "/"
    return RedirectResponse(
        f"http://{service.host_label}.{world}.localhost{port}{path}{'?' + query if query else ''}"
    )


def _refuse(scope: Scope, headers: _Headers, refusal: Refused) -> ASGIApp:
    if scope["type"] == "websocket":
        return _close_socket
    if "text/html" in headers.accept:
        page = (
            f"<!doctype html><title>Not here</title><h1>Not here</h1><p>{html.escape(refusal.sentence)}</p>"
        )
        return HTMLResponse(page, refusal.status)
    return JSONResponse(refusal.body(), refusal.status)


async def _close_socket(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1008})
