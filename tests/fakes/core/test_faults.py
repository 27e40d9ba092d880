"""Planned failures: which requests they strike, what clients get, and what log and rows say after."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import websockets
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from fakes.core import auth, faults
from fakes.core.faults import BadFault, Fault, UnknownFault, plan, planned
from fakes.core.seeding import Seed
from fakes.core.service import Service, route
from fakes.core.world import World
from harness import app as composition
from harness.app import FIXED_SECRET, Server, Start

from .conftest import Note, add_note
from .toy_port import closed

pytestmark = pytest.mark.usefixtures("nothing_logged")
MIRA, TOM = "mira@harborlight.example", "tom@harborlight.example"
NOTES = "/w/main/sites/toy/notes"


async def show(request: Request) -> Response:
    auth.token_of(request, "toy")
    return JSONResponse({"notes": request.state.world.count(Note)})


async def write(request: Request) -> Response:
    world = request.state.world
    text = (await request.body()).decode()
    if not text:
        return JSONResponse({"error": "empty"}, 422)
    with world.tx() as tx:
        note = add_note(tx, world, text=text)
    return JSONResponse({"id": note.id, "text": "x" * 1000}, 201)


async def stream(request: Request) -> Response:
    async def messages() -> AsyncIterator[str]:
        for number in range(3):
            yield f"data: {number}\n\n"

    return StreamingResponse(messages(), media_type="text/event-stream")


async def socket(opened: WebSocket) -> None:
    await opened.accept()
    await opened.send_text("hello")
    await opened.close()


def routes() -> list[Any]:
    return [
        route("GET", "/notes", show),
        route("POST", "/notes", write),
        route("GET", "/notes/{id}", show),
        route("GET", "/q/{token}", show),
        route("GET", "/events", stream),
        WebSocketRoute("/ws", socket),
    ]


SITE = Service(name="toy", title="Toy", summary="", kind="site", tables=(Note,), routes=routes)


def seed(w: Seed) -> None:
    """Two people, and what a test planned in its seed."""
    w.person(MIRA, "Mira Okafor")
    w.person(TOM, "Tom Reyes")


def failing_seed(w: Seed) -> None:
    """Two people, and a site that fails twice."""
    seed(w)
    plan(w.world, service="toy", route="GET /notes", answer="503", times=2)


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    scenarios = {"toy": seed, "failing": failing_seed}
    monkeypatch.setattr(composition, "discover_scenarios", lambda: scenarios)
    async with Server(services={"toy": SITE}, secret=FIXED_SECRET) as server:
        server.create_world("main", Start("toy"))
        yield server


@pytest.fixture
def world(server: Server) -> World:
    return server.worlds.get("main")


@pytest.fixture
async def client(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        yield client


async def statuses(client: httpx.AsyncClient, count: int, path: str = NOTES) -> list[int]:
    return [(await client.get(path)).status_code for _ in range(count)]


async def until_held(world: World) -> None:
    """Waits until a request is held for the run clock."""
    while not world.subscriptions:
        await asyncio.sleep(0.005)


# which requests


async def test_a_fault_strikes_so_many_requests_and_no_more(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="503", times=2)
    assert await statuses(client, 4) == [503, 503, 200, 200]


async def test_the_first_few_may_pass(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="500", after=2)
    assert await statuses(client, 4) == [200, 200, 500, 200]
    (fault,) = planned(world)
    assert (fault.seen, fault.struck, fault.left) == (3, 1, 0)


async def test_faults_are_tried_in_the_order_in_which_they_were_planned(
    client: httpx.AsyncClient, world: World
) -> None:
    plan(world, answer="429")
    plan(world, answer="500", after=1)
    plan(world, answer="502")
    assert await statuses(client, 4) == [429, 502, 500, 200]


@pytest.mark.parametrize(
    ("route", "struck"),
    [
        ("/notes/{id}", True),
        ("GET /notes/{id}", True),
        ("get /notes/*", True),
        ("GET …/n7", True),
        ("*", True),
        ("*/*/n7*", True),
        ("*7", True),
        ("/n*n7", True),
        ("/notes/n7*7", False),
        ("/notes/n7*n7", False),
        ("/notes/n7", True),
        ("/notes", False),
        ("POST /notes/{id}", False),
        ("/notes/n", False),
        ("/NOTES/n7", False),
        ("/notes/n.", False),
        ("/w/main/sites/toy/notes/n7", False),
    ],
)
async def test_a_route_is_a_template_or_a_path_with_stars(
    client: httpx.AsyncClient, world: World, route: str, struck: bool
) -> None:
    plan(world, route=route, answer="503")
    assert (await client.get(f"{NOTES}/n7")).status_code == (503 if struck else 200)


async def test_a_route_of_many_stars_is_looked_at_once(client: httpx.AsyncClient, world: World) -> None:
    plan(world, route="/" + "*a" * 200 + "*b", answer="503")
    assert (await client.get(f"{NOTES}/{'a' * 5000}")).status_code == 200


async def test_a_fault_of_another_service_lease_or_world_strikes_nothing(
    client: httpx.AsyncClient, world: World, server: Server
) -> None:
    other = server.create_world("other", Start("toy"))
    plan(other, answer="503")
    plan(world, lease="mira-9", answer="503")
    plan(world, method="POST", answer="503")
    assert await statuses(client, 1) == [200]


async def test_a_lease_is_struck_alone(client: httpx.AsyncClient, world: World, server: Server) -> None:
    ours = await server.lease("main", kind="agent", medium="client", holder=MIRA)
    plan(world, lease=ours.id, answer="503")
    assert await statuses(client, 1) == [200]
    assert await statuses(client, 1, f"http://{ours.address}:{server.port}{NOTES}") == [503]
    assert world.log.rows()[-1].lease == ours.id


async def test_a_person_is_struck_whose_token_or_session_it_is(
    client: httpx.AsyncClient, world: World
) -> None:
    mira, tom = world.person(MIRA), world.person(TOM)
    assert mira is not None and tom is not None
    plan(world, person=MIRA.upper(), answer="503", times=2)
    for person, status in ((tom, 200), (mira, 503)):
        bearer = {"Authorization": f"Bearer {auth.issue_token(world, person, 'toy')}"}
        assert (await client.get(NOTES, headers=bearer)).status_code == status
    _, value = auth.start_session(world, "toy", mira)
    cookie = {"Cookie": f"{auth.cookie_name(world, 'toy')}={value}"}
    assert (await client.get(NOTES, headers=cookie)).status_code == 503
    assert await statuses(client, 1) == [200]
    assert [row.person for row in world.log.rows()] == [TOM, MIRA, MIRA, None]


async def test_static_files_and_live_streams_are_struck_by_route_alone(
    client: httpx.AsyncClient, world: World
) -> None:
    style = "/w/main/sites/toy/_ui/kit.css"
    plan(world, answer="503")
    assert (await client.get(style)).status_code == 200
    plan(world, route="/_ui/*", answer="502")
    assert (await client.get(style)).status_code == 502


async def test_concurrent_requests_are_counted_each(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="503", times=5)
    answers = await asyncio.gather(*(client.get(NOTES) for _ in range(12)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [503] * 5


# what the client gets


async def test_a_429_says_when_to_come_back(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="429")
    plan(world, answer="503", retry_after=30)
    plan(world, answer="503")
    waits = [(await client.get(NOTES)).headers.get("retry-after") for _ in range(3)]
    assert waits == ["1", "30", None]


async def test_a_refusal_comes_before_the_service(client: httpx.AsyncClient, world: World) -> None:
    before = world.count(Note)
    plan(world, answer="500")
    answer = await client.post(NOTES, content="a note")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, 500)
    assert world.count(Note) == before and world.diff() == []
    (row,) = world.log.rows()
    assert (row.status, row.route, row.fault) == (500, "POST /notes", "1:500")


async def test_a_secret_in_the_path_of_a_struck_request_is_not_logged(
    client: httpx.AsyncClient, world: World
) -> None:
    plan(world, answer="503", times=2)
    await client.get("/w/main/sites/toy/q/s3cret")
    await client.get("/w/main/sites/toy/none/Abcdefghijklmnopqrst1")
    assert [row.path.rpartition("/")[2] for row in world.log.rows()] == ["[redacted]"] * 2


async def test_hanging_up_gives_no_answer_and_writes_nothing(client: httpx.AsyncClient, world: World) -> None:
    before = world.count(Note)
    plan(world, answer="hang-up")
    with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
        await client.post(NOTES, content="x" * 100_000)
    assert world.count(Note) == before
    (row,) = world.log.rows()
    assert (row.status, row.route, row.fault) == (None, "POST /notes", "1:hang-up")
    assert await statuses(client, 1) == [200]


async def test_pipelined_answers_before_a_hang_up_arrive(server: Server, world: World) -> None:
    plan(world, answer="hang-up", after=1)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {NOTES} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 3)
    assert (await reader.read()).count(b"200 OK") == 1
    await closed(writer)


async def test_a_cut_answer_was_kept(client: httpx.AsyncClient, world: World) -> None:
    before = world.count(Note)
    plan(world, route="POST /notes", answer="cut")
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        await client.post(NOTES, content="a note")
    assert world.count(Note) == before + 1
    (row,) = world.log.rows()
    assert (row.status, row.fault) == (201, "1:cut")


async def test_a_stream_is_cut_in_its_first_message(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="cut")
    received = b""
    with pytest.raises(httpx.RemoteProtocolError):
        async with client.stream("GET", "/w/main/sites/toy/events") as answer:
            async for piece in answer.aiter_raw():
                received += piece
    assert received == b"data"


async def test_an_answer_without_a_body_is_cut_whole(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="cut")
    with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
        await client.head(NOTES)


@pytest.mark.parametrize("answer", ["500", "hang-up"])
async def test_a_write_can_be_kept_although_its_client_hears_of_a_failure(
    client: httpx.AsyncClient, world: World, answer: str
) -> None:
    before = world.count(Note)
    plan(world, answer=answer, kept=True)
    assert (await client.post(NOTES, content="")).status_code == 422  # wrote nothing, so it is not counted
    assert await statuses(client, 1) == [200]
    try:
        assert (await client.post(NOTES, content="once")).status_code == int(answer)
    except httpx.RemoteProtocolError:
        assert answer == "hang-up"
    assert (await client.post(NOTES, content="once")).status_code == 201
    assert world.count(Note) == before + 2
    faults_logged = [row.fault for row in world.log.rows()]
    assert faults_logged == [None, None, f"1:kept:{answer}", None]


# lateness


async def test_an_answer_is_held_until_somebody_moves_a_frozen_clock(
    client: httpx.AsyncClient, world: World
) -> None:
    plan(world, late_ms=60_000)
    held = asyncio.create_task(client.post(NOTES, content="a note"))
    await until_held(world)
    world.advance(world.now() + 59_000)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(held), 0.05)
    world.advance(world.now() + 1000)
    answer = await held
    assert (answer.status_code, len(answer.json()["text"])) == (201, 1000)
    assert world.log.rows()[-1].fault == "1:late"
    assert world.subscriptions == set()


async def test_a_running_clock_gets_there_by_itself(client: httpx.AsyncClient, world: World) -> None:
    world.turn_clock("running")
    plan(world, late_ms=50, answer="503")
    begun = world.now()
    assert await statuses(client, 1) == [503]
    assert world.now() - begun >= 50


async def test_a_client_that_does_not_wait_is_no_trouble(client: httpx.AsyncClient, world: World) -> None:
    plan(world, late_ms=60_000, times=2)
    with pytest.raises(httpx.ReadTimeout):
        await client.post(NOTES, content="a note", timeout=0.05)
    while world.subscriptions:
        await asyncio.sleep(0.005)
    assert world.log.rows()[-1].fault == "1:late"


async def test_a_held_answer_of_a_state_that_is_gone_never_comes(
    client: httpx.AsyncClient, world: World
) -> None:
    plan(world, late_ms=60_000)
    held = asyncio.create_task(client.get(NOTES))
    await until_held(world)
    world.reset()
    with pytest.raises(httpx.RemoteProtocolError):
        await held


# WebSockets


async def test_a_websocket_is_refused_with_the_status(server: Server, world: World) -> None:
    plan(world, route="/ws", answer="503", retry_after=3)
    url = f"ws://127.0.0.1:{server.port}/w/main/sites/toy/ws"
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with websockets.connect(url, proxy=None):
            pass
    response = refused.value.response
    assert (response.status_code, response.headers["retry-after"]) == (503, "3")
    assert "date" not in response.headers
    (row,) = world.log.rows()
    assert (row.method, row.status, row.fault) == ("WEBSOCKET", 503, "1:503")


@pytest.mark.parametrize("answer", ["hang-up", "cut"])
async def test_a_websocket_is_hung_up_on_or_dropped(server: Server, world: World, answer: str) -> None:
    plan(world, method="WEBSOCKET", answer=answer)
    url = f"ws://127.0.0.1:{server.port}/w/main/sites/toy/ws"
    with pytest.raises((websockets.ConnectionClosedError, websockets.InvalidMessage)):
        async with websockets.connect(url, proxy=None) as opened:
            await opened.recv()
    async with websockets.connect(url, proxy=None) as opened:
        assert await opened.recv() == "hello"


async def test_a_websocket_is_held(server: Server, world: World) -> None:
    plan(world, method="WEBSOCKET", late_ms=60_000)
    url = f"ws://127.0.0.1:{server.port}/w/main/sites/toy/ws"

    async def greet() -> Any:
        async with websockets.connect(url, proxy=None) as opened:
            return await opened.recv()

    held = asyncio.create_task(greet())
    await until_held(world)
    world.advance(world.now() + 60_000)
    assert await held == "hello"


# where they are kept


async def test_a_seed_can_plan_and_a_reset_puts_that_back(server: Server) -> None:
    world = server.create_world("failing", Start("failing"))
    pristine = world.state_hash()
    async with httpx.AsyncClient(base_url=server.url, trust_env=False) as client:
        path = NOTES.replace("main", "failing")
        assert await statuses(client, 3, path) == [503, 503, 200]
        plan(world, answer="500")
        assert world.state_hash() != pristine
        assert world.reset() == world.state_hash() == pristine
        assert await statuses(client, 3, path) == [503, 503, 200]


async def test_a_fork_takes_its_counts_along(client: httpx.AsyncClient, world: World, server: Server) -> None:
    plan(world, answer="503", times=2)
    assert await statuses(client, 1) == [503]
    server.fork_world("main", "copy")
    assert await statuses(client, 2, NOTES.replace("main", "copy")) == [503, 200]
    assert await statuses(client, 2) == [503, 200]


async def test_a_fault_is_no_change_that_guards_see(client: httpx.AsyncClient, world: World) -> None:
    plan(world, answer="503")
    await statuses(client, 1)
    assert world.diff() == [] and not Fault.__table__.judged


async def test_what_is_taken_back_strikes_no_more(client: httpx.AsyncClient, world: World) -> None:
    fault = plan(world, answer="503")
    assert faults.cancel(world, fault.id) == fault
    assert await statuses(client, 1) == [200]
    with pytest.raises(UnknownFault, match="has no fault 1"):
        faults.cancel(world, fault.id)


async def test_a_plan_that_was_rolled_back_strikes_nothing(client: httpx.AsyncClient, world: World) -> None:
    with pytest.raises(RuntimeError), world.tx():
        plan(world, answer="503")
        raise RuntimeError("changed its mind")
    assert await statuses(client, 1) == [200]


async def test_a_stepping_clock_does_not_move_for_a_request_that_was_struck(
    client: httpx.AsyncClient, world: World
) -> None:
    world.turn_clock("stepping")
    plan(world, answer="503")
    before = world.now()
    await client.post(NOTES, content="a note")
    assert world.now() == before


# planning


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({}, "A fault that changes nothing"),
        ({"answer": "418"}, "The answer can't be '418'"),
        ({"answer": "503", "service": "mail"}, "There is no service 'mail'. Services: toy."),
        ({"answer": "503", "route": "notes"}, "'notes' is no route"),
        ({"answer": "503", "route": ""}, "'' is no route"),
        ({"answer": "503", "route": "POST  "}, "is no route"),
        ({"answer": "503", "route": "FETCH /notes"}, "'FETCH' is no method"),
        ({"answer": "503", "route": "GET /a", "method": "POST"}, "The method is said twice"),
        ({"answer": "503", "person": "nobody@x.example"}, "Nobody in world 'main'"),
        ({"answer": "503", "times": 0}, "'times' is 0: it goes from 1 to 1000000."),
        ({"answer": "503", "after": -1}, "'after' is -1"),
        ({"late_ms": -1}, "'late' is"),
        ({"answer": "503", "retry_after": -1}, "'retry_after' is -1"),
        ({"answer": "hang-up", "retry_after": 1}, "'retry_after' goes with a status"),
        ({"answer": "cut", "kept": True}, "'cut' keeps what was written anyway"),
        ({"late_ms": 1000, "kept": True}, "'own' keeps what was written anyway"),
    ],
)
async def test_what_can_not_be_planned_is_refused(world: World, wrong: Any, sentence: str) -> None:
    before = world.state_hash()
    with pytest.raises(BadFault) as refused:
        plan(world, **wrong)
    assert sentence in str(refused.value)
    assert planned(world) == [] and world.state_hash() == before


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"answer": "503"}, "The next request is answered 503."),
        (
            {"service": "toy", "route": "POST */n", "answer": "429", "times": 2, "after": 1, "person": MIRA},
            f"After 1 more, the next 2 requests POST at */n to toy by {MIRA} are answered 429.",
        ),
        (
            {"answer": "hang-up", "kept": True, "late_ms": 1500},
            "The next request is hung up on, 1.5 seconds of the run clock late, though what was written is"
            " kept.",
        ),
        ({"answer": "cut", "lease": "a-1"}, "The next request from a-1 is cut off in the middle."),
    ],
)
async def test_a_fault_says_what_it_does(world: World, given: Any, sentence: str) -> None:
    assert faults.said(plan(world, **given)) == sentence


@pytest.mark.parametrize(
    ("times", "sentence"),
    [
        (1, "Used up: the request to toy was hung up on."),
        (2, "Used up: all 2 requests to toy were hung up on."),
    ],
)
async def test_a_fault_that_struck_all_says_so(world: World, times: int, sentence: str) -> None:
    fault = plan(world, service="toy", answer="hang-up", times=times)
    assert faults.said(dataclasses.replace(fault, struck=times, seen=times)) == sentence
