"""The control plane: what it does for whoever holds the secret; that it does not exist for anyone else."""

from __future__ import annotations

import json

import apsw
import httpx
import pytest

from fakes.core import auth
from fakes.core.ids import digest
from harness.app import Server
from harness.control import HOST, ROUTES
from tests.harness.notes import Note, client, write

NOTHING = {"error": {"code": "unknown_service", "message": "There is nothing here."}}
MIRA = "mira@harborlight.example"
NAMED = {"name": "main", "lease": "lease-1", "id": "1", "snapshot": "1"}
WAYS_IN = [(method, path.format_map(NAMED)) for method, path, _ in ROUTES]


# closed to everyone else


async def test_no_way_in_exists_without_the_secret_and_each_attempt_is_recorded(server: Server) -> None:
    before = server.worlds.get("main").state_hash()
    async with client(server, Host=HOST) as program:
        for method, path in WAYS_IN:
            answer = await program.request(method, path)
            assert (answer.status_code, answer.json()) == (404, NOTHING), path
    assert server.worlds.get("main").state_hash() == before
    assert [(each.method, each.path) for each in server.refusals.all()] == WAYS_IN


async def test_no_way_in_exists_for_a_lease_that_knows_the_secret(server: Server) -> None:
    lease = await server.lease("main", kind="agent", medium="client")
    async with client(server, Host=HOST, Authorization=f"Bearer {server.control_secret}") as program:
        for method, path in WAYS_IN:
            answer = await program.request(method, f"http://{lease.address}:{server.port}{path}")
            assert (answer.status_code, answer.json()) == (404, NOTHING), path
    assert [each.path for each in server.refusals.of(lease.id)] == [path for _, path in WAYS_IN]
    assert (server.worlds.names(), server.leases.all()) == (["main"], [lease])


async def test_anything_but_the_exact_secret_is_nothing(server: Server) -> None:
    secret = server.control_secret
    given = ["", "Bearer", "Bearer wrong", f"bearer {secret}", f"Basic {secret}", secret, f"Bearer {secret}x"]
    async with client(server, Host=HOST) as program:
        for each in given:
            assert (await program.get("/worlds", headers={"Authorization": each})).status_code == 404, each


async def test_a_secret_said_twice_is_nothing(server: Server) -> None:
    headers = [("Authorization", f"Bearer {server.control_secret}"), ("Authorization", "Bearer other")]
    async with client(server, Host=HOST) as program:
        assert (await program.get("/worlds", headers=headers)).status_code == 404


async def test_an_agents_token_is_nothing(server: Server, plane: httpx.AsyncClient) -> None:
    issued = (await plane.post("/worlds/main/tokens", json={"email": MIRA, "service": "notes"})).json()
    async with client(server, Host=HOST, Authorization=f"Bearer {issued['token']}") as program:
        assert (await program.post("/worlds/main/reset")).status_code == 404


async def test_a_browser_lease_gets_nothing_through_its_proxy(server: Server) -> None:
    lease = await server.lease("main", kind="agent", medium="browser")
    proxy = f"http://{lease.address}:{server.port}"
    headers = {"Authorization": f"Bearer {server.control_secret}"}
    async with httpx.AsyncClient(proxy=proxy, headers=headers, trust_env=False) as program:
        for url in (f"http://{HOST}/worlds", f"http://{HOST}:{server.port}/worlds"):
            assert (await program.get(url)).status_code == 404
    assert {each.lease for each in server.refusals.all()} == {lease.id}


@pytest.mark.parametrize(
    "host", ["evil.example", "127.evil.example", f"{HOST}.x.example", "127.0.0.1.x.example"]
)
async def test_a_foreign_name_for_this_address_reaches_neither_plane_nor_portal(
    server: Server, host: str
) -> None:
    async with client(server, Host=host, Authorization=f"Bearer {server.control_secret}") as program:
        assert (await program.get("/worlds")).status_code == 403


async def test_the_plane_is_not_on_the_portals_host(server: Server) -> None:
    async with client(server, Authorization=f"Bearer {server.control_secret}") as program:
        assert (await program.get("/worlds")).status_code == 404


# worlds


async def test_shows_the_server(server: Server, plane: httpx.AsyncClient) -> None:
    shown = (await plane.get("/")).json()
    assert (shown["url"], shown["services"], shown["worlds"]) == (server.url, ["notes"], ["main"])
    assert "office" in shown["scenarios"]


async def test_creates_a_world_at_an_instant_in_a_zone_and_mode(plane: httpx.AsyncClient) -> None:
    wanted = {"name": "paris", "scenario": "office", "seed": 7, "mode": "stepping"}
    wanted |= {"at": "2028-02-29T08:00", "zone": "Europe/Paris"}
    answer = await plane.post("/worlds", json=wanted)
    made = answer.json()
    assert answer.status_code == 201
    assert (made["name"], made["scenario"], made["seed"], made["people"]) == ("paris", "office", 7, 12)
    assert made["clock"]["at"] == "2028-02-29T08:00:00.000+01:00"
    assert made["clock"]["mode"] == "stepping"
    assert [each["name"] for each in (await plane.get("/worlds")).json()["worlds"]] == ["main", "paris"]


async def test_a_date_alone_means_its_morning_and_none_the_scenarios_day(plane: httpx.AsyncClient) -> None:
    dated = (await plane.post("/worlds", json={"name": "dated", "at": "2026-03-08"})).json()
    undated = (await plane.post("/worlds", json={"name": "undated"})).json()
    assert dated["clock"]["at"] == "2026-03-08T09:30:00.000-04:00"
    assert undated["clock"]["at"] == "2025-10-21T09:30:00.000-04:00"


async def test_the_same_start_makes_the_same_hash(plane: httpx.AsyncClient) -> None:
    one = (await plane.post("/worlds", json={"name": "one", "seed": 3})).json()
    two = (await plane.post("/worlds", json={"name": "two", "seed": 3})).json()
    assert one["pristine_hash"] == two["pristine_hash"]


async def test_a_name_that_is_taken_is_a_conflict_unless_the_world_is_to_be_replaced(
    server: Server, plane: httpx.AsyncClient
) -> None:
    await write(server)
    assert (await plane.post("/worlds", json={"name": "main"})).status_code == 409
    assert (await plane.post("/worlds", json={"name": "main", "replace": True})).status_code == 201
    assert (await plane.get("/worlds/main/diff")).json()["changes"] == []


async def test_a_world_that_cannot_be_seeded_does_not_cost_the_one_it_was_to_replace(
    server: Server, plane: httpx.AsyncClient
) -> None:
    wanted = {"name": "main", "scenario": "nowhere", "replace": True}
    answer = await plane.post("/worlds", json=wanted)
    assert answer.status_code == 400
    assert "no scenario 'nowhere'" in answer.json()["error"]["message"]
    assert server.worlds.names() == ["main"]


async def test_deletes_a_world_with_its_leases(server: Server, plane: httpx.AsyncClient) -> None:
    await server.lease("main", kind="agent", medium="client")
    assert (await plane.delete("/worlds/main")).status_code == 204
    assert (server.worlds.names(), server.leases.all()) == ([], [])


async def test_reset_puts_the_pristine_state_back_and_says_its_hash(
    server: Server, plane: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    await write(server)
    assert (await plane.get("/worlds/main/hash")).json()["hash"] != world.pristine_hash
    said = (await plane.post("/worlds/main/reset")).json()["hash"]
    assert said == world.pristine_hash == world.state_hash()


async def test_a_running_world_still_runs_after_a_reset(plane: httpx.AsyncClient) -> None:
    await plane.post("/worlds/main/clock", json={"mode": "running"})
    await plane.post("/worlds/main/clock/advance", json={"by": "1d"})
    clock = (await plane.post("/worlds/main/reset")).json()["clock"]
    assert clock["mode"] == "running"
    assert clock["at"].startswith("2025-10-21T09:30")


async def test_a_fork_has_the_state_and_goes_its_own_way(server: Server, plane: httpx.AsyncClient) -> None:
    await write(server)
    assert (await plane.post("/worlds/main/fork", json={"name": "branch"})).status_code == 201
    await write(server, world="branch")
    assert server.worlds.get("main").count(Note) == 1
    assert server.worlds.get("branch").count(Note) == 2


async def test_the_image_is_the_world_as_a_database(server: Server, plane: httpx.AsyncClient) -> None:
    await write(server, "kept")
    answer = await plane.get("/worlds/main/image")
    opened = apsw.Connection(":memory:")
    opened.deserialize("main", answer.content)
    assert opened.execute("SELECT text FROM nt_notes").fetchall() == [("kept",)]
    assert answer.headers["content-type"] == "application/vnd.sqlite3"


async def test_the_diff_names_rows_values_and_requests(server: Server, plane: httpx.AsyncClient) -> None:
    await write(server, "new here")
    found = (await plane.get("/worlds/main/diff")).json()
    (note,) = [change for change in found["changes"] if change["table"] == "nt_notes"]
    assert (note["before"], note["after"]["text"], note["requests"]) == (None, "new here", [1])
    later = (await plane.get("/worlds/main/diff", params={"since": found["head"]})).json()
    assert later["changes"] == []


async def test_lists_requests_by_lease(server: Server, plane: httpx.AsyncClient) -> None:
    lease = await server.lease("main", kind="cast", medium="client")
    await write(server)
    async with client(server) as program:
        await program.post(f"http://{lease.address}:{server.port}/w/main/sites/notes/notes", content="x")
    found = (await plane.get("/worlds/main/requests", params={"lease": lease.id})).json()["requests"]
    assert [(each["id"], each["kind"], each["route"]) for each in found] == [(2, "cast", "POST /notes")]
    assert (await plane.get("/worlds/main/requests", params={"after": 2})).json()["requests"] == []


# the clock


async def test_turns_the_clock_and_sets_how_far_it_steps(plane: httpx.AsyncClient) -> None:
    clock = (await plane.post("/worlds/main/clock", json={"mode": "stepping", "step_ms": 60_000})).json()
    assert (clock["mode"], clock["step_ms"]) == ("stepping", 60_000)
    assert (await plane.get("/worlds/main/clock")).json() == clock


@pytest.mark.parametrize(
    ("move", "stands_at", "fired"),
    [
        ({"by": "90m"}, "2025-10-21T11:00:00.000-04:00", 0),
        ({"by": "2h"}, "2025-10-21T11:30:00.000-04:00", 1),
        ({"by": "2w"}, "2025-11-04T09:30:00.000-05:00", 1),
        ({"to": "2025-10-22"}, "2025-10-22T09:30:00.000-04:00", 1),
        ({"to": "2025-10-21T20:00:00Z"}, "2025-10-21T16:00:00.000-04:00", 1),
        ({"next": True}, "2025-10-21T11:30:00.000-04:00", 1),
    ],
)
async def test_advances_the_clock_and_fires_what_is_due(
    server: Server, plane: httpx.AsyncClient, move: dict[str, object], stands_at: str, fired: int
) -> None:
    await write(server)
    said = (await plane.post("/worlds/main/clock/advance", json=move)).json()
    assert (said["clock"]["at"], said["fired"]) == (stands_at, fired)
    note = server.worlds.get("main").one(Note)
    assert note is not None
    assert note.done is bool(fired)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ({}, "Say one of"),
        ({"by": "1h", "next": True}, "Say one of"),
        ({"by": "an hour"}, "no length of time"),
        ({"by": "9999999w"}, "after the year 2200"),
        ({"to": "2025-10-20"}, "can't go back"),
        ({"to": "9999-12-31"}, "no instant"),
        ({"to": "tomorrow"}, "no instant"),
        ({"to": 12}, "must be a string"),
        ({"next": True}, "Nothing is planned"),
    ],
)
async def test_a_move_that_cannot_be_made_is_refused_in_a_sentence(
    plane: httpx.AsyncClient, move: dict[str, object], says: str
) -> None:
    answer = await plane.post("/worlds/main/clock/advance", json=move)
    assert answer.status_code == 400
    assert says in answer.json()["error"]["message"]


# people, tokens, leases, refusals


async def test_people_come_with_passwords_that_open_their_accounts(
    server: Server, plane: httpx.AsyncClient
) -> None:
    people = (await plane.get("/worlds/main/people")).json()["people"]
    assert len(people) == 12
    mira = next(person for person in people if person["email"] == MIRA)
    found = auth.check_password(server.worlds.get("main"), MIRA, mira["password"])
    assert found is not None and found.name == mira["name"] == "Mira Okafor"


async def test_a_token_works_at_its_service_and_is_logged_as_the_harness_own(
    server: Server, plane: httpx.AsyncClient
) -> None:
    answer = await plane.post("/worlds/main/tokens", json={"email": MIRA.upper(), "service": "notes"})
    assert answer.status_code == 201
    async with client(server, Authorization=f"Bearer {answer.json()['token']}") as program:
        assert (await program.post("/w/main/sites/notes/notes", content="mine")).status_code == 201
    issued, used = server.worlds.get("main").log.rows()
    assert (issued.kind, issued.person) == ("harness", MIRA)
    assert (used.person, used.credential) == (MIRA, "token:tok_1")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"email": "nobody@harborlight.example", "service": "notes"}, "unknown_person"),
        ({"email": MIRA, "service": "pigeons"}, "unknown_service"),
    ],
)
async def test_a_token_for_who_or_what_is_not_there_is_a_404(
    plane: httpx.AsyncClient, wanted: dict[str, str], code: str
) -> None:
    answer = await plane.post("/worlds/main/tokens", json=wanted)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)


async def test_opens_lists_and_closes_a_lease(server: Server, plane: httpx.AsyncClient) -> None:
    wanted = {"world": "main", "kind": "agent", "medium": "client", "holder": MIRA}
    lease = (await plane.post("/leases", json=wanted)).json()
    assert (lease["kind"], lease["holder"]) == ("agent", MIRA)
    assert (await plane.get("/leases")).json()["leases"] == [lease]
    async with client(server) as program:
        assert (await program.get(f"{lease['url']}/w/main/sites/notes/")).status_code == 200
    assert (await plane.delete(f"/leases/{lease['id']}")).status_code == 204
    assert (await plane.delete(f"/leases/{lease['id']}")).status_code == 404
    assert server.worlds.get("main").log.rows()[-1].lease == lease["id"]


async def test_lists_refusals_of_a_lease(server: Server, plane: httpx.AsyncClient) -> None:
    lease = await server.lease("main", kind="agent", medium="client")
    async with client(server) as program:
        await program.get(f"http://{lease.address}:{server.port}/")
        await program.get("/", headers={"Host": HOST})
    (found,) = (await plane.get("/refusals", params={"lease": lease.id})).json()["refusals"]
    assert (found["world"], found["path"], found["method"]) == ("main", "/", "GET")
    assert len((await plane.get("/refusals")).json()["refusals"]) == 2


async def test_makes_a_link_to_the_portal_that_opens_once(server: Server, plane: httpx.AsyncClient) -> None:
    link = (await plane.post("/portal")).json()["url"]
    assert link.startswith(f"{server.url}/open?key=")
    async with client(server) as browser:
        assert (await browser.get(link)).status_code == 303
        browser.cookies.clear()
        assert (await browser.get(link)).status_code == 404


# input that is none


ODD_BODIES = [b"{", b"[]", b'"text"', b"\xff\xfe", b"null", b'{"nosuch": 1}', b"[" * 2000]
ODD_VALUES = [[], -1, "\x00", "x" * 5000, None]
FIELDS = "name mode email service to by next world kind seed at zone scenario".split()


async def test_no_body_makes_a_post_fail_inside(plane: httpx.AsyncClient) -> None:
    values = [json.dumps({field: value}).encode() for field in FIELDS for value in ODD_VALUES]
    for path in [path for method, path in WAYS_IN if method == "POST"]:
        for body in ODD_BODIES + values:
            answer = await plane.post(path, content=body)
            assert answer.status_code < 500, (path, body)
            if answer.status_code >= 400:
                assert set(answer.json()["error"]) == {"code", "message"}, (path, body)


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({}, "'name' is missing"),
        ({"name": "Main"}, "no world name"),
        ({"name": "../up"}, "no world name"),
        ({"name": "notes"}, "reserved"),
        ({"name": "x", "zone": "Mars/Olympus"}, "no time zone"),
        ({"name": "x", "zone": "../etc/passwd"}, "no time zone"),
        ({"name": "x", "mode": "backwards"}, "'mode' must be one of"),
        ({"name": "x", "seed": "7"}, "'seed' must be a whole number"),
        ({"name": "x", "seed": 2**60}, "'seed' must be a whole number"),
        ({"name": "x", "at": "1969-07-20"}, "no instant"),
        ({"name": "x", "replace": "yes"}, "must be true or false"),
        ({"name": "x", "sead": 1}, "no field 'sead'"),
    ],
)
async def test_a_world_put_wrongly_is_refused_in_a_sentence(
    server: Server, plane: httpx.AsyncClient, wanted: dict[str, object], says: str
) -> None:
    answer = await plane.post("/worlds", json=wanted)
    assert answer.status_code == 400
    assert says in answer.json()["error"]["message"]
    assert server.worlds.names() == ["main"]


@pytest.mark.parametrize("query", ["since=x", "since=-1", "since=99999999999999999", "since=1.5"])
async def test_a_number_that_is_none_is_refused(plane: httpx.AsyncClient, query: str) -> None:
    assert (await plane.get(f"/worlds/main/diff?{query}")).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nosuch", 404), ("PUT", "/worlds", 405), ("GET", "/worlds/no", 404)],
)
async def test_a_path_or_method_that_is_none_has_the_same_envelope(
    plane: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    answer = await plane.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"code", "message"}


async def test_the_portals_key_is_stored_nowhere_in_clear(server: Server) -> None:
    key = server.door.new_key()
    assert key not in repr(vars(server.door))
    assert digest(key) in repr(vars(server.door))
