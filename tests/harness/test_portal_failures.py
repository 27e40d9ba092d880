"""Faults and deliveries by click."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest

from fakes.core import faults, outbox
from fakes.core.outbox import NotSendable, Outgoing, Post, Stamp
from fakes.core.world import World
from harness.app import FIXED_SECRET, Server, Start
from harness.portal.app import portal_app
from tests.harness.notes import NOTES, client, write
from tests.harness.portal_pages import MIRA, at_portal, said, send, text_of, words

# faults


async def test_a_fault_is_planned_strikes_is_seen_and_taken_back(
    server: Server, portal: httpx.AsyncClient
) -> None:
    fields = {"service": "notes", "route": "POST /notes", "answer": "503", "times": "2"}
    planned = await send(portal, "/worlds/main/faults", **fields)
    (fault,) = faults.planned(server.worlds.get("main"))
    assert await said(portal, planned) == faults.said(fault)
    async with client(server) as program:
        assert (await program.post("/w/main/sites/notes/notes")).status_code == 503
    assert f"fault {fault.id}:503" in await text_of(portal, "/worlds/main/requests")
    assert "is answered 503" in await text_of(portal, "/worlds/main/faults")
    assert " 1 1 1 Take back" in await text_of(portal, "/worlds/main/faults"), "left, struck, seen"
    back = await send(portal, "/worlds/main/faults/cancel", fault=str(fault.id))
    assert await said(portal, back) == f"Fault {fault.id} is taken back."
    await write(server)
    kinds = [row.route for row in server.worlds.get("main").log.rows("WHERE kind = 'harness'")]
    assert kinds == ["POST /worlds/{name}/faults", "POST /worlds/{name}/faults/cancel"]


async def test_every_field_of_the_form_reaches_the_plan(server: Server, portal: httpx.AsyncClient) -> None:
    lease = await server.lease("main", kind="agent", medium="client")
    await send(
        portal, "/worlds/main/faults", service="notes", route="POST /notes", answer="429", kept="yes",
        person=MIRA, lease=lease.id, late="30s", retry_after="7", after="1", times="3",
    )  # fmt: skip
    (fault,) = faults.planned(server.worlds.get("main"))
    assert (fault.method, fault.route, fault.person, fault.lease) == ("POST", "/notes", MIRA, lease.id)
    assert (fault.kept, fault.late_ms, fault.retry_after) == (True, 30_000, 7)
    assert (fault.after, fault.times) == (1, 3)


async def test_routes_are_offered_for_typing(portal: httpx.AsyncClient) -> None:
    page = (await portal.get("/worlds/main/faults")).text
    assert '<option value="POST /notes">' in page


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"answer": "200"}, "answer"),
        ({"answer": "own"}, "answer"),
        ({"answer": "503", "route": "notes"}, "route"),
        ({"answer": "503", "service": "nope"}, "service"),
        ({"answer": "503", "person": "nobody@x.example"}, "person"),
        ({"answer": "503", "times": "0"}, "times"),
        ({"answer": "503", "times": "many"}, "times"),
        ({"answer": "503", "times": "9" * 40}, "times"),
        ({"answer": "503", "after": "-1"}, "after"),
        ({"answer": "503", "late": "soon"}, "late"),
        ({"answer": "hang-up", "retry_after": "3"}, "retry_after"),
        ({"answer": "cut", "kept": "yes"}, "kept"),
    ],
)
async def test_a_fault_put_wrongly_is_refused_beside_its_field(
    server: Server, portal: httpx.AsyncClient, fields: dict[str, str], field: str
) -> None:
    answer = await send(portal, "/worlds/main/faults", **fields)
    assert answer.status_code == 422
    assert re.findall(r'id="(\w+)-problem"', answer.text) == [field]
    assert faults.planned(server.worlds.get("main")) == []


@pytest.mark.parametrize("number", ["", "9", "x"])
async def test_what_is_not_planned_is_not_taken_back(portal: httpx.AsyncClient, number: str) -> None:
    assert (await send(portal, "/worlds/main/faults/cancel", fault=number)).status_code == 400


# deliveries


def _post(world: World, outgoing: Outgoing, stamp: Stamp) -> Post:
    raise NotSendable("This test sends nothing.")


@asynccontextmanager
async def sending() -> AsyncIterator[Server]:
    """A server whose notes are sent, but for the pump, which is off."""
    services = {"notes": replace(NOTES, sends={"mail": _post})}
    async with Server(services=services, secret=FIXED_SECRET, portal=portal_app) as server:
        server.create_world("main", Start("office"))
        yield server


def give_up(world: World, number: int) -> None:
    with world.kernel_write():
        world.con.execute("UPDATE deliveries SET state = 'dead', why = 'Too often' WHERE id = ?", (number,))


async def test_a_dead_letter_is_told_of_and_sent_again_by_click() -> None:
    async with sending() as server, at_portal(server) as portal:
        world = server.worlds.get("main")
        for _ in range(2):
            await write(server)
        give_up(world, 1)
        text = await text_of(portal, "/worlds/main/deliveries")
        assert "1 dead letter: given up after too many attempts." in text
        assert "notes mail someone@else.example dead Too often" in text
        narrowed = await text_of(portal, "/worlds/main/deliveries?state=dead")
        assert "dead Too often" in narrowed and "waiting {" not in narrowed
        again = await send(portal, "/worlds/main/deliveries/resend", delivery="1")
        assert await said(portal, again) == "Delivery 1 is due again. The pump is off: it waits."
        assert outbox.view(world, 1).state == "waiting"


async def test_the_pump_is_turned_by_click(server: Server, portal: httpx.AsyncClient) -> None:
    world = server.worlds.get("main")
    assert "The pump is off" in await text_of(portal, "/worlds/main/deliveries")
    await send(portal, "/worlds/main/pump", pump="on")
    assert world.pump_on
    assert "The pump is on" in await text_of(portal, "/worlds/main/deliveries")
    await send(portal, "/worlds/main/pump", pump="off")
    assert not world.pump_on
    assert (await send(portal, "/worlds/main/pump", pump="perhaps")).status_code == 400


async def test_what_nobody_sends_is_shown_as_kept_and_not_resent(
    server: Server, portal: httpx.AsyncClient
) -> None:
    await write(server)
    assert "kept" in await text_of(portal, "/worlds/main/deliveries")
    answer = await send(portal, "/worlds/main/deliveries/resend", delivery="1")
    assert answer.status_code == 400
    assert "can't be sent" in words(answer.text) or "sends nothing" in words(answer.text)


@pytest.mark.parametrize("number", ["", "x", "99", "9" * 40])
async def test_a_delivery_that_is_none_is_not_sent(portal: httpx.AsyncClient, number: str) -> None:
    assert (await send(portal, "/worlds/main/deliveries/resend", delivery=number)).status_code == 400


async def test_the_outbox_has_pages(server: Server, portal: httpx.AsyncClient) -> None:
    for _ in range(52):
        await write(server)
    first = (await portal.get("/worlds/main/deliveries")).text
    older = re.search(r'href="([^"]+)">Older', first)
    assert older
    assert await text_of(portal, older[1].replace("&amp;", "&"))
    assert (await portal.get("/worlds/main/deliveries?state=nope")).status_code == 400
