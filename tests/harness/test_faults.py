"""Planned failures and credentials of leases, as the control plane and the command line hand them out."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio.to_thread
import httpx
import pytest

from fakes.core.faults import planned
from harness.app import Server
from harness.cli import run
from tests.harness.notes import Note, client

FAULTS = "/worlds/main/faults"
MIRA = "mira@harborlight.example"


async def post(server: Server) -> int:
    async with client(server) as program:
        return (await program.post("/w/main/sites/notes/notes", content="a note")).status_code


# the control plane


async def test_a_fault_is_planned_listed_and_taken_back(server: Server, plane: httpx.AsyncClient) -> None:
    wanted = {"service": "notes", "route": "POST /notes", "answer": 503, "times": 2, "retry_after": 5}
    made = await plane.post(FAULTS, json=wanted)
    assert made.status_code == 201
    assert made.json()["said"] == "The next 2 requests POST at /notes to notes are answered 503."
    assert await post(server) == 503
    (listed,) = (await plane.get(FAULTS)).json()["faults"]
    assert (listed["seen"], listed["struck"], listed["left"], listed["answer"]) == (1, 1, 1, "503")
    (logged,) = (await plane.get("/worlds/main/requests")).json()["requests"]
    assert (logged["fault"], logged["status"]) == ("1:503", 503)
    assert (await plane.delete(f"{FAULTS}/1")).status_code == 204
    assert (await plane.get(FAULTS)).json() == {"faults": []} and await post(server) == 201


async def test_all_of_a_fault_can_be_said(plane: httpx.AsyncClient, server: Server) -> None:
    wanted: dict[str, Any] = {
        "service": "notes", "method": "POST", "route": "/notes", "person": MIRA, "lease": "a-1",
        "answer": "hang-up", "kept": True, "late": "2m", "after": 3, "times": 4,
    }  # fmt: skip
    made = (await plane.post(FAULTS, json=wanted)).json()
    assert made.items() >= {**wanted, "late_ms": 120_000}.items() - {("late", "2m")}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({}, "A fault that changes nothing"),
        ({"answer": "teapot"}, "The answer can't be 'teapot'"),
        ({"answer": True}, "'answer' must be"),
        ({"answer": 503, "service": 7}, "'service' must be a string"),
        ({"answer": 503, "times": "2"}, "'times' must be a whole number"),
        ({"late": "soon"}, "'soon' is no length of time"),
        ({"late": "9999999w"}, "after the year 2200"),
        ({"late": "60w"}, "'late' is"),
        ({"answer": 503, "late_ms": 5}, "There is no field 'late_ms' here."),
        ({"answer": 503, "person": "nobody@x.example"}, "Nobody in world 'main'"),
    ],
)
async def test_what_can_not_be_planned_is_a_bad_request(
    server: Server, plane: httpx.AsyncClient, wrong: Any, sentence: str
) -> None:
    answer = await plane.post(FAULTS, json=wrong)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_input")
    assert sentence in answer.json()["error"]["message"]
    assert planned(server.worlds.get("main")) == []


@pytest.mark.parametrize("number", ["1", "0", "x", "-1", "9" * 30, "%20"])
async def test_a_fault_that_is_none_can_not_be_taken_back(plane: httpx.AsyncClient, number: str) -> None:
    answer = await plane.delete(f"{FAULTS}/{number}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_fault")


async def test_a_write_that_was_kept_is_journaled_as_its_request(
    server: Server, plane: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    await plane.post(FAULTS, json={"answer": 500, "kept": True})
    assert await post(server) == 500 and world.count(Note) == 1
    (row,) = world.log.rows()
    written = next(change for change in world.diff() if change.table == "nt_notes")
    assert written.requests == (row.id,) and (row.status, row.fault) == (500, "1:kept:500")


async def test_a_lease_has_credentials_beside_its_address(server: Server, plane: httpx.AsyncClient) -> None:
    made = (await plane.post("/leases", json={"world": "main", "medium": "browser", "holder": MIRA})).json()
    assert made["url"] == f"http://{made['address']}:{server.port}"
    proxy = made["proxy"]
    assert (proxy["server"], proxy["username"]) == (server.url, made["id"])
    assert (await plane.get("/leases")).json()["leases"] == [made]
    through = httpx.Proxy(proxy["server"], auth=(proxy["username"], proxy["password"]))
    async with httpx.AsyncClient(proxy=through, trust_env=False) as program:
        await program.get(f"http://notes.main.localhost:{server.port}/")
    (row,) = server.worlds.get("main").log.rows()
    assert row.lease == made["id"]


# the command


async def command(server: Server, *arguments: str) -> int:
    """`paracosm fault …`, beside the server's loop."""
    return await anyio.to_thread.run_sync(partial(run, ["fault", *arguments]))


@pytest.fixture
def named(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("PARACOSM_URL", server.url)
    monkeypatch.setenv("PARACOSM_SECRET", server.control_secret)
    return server


async def test_the_command_plans_lists_and_clears(named: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert await command(named) == 0
    assert capsys.readouterr().out == "World main has no faults.\n"
    wanted = (
        "--service",
        "notes",
        "--route",
        "POST */notes",
        "--answer",
        "503",
        "--times",
        "2",
        "--as",
        MIRA,
    )
    assert await command(named, *wanted) == 0
    planned_so = f"1  The next 2 requests POST at */notes to notes by {MIRA} are answered 503.\n"
    assert capsys.readouterr().out == planned_so
    assert await command(named, "--late", "30s") == 0
    late = "2  The next request is answered, 30 seconds of the run clock late.\n"
    assert capsys.readouterr().out == late
    assert await command(named, "--world", "main") == 0
    assert capsys.readouterr().out == planned_so + late
    assert await command(named, "--clear") == 0
    assert capsys.readouterr().out == "2 taken back.\n"
    assert planned(named.worlds.get("main")) == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (("--answer", "418"), "The answer can't be '418'"),
        (("--service", "notes"), "A fault that changes nothing"),
        (("--clear", "--answer", "503"), "--clear goes alone"),
        (("--times", "many"), "--times"),
        (("--world", "nowhere"), "There is no world 'nowhere'"),
    ],
)
async def test_a_wrong_use_is_one_sentence(
    named: Server, capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...], sentence: str
) -> None:
    assert await command(named, *wrong) == 2
    told = capsys.readouterr()
    assert told.out == "" and sentence in told.err and told.err.count("\n") == 1
