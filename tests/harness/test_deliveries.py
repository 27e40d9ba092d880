"""Deliveries over the control plane: looked at, sent again, and the pump turned on and off."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from fakes.core import outbox
from fakes.core.people import Person
from harness.app import Server
from harness.control import control_app
from tests.fakes.core.receiver import BUSY, Got, receiving
from tests.fakes.core.telling import IMAGE, SERVICES, tell
from tests.fakes.core.test_pump import settled
from tests.harness.notes import control

FAR = "http://far.example/hook"


@asynccontextmanager
async def serving(pumping: bool = False) -> AsyncIterator[tuple[Server, httpx.AsyncClient]]:
    """A server with the world `main`, and its control plane."""
    async with Server(services=SERVICES, control=control_app, pumping=pumping) as server:
        server.worlds.create("main", IMAGE)
        async with control(server) as plane:
            yield server, plane


async def test_deliveries_are_listed_newest_first_and_by_state() -> None:
    async with serving() as (server, plane):
        world = server.worlds.get("main")
        tell(world, "http://127.0.0.1:9/", said="one")
        tell(world, "tom@elsewhere.example", kind="mail")
        answer = (await plane.get("/worlds/main/deliveries")).json()
        assert answer["pump"] == {"on": False}
        assert [one["state"] for one in answer["deliveries"]] == ["kept", "waiting"]
        assert answer["deliveries"][1]["payload"] == {"said": "one"}
        assert answer["deliveries"][1]["attempts"] == []
        (kept,) = (await plane.get("/worlds/main/deliveries?state=kept")).json()["deliveries"]
        assert "'mail'" in kept["why"]
        older = (await plane.get("/worlds/main/deliveries?before=2&limit=1")).json()["deliveries"]
        assert [one["id"] for one in older] == [1]


async def test_the_pump_is_turned_on_and_what_failed_is_sent_again() -> None:
    def answer(got: Got, n: int) -> bytes:
        return BUSY

    async with receiving(answer) as receiver, serving() as (server, plane):
        world = server.worlds.get("main")
        tell(world, receiver.url())
        tell(world, FAR)
        assert (await plane.post("/worlds/main/pump", json={"on": True})).json() == {"on": True}
        while not receiver.got or outbox.view(world, 1).state == "sending":
            await plane.get("/worlds/main/deliveries")
        assert outbox.view(world, 2).state == "kept"
        receiver.answer = lambda got, n: b"HTTP/1.1 204 Taken\r\n\r\n"
        again = (await plane.post("/worlds/main/deliveries/1/resend")).json()
        assert (again["id"], again["failures"], again["delivery"]) == (1, 0, receiver.got[0].id)
        assert [view.state for view in await settled(world)] == ["delivered", "kept"]
        attempts = (await plane.get("/worlds/main/deliveries?state=delivered")).json()["deliveries"][0]
        assert [one["status"] for one in attempts["attempts"]] == [503, 204]
        assert (await plane.post("/worlds/main/pump", json={"on": False})).json() == {"on": False}
        tell(world, receiver.url())
        assert outbox.view(world, 3).state == "waiting"


async def test_a_server_that_pumps_does_so_for_its_own_worlds_and_not_for_copies() -> None:
    async with receiving() as receiver, serving(pumping=True) as (server, plane):
        server.turn_pump("main", True)
        forked = server.fork_world("main", "copy")
        for world in (forked, server.worlds.get("main")):
            tell(world, receiver.url(), said=world.name)
        await settled(server.worlds.get("main"))
        server.reset_world("main")
        tell(server.worlds.get("main"), receiver.url(), said="after")
        await settled(server.worlds.get("main"))
    assert [got.body["said"] for got in receiver.got] == ["main", "after"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("GET", "deliveries?state=lost", None, 400, "waiting, delivered, dead, kept"),
        ("GET", "deliveries?limit=x", None, 400, "'limit'"),
        ("POST", "deliveries/7/resend", None, 404, "no delivery 7"),
        ("POST", "deliveries/x/resend", None, 404, "no delivery 'x'"),
        ("POST", "deliveries/1/resend", None, 400, "'mail'"),
        ("POST", "pump", {}, 400, "Say"),
        ("POST", "pump", {"on": "yes"}, 400, "true or false"),
    ],
)
async def test_what_can_not_be_done_is_told_and_changes_nothing(
    method: str, path: str, body: dict[str, str] | None, status: int, said: str
) -> None:
    async with serving() as (server, plane):
        world = server.worlds.get("main")
        tell(world, "tom@elsewhere.example", kind="mail")
        before = world.image()
        answer = await plane.request(method, f"/worlds/main/{path}", json=body)
        assert answer.status_code == status and said in answer.json()["error"]["message"]
        assert world.image() == before and not world.pump_on


async def test_every_world_of_a_server_that_pumps_begins_with_its_pump_on() -> None:
    from harness.app import Start

    async with Server(pumping=True) as server:
        world = server.create_world("main", Start("claims_desk"))
        assert world.pump_on and world.count(Person) > 0
        assert world.state_hash() == world.pristine_hash
    async with Server() as server:
        assert not server.create_world("main", Start("claims_desk")).pump_on
