"""Named snapshots: what they keep, what restoring and forking give back, and what is refused."""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fakes.core import auth
from fakes.core.errors import Refused
from fakes.core.people import Person
from fakes.core.service import route
from fakes.core.serving import service_app
from fakes.core.world import World, open_world
from harness.app import FIXED_SECRET, Server, Start
from harness.comparing import differences
from harness.control import control_app
from harness.snapshots import (
    MOST,
    BadSnapshotName,
    SnapshotExists,
    StaleSnapshot,
    TooManySnapshots,
    UnknownSnapshot,
)
from tests.harness.notes import HOUR, SERVICES, Note, client, control, write

MIRA = "mira@harborlight.example"


def texts(world: World) -> list[str]:
    return [note.text for note in world.all(Note, "ORDER BY text")]


# taking and restoring


async def test_a_restored_world_has_the_rows_log_journal_and_clock_of_then(server: Server) -> None:
    world = server.worlds.get("main")
    await write(server, "before")
    world.advance(world.now() + HOUR)
    then = (world.state_hash(), world.now(), world.log.newest, world.journal.head())
    taken = server.snapshots.take("main", "there")
    assert (taken.hash, taken.at, taken.requests) == then[:3]
    await write(server, "after")
    world.advance(world.now() + 2 * HOUR)
    assert (world.state_hash(), world.now(), world.log.newest, world.journal.head()) != then
    server.snapshots.restore("main", "there")
    assert texts(world) == ["before"]
    assert (world.state_hash(), world.now(), world.log.newest, world.journal.head()) == then
    await write(server, "again")
    assert world.log.rows("ORDER BY id DESC")[0].id == then[2] + 1, "numbering goes on from there"


async def test_what_is_pristine_stays_so(server: Server) -> None:
    world = server.worlds.get("main")
    await write(server)
    server.snapshots.take("main", "there")
    server.snapshots.restore("main", "there")
    assert server.reset_world("main") == world.state_hash() == world.pristine_hash
    assert texts(world) == []


async def test_a_reset_keeps_snapshots_and_they_can_be_gone_back_to(server: Server) -> None:
    await write(server, "kept")
    server.snapshots.take("main", "there")
    server.reset_world("main")
    assert [each.name for each in server.snapshots.of("main")] == ["there"]
    server.snapshots.restore("main", "there")
    assert texts(server.worlds.get("main")) == ["kept"]


async def test_sessions_and_tokens_of_then_are_good_again_and_leases_stay(server: Server) -> None:
    world = server.worlds.get("main")
    mira = world.person(MIRA)
    assert mira is not None
    token = auth.issue_token(world, mira, "notes")
    lease = await server.lease("main", kind="agent", medium="client")
    server.snapshots.take("main", "there")
    with world.tx() as tx:
        tx.execute("DELETE FROM tokens")
    path = f"http://{lease.address}:{server.port}/w/main/sites/notes/notes"
    async with client(server, Authorization=f"Bearer {token}") as program:
        assert (await program.post(path)).status_code == 401
        server.snapshots.restore("main", "there")
        assert (await program.post(path)).status_code == 201
    assert world.log.rows("ORDER BY id DESC")[0].lease == lease.id


@pytest.mark.parametrize("mode", ["frozen", "stepping", "running"])
async def test_a_clock_goes_on_from_the_snapshot_in_the_mode_it_has(server: Server, mode: str) -> None:
    world = server.worlds.get("main")
    world.turn_clock("running")
    taken = server.snapshots.take("main", "there")
    world.advance(world.now() + 3 * HOUR)
    world.turn_clock(mode)  # type: ignore[arg-type]
    server.snapshots.restore("main", "there")
    assert world.clock.mode == mode
    assert world.clock.at_ms == taken.at


async def test_live_pages_hear_of_it(server: Server) -> None:
    world = server.worlds.get("main")
    server.snapshots.take("main", "there")
    heard = world.subscribe()
    server.snapshots.restore("main", "there")
    assert {"nt_notes", "requests", "clock"} <= await heard.next()


async def test_a_request_under_way_is_overtaken(server: Server) -> None:
    """It began before the restore and writes after it: 409, and nothing of it is kept."""
    world = server.worlds.get("main")

    async def overtaken(request: Request) -> Response:
        server.snapshots.restore("main", "there")
        with world.tx() as tx:
            tx.insert(Note(id="late", text="late", done=False, written_at=0))
        return JSONResponse({})

    notes = replace(SERVICES["notes"], routes=lambda: [route("POST", "/slow", overtaken)])
    server.gateway._apps["notes"] = service_app(notes)
    server.snapshots.take("main", "there")
    async with client(server) as program:
        assert (await program.post("/w/main/sites/notes/slow")).status_code == 409
    assert world.count(Note) == 0


async def test_a_half_read_cursor_does_not_hold_a_restore_up(server: Server) -> None:
    world = server.worlds.get("main")
    server.snapshots.take("main", "there")
    cursor = world.con.execute("SELECT * FROM people")
    next(cursor)
    server.snapshots.restore("main", "there")
    assert world.count(Person) > 1


# what changed since


async def test_what_changed_since_is_counted_by_row(server: Server) -> None:
    server.snapshots.take("main", "empty")
    assert server.snapshots.changed("main", "empty") == 0
    await write(server)
    await write(server)
    after_two = server.snapshots.changed("main", "empty")
    opened = server.snapshots.opened("main", "empty")
    rows = differences(opened, server.worlds.get("main"))
    opened.close()
    assert after_two == len(rows)
    assert [change.table for change in rows if change.table == "nt_notes"] == ["nt_notes", "nt_notes"]
    server.snapshots.restore("main", "empty")
    assert server.snapshots.changed("main", "empty") == 0


async def test_of_unlike_beginnings_every_row_is_compared(server: Server) -> None:
    server.create_world("other", Start("office", seed=2))
    main, other = server.worlds.get("main"), server.worlds.get("other")
    assert main.pristine_hash != other.pristine_hash
    await write(server, "only here")
    found = differences(main, other)
    notes = [change for change in found if change.table == "nt_notes"]
    assert [(change.before or {})["text"] for change in notes] == ["only here"]
    assert notes[0].after is None
    assert any(change.table == "people" for change in found)


# forking


async def test_a_fork_begins_at_the_snapshot_and_is_its_own(server: Server) -> None:
    await write(server, "before")
    server.snapshots.take("main", "there")
    await write(server, "after")
    forked = server.snapshots.fork("main", "there", "branch")
    await write(server, "in the branch", world="branch")
    assert texts(forked) == ["before", "in the branch"]
    assert texts(server.worlds.get("main")) == ["after", "before"]
    assert forked.pristine_hash == server.worlds.get("main").pristine_hash
    assert server.reset_world("branch") == forked.pristine_hash


# refusals


@pytest.mark.parametrize("name", ["", "Big", "a b", "-a", "a-", "../x", "a/b", "x" * 41, "é"])
async def test_a_name_that_is_none_is_refused(server: Server, name: str) -> None:
    with pytest.raises(BadSnapshotName):
        server.snapshots.take("main", name)
    assert server.snapshots.of("main") == []


async def test_a_double_is_refused_and_the_first_stays(server: Server) -> None:
    first = server.snapshots.take("main", "there")
    await write(server)
    with pytest.raises(SnapshotExists):
        server.snapshots.take("main", "there")
    assert server.snapshots.of("main") == [first]


async def test_there_is_a_most(server: Server) -> None:
    for _ in range(MOST):
        server.snapshots.take("main", server.snapshots.next_name("main"))
    with pytest.raises(TooManySnapshots):
        server.snapshots.take("main", "one-more")


@pytest.mark.parametrize("what", ["restore", "delete", "get", "image", "opened"])
async def test_an_unknown_one_is_refused(server: Server, what: str) -> None:
    server.snapshots.take("main", "there")
    with pytest.raises(UnknownSnapshot, match="Snapshots: there"):
        getattr(server.snapshots, what)("main", "nowhere")


async def test_a_fork_to_a_taken_name_makes_nothing(server: Server) -> None:
    server.snapshots.take("main", "there")
    for name in ("main", "No Good"):
        with pytest.raises(Refused):
            server.snapshots.fork("main", "there", name)
    assert server.worlds.names() == ["main"]


# on disk


def disk_server(folder: Path) -> Server:
    return Server(services=SERVICES, secret=FIXED_SECRET, folder=folder)


async def test_with_a_data_folder_they_outlive_the_server_for_their_owner_alone(tmp_path: Path) -> None:
    async with disk_server(tmp_path) as server:
        server.create_world("main", Start("office"))
        await write(server, "kept")
        server.snapshots.take("main", "first")
        taken = server.snapshots.take("main", "second")
        await write(server, "later")
    file = tmp_path / "snapshots" / "main" / "second.snapshot"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    async with disk_server(tmp_path) as server:
        server.reopen()
        assert [each.name for each in server.snapshots.of("main")] == ["first", "second"]
        assert server.snapshots.get("main", "second") == taken
        server.snapshots.restore("main", "second")
        assert texts(server.worlds.get("main")) == ["kept"]
        server.snapshots.delete("main", "first")
        assert not file.with_name("first.snapshot").exists()
        await server.remove_world("main")
        assert not file.parent.exists()


async def test_a_damaged_file_is_no_snapshot_and_is_left_where_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "snapshots" / "main"
    async with disk_server(tmp_path) as server:
        server.create_world("main", Start("office"))
        folder.mkdir(parents=True)
        (folder / "bad.snapshot").write_bytes(b"no database at all")
        assert server.snapshots.of("main") == []
        assert "main/bad.snapshot" in server.snapshots.broken
        assert (folder / "bad.snapshot").exists()


async def test_one_that_the_disk_does_not_take_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    served = Server(services=SERVICES, folder=tmp_path, secret=FIXED_SECRET, control=control_app)
    async with served as server, control(server) as plane:
        server.create_world("main", Start("office"))
        before = getrlimit(RLIMIT_FSIZE)
        setrlimit(RLIMIT_FSIZE, (100_000, before[1]))
        try:
            answers = [
                await plane.post("/worlds/main/snapshots", json={"name": "there"}),
                await plane.post("/worlds/main/fork", json={"name": "other"}),
            ]
        finally:
            setrlimit(RLIMIT_FSIZE, before)
        for answer in answers:
            assert (answer.status_code, answer.json()["error"]["code"]) == (507, "no_room")
            assert "The data folder can't be used: File too large" in answer.json()["error"]["message"]
        assert server.worlds.names() == ["main"] and server.snapshots.of("main") == []
        assert [path.name for path in tmp_path.rglob("*.new")] == []
        assert (await plane.post("/worlds/main/snapshots", json={"name": "there"})).status_code == 201


async def test_a_snapshot_of_another_world_of_that_name_is_stale(tmp_path: Path) -> None:
    """A folder whose world was taken away by hand and seeded otherwise."""
    async with disk_server(tmp_path) as server:
        server.create_world("main", Start("office"))
        server.snapshots.take("main", "old")
    (tmp_path / "main.world").unlink()
    async with disk_server(tmp_path) as server:
        server.create_world("main", Start("office", seed=9))
        assert server.snapshots.changed("main", "old") is None
        for act in (server.snapshots.restore, server.snapshots.opened):
            with pytest.raises(StaleSnapshot):
                act("main", "old")
        server.snapshots.delete("main", "old")
        assert server.snapshots.of("main") == []


# the control plane


@pytest.fixture
async def plane(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    async with control(server) as opened:
        yield opened


async def test_the_control_plane_takes_lists_restores_forks_and_deletes(
    server: Server, plane: httpx.AsyncClient
) -> None:
    await write(server, "before")
    taken = await plane.post("/worlds/main/snapshots", json={"name": "there"})
    assert (taken.status_code, taken.json()["at"]) == (201, "2025-10-21T09:30:00.000-04:00")
    assert (await plane.post("/worlds/main/snapshots")).json()["name"] == "s1"
    await write(server, "after")
    listed = (await plane.get("/worlds/main/snapshots")).json()["snapshots"]
    assert [(each["name"], each["changed"] > 0) for each in listed] == [("there", True), ("s1", True)]
    forked = await plane.post("/worlds/main/snapshots/there/fork", json={"name": "branch"})
    assert (forked.status_code, texts(server.worlds.get("branch"))) == (201, ["before"])
    assert (await plane.post("/worlds/main/snapshots/there/restore")).status_code == 200
    assert texts(server.worlds.get("main")) == ["before"]
    image = (await plane.get("/worlds/main/snapshots/there/image")).content
    assert texts(open_world("copy", SERVICES, image=image)) == ["before"]
    assert (await plane.delete("/worlds/main/snapshots/there")).status_code == 204
    assert (await plane.get("/worlds/main/snapshots/there/image")).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "json", "status", "code"),
    [
        ("POST", "/worlds/main/snapshots", {"name": "No"}, 400, "bad_snapshot_name"),
        ("POST", "/worlds/main/snapshots", {"name": "there"}, 409, "snapshot_exists"),
        ("POST", "/worlds/main/snapshots", {"nme": "x"}, 400, "bad_input"),
        ("POST", "/worlds/main/snapshots/no/restore", None, 404, "unknown_snapshot"),
        ("DELETE", "/worlds/main/snapshots/no", None, 404, "unknown_snapshot"),
        ("POST", "/worlds/main/snapshots/there/fork", {}, 400, "bad_input"),
        ("POST", "/worlds/main/snapshots/there/fork", {"name": "main"}, 409, "world_exists"),
        ("GET", "/worlds/no/snapshots", None, 404, "unknown_world"),
    ],
)
async def test_the_control_plane_refuses_clearly(
    plane: httpx.AsyncClient, method: str, path: str, json: dict[str, str] | None, status: int, code: str
) -> None:
    await plane.post("/worlds/main/snapshots", json={"name": "there"})
    answer = await plane.request(method, path, json=json)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
