"""The app of a service answers as plain Starlette does with the same routes, and tells errors its own way."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from fakes.core.requests import Overtaken
from fakes.core.service import Service, route
from fakes.core.serving import ServiceRouter, service_app
from fakes.core.ui import kit_routes

OVERTAKEN = "The world was reset meanwhile; nothing was changed"
PATHS = (
    "/", "/a", "/a/", "/a/b", "/a/b/c", "/a/{x}", "/a/{x}/c", "/{x}/b", "/{x}", "/a/b-{x}", "/a/b/{x}/c",
    "/c/{rest:path}", "/n/{n:int}",
)  # fmt: skip


def named(path: str) -> BaseRoute:
    async def answer(request: Request) -> Response:
        return PlainTextResponse(f"{path} {sorted(request.path_params.items())}")

    return Route(path, answer, methods=["GET"])


async def asked(app: ASGIApp, path: str, method: str = "GET") -> httpx.Response:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.request(method, f"http://test{path}")


@given(
    order=st.permutations(PATHS),
    mounts=st.lists(st.sampled_from(["/a", "/a/b", "/c", ""]), max_size=2, unique=True),
    path=st.lists(st.sampled_from(["a", "b", "b-1", "c", "n", "7", ""]), max_size=4).map("/".join),
    method=st.sampled_from(["GET", "POST"]),
)
async def test_the_route_is_the_one_that_starlette_finds(
    order: list[str], mounts: list[str], path: str, method: str
) -> None:
    routes = [named(each) for each in order]
    routes[6:6] = [Mount(each, routes=[named("/b"), named("/{y}")]) for each in mounts]
    plain, ours = Starlette(routes=routes), Starlette()
    ours.router = ServiceRouter(routes)
    expected, found = await asked(plain, f"/{path}", method), await asked(ours, f"/{path}", method)
    assert (found.status_code, found.text, found.headers.get("location")) == (
        expected.status_code, expected.text, expected.headers.get("location"),
    )  # fmt: skip


class Broken(Exception):
    """A defect."""


async def failing(request: Request) -> Response:
    error: type[Exception] = {"defect": Broken, "overtaken": Overtaken}[request.path_params["how"]]
    raise error("x")


async def refusing(request: Request) -> Response:
    raise HTTPException(418, "No tea", headers={"X-Why": "pot"})


async def breaking_off(request: Request) -> Response:
    async def half() -> Any:
        yield "half"
        raise Broken("x")

    return StreamingResponse(half())


def refuse(request: Request, error: HTTPException) -> Response:
    return PlainTextResponse(f"{request.url.path}: {error.detail}", error.status_code, headers=error.headers)


def toy() -> Starlette:
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text("hello")
        await websocket.close()

    def routes() -> list[BaseRoute]:
        return [
            route("GET", "/fail/{how}", failing),
            route("GET", "/refuse", refusing),
            route("GET", "/half", breaking_off),
            Route("/plain/{how}", failing),
            WebSocketRoute("/socket", socket),
        ]

    return service_app(Service("toy", "Toy", "Fails", "site", (), routes, refuse=refuse))


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "/refuse", 418, "/refuse: No tea"),
        ("GET", "/fail/overtaken", 409, f"/fail/overtaken: {OVERTAKEN}"),
        ("GET", "/plain/overtaken", 409, f"/plain/overtaken: {OVERTAKEN}"),
        ("GET", "/fail/defect", 500, "/fail/defect: Internal error"),
        ("GET", "/plain/defect", 500, "/plain/defect: Internal error"),
        ("GET", "/nowhere", 404, "/nowhere: Not Found"),
        ("POST", "/refuse", 405, "/refuse: Method Not Allowed"),
        ("GET", "/_ui/nothing.js", 404, "/_ui/nothing.js: Not Found"),
    ],
)  # fmt: skip
async def test_every_error_is_told_in_the_services_own_way(
    method: str, path: str, status: int, said: str
) -> None:
    answer = await asked(toy(), path, method)
    assert (answer.status_code, answer.text) == (status, said)


async def test_headers_of_a_refusal_reach_the_service() -> None:
    assert (await asked(toy(), "/refuse")).headers["x-why"] == "pot"
    assert set((await asked(toy(), "/refuse", "POST")).headers["allow"].split(", ")) == {"GET", "HEAD"}


@pytest.mark.parametrize("path", ["/fail/defect", "/half"])
async def test_a_defect_is_raised_again_for_the_log(path: str) -> None:
    transport = httpx.ASGITransport(toy())
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        with pytest.raises(Broken):
            await client.get(path)


async def test_sockets_are_answered() -> None:
    sent: list[dict[str, Any]] = []
    scope = {"type": "websocket", "path": "/socket", "headers": [], "query_string": b"", "root_path": ""}

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await toy()(scope, receive, send)
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.send", "websocket.close"]


def test_the_kits_routes_come_first() -> None:
    paths = [getattr(each, "path", "") for each in toy().routes]
    assert paths[: len(kit_routes())] == [getattr(each, "path", "") for each in kit_routes()]
