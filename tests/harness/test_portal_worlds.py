"""Worlds by click: snapshots, forks, comparing, going to an instant, the row that a link points at."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from fakes.core.agenda import Planned
from fakes.core.auth import Lockout
from fakes.core.world import World, open_world
from harness.app import Server, Start
from harness.portal.changed import CHANGES
from harness.portal.live import WatchedSubscription
from tests.harness.notes import HOUR, SERVICES, Note, write
from tests.harness.portal_pages import said, send, text_of


def texts(world: World) -> list[str]:
    return [note.text for note in world.all(Note, "ORDER BY text")]


# snapshots


async def test_a_snapshot_is_taken_compared_gone_back_to_and_deleted(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    await write(server, "before")
    taken = await send(portal, "/worlds/main/snapshots", name="")
    assert await said(portal, taken) == "Snapshot s1 of main is kept."
    assert "s1 Tue 21 Oct 2025, 09:30 1 no row differs" in await text_of(portal, "/worlds/main/snapshots")
    await write(server, "after")
    page = (await portal.get("/worlds/main/snapshots")).text
    compared = await text_of(portal, "/compare?a=main@s1&b=main")
    assert 'href="/compare?a=main%40s1&amp;b=main"' in page
    assert "only in main" in compared and "after" in compared
    restored = await send(portal, "/worlds/main/snapshots/s1/restore")
    assert await said(portal, restored) == "World main is as it was at snapshot s1."
    assert texts(world) == ["before"]
    deleted = await send(portal, "/worlds/main/snapshots/s1/delete")
    assert await said(portal, deleted) == "Snapshot s1 is deleted."
    assert "None yet." in await text_of(portal, "/worlds/main/snapshots")


async def test_a_snapshot_is_downloaded_as_a_sqlite_file(server: Server, portal: httpx.AsyncClient) -> None:
    await write(server, "kept")
    await send(portal, "/worlds/main/snapshots", name="there")
    answer = await portal.get("/worlds/main/snapshots/there/file")
    assert answer.headers["content-disposition"] == 'attachment; filename="main-there.sqlite"'
    assert texts(open_world("copy", SERVICES, image=answer.content)) == ["kept"]


async def test_forks_of_a_snapshot_and_of_the_present(server: Server, portal: httpx.AsyncClient) -> None:
    await write(server, "before")
    await send(portal, "/worlds/main/snapshots", name="there")
    await write(server, "after")
    old = await send(portal, "/worlds/main/snapshots/there/fork", name="old")
    assert await said(portal, old) == "World old begins where main was at snapshot there."
    new = await send(portal, "/worlds/main/fork", name="new")
    assert await said(portal, new) == "World new begins where main is now."
    assert [texts(server.worlds.get(name)) for name in ("old", "new")] == [["before"], ["after", "before"]]


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("snapshots", {"name": "No"}, 400),
        ("snapshots", {"name": "there"}, 409),
        ("snapshots/nope/restore", {}, 404),
        ("snapshots/nope/delete", {}, 404),
        ("snapshots/there/fork", {"name": "main"}, 409),
        ("fork", {"name": ""}, 400),
    ],
)
async def test_what_cannot_be_is_refused_on_a_page(
    server: Server, portal: httpx.AsyncClient, path: str, fields: dict[str, str], status: int
) -> None:
    await send(portal, "/worlds/main/snapshots", name="there")
    answer = await send(portal, f"/worlds/main/{path}", **fields)
    assert (answer.status_code, server.worlds.names()) == (status, ["main"])
    assert (await portal.get("/worlds/main/snapshots/nope/file")).status_code == 404


async def test_a_world_is_saved_as_a_scenario_and_seeded_from_it(
    server: Server, portal: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await write(server, "kept")
    server.worlds.get("main").advance(server.worlds.get("main").now() + HOUR)
    saved = await send(portal, "/worlds/main/save", name="after_lunch")
    assert "scenarios/after_lunch/seed.yaml" in await said(portal, saved)
    assert (tmp_path / "scenarios" / "after_lunch" / "seed.yaml").is_file()
    for name in ("after_lunch", "No Good", "", "../x"):
        assert (await send(portal, "/worlds/main/save", name=name)).status_code == 400
    made = await send(portal, "/worlds", name="again", scenario="after_lunch", clock="frozen")
    assert made.status_code == 303
    again = server.worlds.get("again")
    assert (texts(again), again.now()) == (["kept"], server.worlds.get("main").now())


# the overview


async def test_a_card_snapshots_forks_and_resets_and_stays_on_the_overview(
    server: Server, portal: httpx.AsyncClient
) -> None:
    await write(server)
    for path in ("snapshots", "reset"):
        done = await send(portal, f"/worlds/main/{path}", back="overview")
        assert done.headers["location"] == "/"
    forks = re.findall(r'name="name" value="([^"]+)"', (await portal.get("/")).text)
    assert forks == ["main-2"]
    assert (await send(portal, "/worlds/main/fork", name=forks[0], back="overview")).status_code == 303
    assert "0 rows changed , 0 requests" in await text_of(portal, "/")
    assert 'value="main-3"' in (await portal.get("/")).text


async def test_the_servers_stream_names_the_worlds_in_which_something_moved(server: Server) -> None:
    server.create_world("other", Start("office"))
    watched = WatchedSubscription(server)
    await write(server, world="other")
    assert await watched.next() == {"world:other"}
    server.fork_world("main", "branch")
    assert await watched.next() == {"worlds", "world:branch"}
    server.worlds.get("main").turn_clock("running")
    assert await watched.next() == {"world:main"}


# two beside each other


async def test_two_worlds_differ_by_row_and_column(server: Server, portal: httpx.AsyncClient) -> None:
    await write(server, "same")
    fork, main = server.fork_world("main", "branch"), server.worlds.get("main")
    assert "Every row is alike." in await text_of(portal, "/compare?a=main&b=branch")
    (note,) = main.all(Note)
    with fork.tx() as tx:
        tx.update(note, text="unlike")
    await write(server, "only here")
    text = await text_of(portal, "/compare?a=main&b=branch")
    assert f"unlike {note.id} Column main branch text same unlike" in text
    assert "only in main" in text and "only here" in text
    assert text.count("POST /w/main/sites/notes/notes") == 3, "the newest requests of both"


@pytest.mark.parametrize("query", ["", "?a=main", "?a=main&b="])
async def test_until_two_are_chosen_there_is_a_form(
    server: Server, portal: httpx.AsyncClient, query: str
) -> None:
    server.fork_world("main", "branch")
    assert "Choose two and compare them." in await text_of(portal, f"/compare{query}")


@pytest.mark.parametrize("b", ["nope", "main@nope", "@", "main@"])
async def test_what_is_not_there_cannot_be_compared(portal: httpx.AsyncClient, b: str) -> None:
    answer = await portal.get("/compare", params={"a": "main", "b": b})
    assert answer.status_code == 404
    assert "That did not work" in answer.text


# going to an instant


async def test_a_planned_thing_is_gone_to_or_to_just_before(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    await write(server)
    (planned,) = world.all(Planned)
    page = (await portal.get("/worlds/main/planned")).text
    assert page.count(f'name="due" value="{planned.id}"') == 2
    before = await send(portal, "/worlds/main/clock", due=str(planned.id), when="before")
    assert before.headers["location"].endswith("/planned")
    assert await said(portal, before) == "It is Tue 21 Oct 2025, 11:29:59. Nothing was due."
    at = await send(portal, "/worlds/main/clock", due=str(planned.id), when="at")
    assert await said(portal, at) == "It is Tue 21 Oct 2025, 11:30. 1 thing was due."
    gone = await send(portal, "/worlds/main/clock", due=str(planned.id), when="at")
    assert gone.status_code == 400


async def test_a_date_and_time_are_the_worlds_own(server: Server, portal: httpx.AsyncClient) -> None:
    world = server.worlds.get("main")
    went = await send(portal, "/worlds/main/clock", to="2025-11-03T08:15")
    assert await said(portal, went) == "It is Mon 3 Nov 2025, 08:15. Nothing was due."
    assert world.now() == world.instant(world.today(), "08:15")


@pytest.mark.parametrize(
    "fields", [{"to": ""}, {"to": "soon"}, {"to": "2025-10-20T08:00"}, {"to": "9999-01-01T00:00"},
               {"due": ""}, {"due": "x"}, {"due": "9" * 30}]
)  # fmt: skip
async def test_an_instant_that_is_none_moves_nothing(
    server: Server, portal: httpx.AsyncClient, fields: dict[str, str]
) -> None:
    world = server.worlds.get("main")
    before = world.now()
    assert (await send(portal, "/worlds/main/clock", **fields)).status_code == 400
    assert world.now() == before


async def test_a_step_that_a_running_clock_has_passed_is_no_error(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    await write(server)
    (planned,) = world.all(Planned)
    world.advance(planned.due_at - HOUR)
    world.turn_clock("running")
    assert (await send(portal, "/worlds/main/clock", due=str(planned.id), when="before")).status_code == 303


# the row that a link points at


def marked(page: str) -> list[str]:
    """The keys of the rows that a page marks."""
    return re.findall(r'id="marked".*?deciding row.*?<code>([^<]*)</code>', page, re.DOTALL)


@pytest.mark.parametrize("spell", [lambda key: key, lambda key: json.dumps([key])])
async def test_a_link_marks_a_row_by_its_key(
    server: Server, portal: httpx.AsyncClient, spell: type[str]
) -> None:
    for _ in range(3):
        await write(server)
    key = server.worlds.get("main").all(Note)[1].id
    address = f"/worlds/main/changes?mark={quote('nt_notes/' + spell(key), safe='')}"
    assert marked((await portal.get(address)).text) == [key]


async def test_a_key_of_several_columns_is_a_list(server: Server, portal: httpx.AsyncClient) -> None:
    world = server.worlds.get("main")
    with world.tx() as tx:
        for account in ("a, b", "c"):
            tx.insert(Lockout(service="notes", account=account, failures=1, locked_until=None))
    for key in (json.dumps(["notes", "c"]), "notes, c"):
        page = await portal.get("/worlds/main/changes", params={"mark": f"lockouts/{key}"})
        assert marked(page.text) == ["notes, c"]


async def test_a_row_beyond_those_that_are_shown_is_shown_when_pointed_at(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    with world.tx() as tx:
        for n in range(CHANGES + 20):
            tx.insert(Note(id=f"n{n:04}", text="", done=False, written_at=0))
    last = f"n{CHANGES + 19:04}"
    assert last not in (await portal.get("/worlds/main/changes")).text
    page = await portal.get("/worlds/main/changes", params={"mark": f"nt_notes/{last}"})
    assert marked(page.text) == [last]


@pytest.mark.parametrize(
    "mark", ["", "/", "nt_notes", "nt_notes/", "nt_notes/nope", "nope/x", "nt_notes/[", "nt_notes/[[1]]",
             'nt_notes/{"a":1}', "%", "\N{SNOWMAN}/\N{SNOWMAN}"]
)  # fmt: skip
async def test_a_mark_that_points_nowhere_is_ignored(
    server: Server, portal: httpx.AsyncClient, mark: str
) -> None:
    await write(server)
    answer = await portal.get("/worlds/main/changes", params={"mark": mark})
    assert (answer.status_code, marked(answer.text)) == (200, [])


async def test_no_name_of_a_world_or_snapshot_makes_two_parts_of_a_page_one(
    server: Server, portal: httpx.AsyncClient
) -> None:
    for name in ("rule", "name", "title", "name-title", "a", "a-name", "a-title"):
        server.fork_world("main", name)
        server.snapshots.take("main", name)
    for path in ("/", "/worlds/main/snapshots"):
        ids = re.findall(r'\bid="([^"]+)"', (await portal.get(path)).text)
        assert len(ids) == len(set(ids)) > 30


async def test_a_refusal_leads_back_to_its_world(portal: httpx.AsyncClient) -> None:
    answer = await portal.get("/worlds/main/requests/999999")
    assert answer.status_code == 404
    assert '<a href="/worlds/main/">Back to main</a>' in answer.text
