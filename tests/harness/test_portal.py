"""The portal: who gets in, what its pages show, and what its forms do."""

from __future__ import annotations

import re

import httpx
import pytest

from fakes.core import auth
from fakes.core.people import Person, password
from harness.app import Server
from harness.portal.door import Door
from tests.harness.notes import HOUR, Note, client, serving, write
from tests.harness.portal_pages import send, text_of

OF_A_WORLD = (
    "", "connect", "mail", "requests", "requests/1", "changes", "planned", "deliveries", "faults",
    "snapshots", "refusals", "clock-reading",
)  # fmt: skip
PAGES = ["/", "/compare", "/refusals"] + [f"/worlds/main/{path}" for path in OF_A_WORLD]
SENT = (
    "clock", "reset", "delete", "fork", "open-as", "stop-being", "tokens", "tokens/revoke", "leases",
    "leases/end", "mail", "snapshots", "snapshots/s1/restore", "snapshots/s1/fork", "snapshots/s1/delete",
    "save", "faults", "faults/cancel", "deliveries/resend", "pump",
)  # fmt: skip
FORMS = ["/worlds"] + [f"/worlds/main/{path}" for path in SENT]
MIRA = "mira@harborlight.example"


# getting in


async def test_without_a_session_every_page_is_one_404_that_says_how_to_open_it(server: Server) -> None:
    async with client(server) as stranger:
        answers = [
            await stranger.get(path) for path in [*PAGES, "/static/portal.css", "/_ui/kit.css", "/worlds/no/"]
        ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert "paracosm portal" in answers[0].text
    assert "main" not in re.sub(r"</?main>", "", answers[0].text)


async def test_without_a_session_no_form_does_anything(server: Server) -> None:
    async with client(server) as stranger:
        for path in FORMS:
            assert (await stranger.post(path, data={"name": "x", "mode": "running"})).status_code == 404
    assert (server.worlds.names(), server.worlds.get("main").clock.mode) == (["main"], "frozen")


async def test_the_link_opens_once_for_one_browser(server: Server) -> None:
    link = f"/open?key={server.door.new_key()}"
    async with client(server) as first, client(server) as second:
        answer = await first.get(link)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert (await first.get("/")).status_code == 200
        assert (await first.get(link)).status_code == 303
        assert (await second.get(link)).status_code == 404
        assert (await second.get("/")).status_code == 404


async def test_the_cookie_is_for_http_alone_and_for_this_site_alone(server: Server) -> None:
    async with client(server) as browser:
        cookie = (await browser.get(f"/open?key={server.door.new_key()}")).headers["set-cookie"]
    assert cookie.startswith(f"{server.door.cookie}=")
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}


async def test_asking_for_the_head_of_a_link_does_not_spend_it(server: Server) -> None:
    link = f"/open?key={server.door.new_key()}"
    async with client(server) as browser:
        assert (await browser.head(link)).status_code == 404
        assert (await browser.get(link)).status_code == 303


def test_a_newer_key_takes_the_place_of_one_that_nobody_used() -> None:
    door = Door()
    older, newer = door.new_key(), door.new_key()
    assert door.spend(older) is None
    assert door.spend(newer) is not None


@pytest.mark.parametrize("key", ["", "x", "\N{SNOWMAN}"])
def test_a_door_whose_key_is_spent_opens_for_nothing(key: str) -> None:
    door = Door()
    assert door.spend(key) is None
    door.spend(door.new_key())
    assert door.spend(key) is None


async def test_a_session_that_is_made_up_opens_nothing(server: Server) -> None:
    async with client(server, Cookie=f"{server.door.cookie}=made-up") as stranger:
        assert (await stranger.get("/")).status_code == 404


async def test_the_session_of_another_server_opens_nothing(server: Server, portal: httpx.AsyncClient) -> None:
    session = portal.cookies[server.door.cookie]
    async with serving() as other, client(other, Cookie=f"{other.door.cookie}={session}") as stranger:
        assert (await stranger.get("/")).status_code == 404


async def test_a_lease_gets_404_even_with_a_session(server: Server, portal: httpx.AsyncClient) -> None:
    lease = await server.lease("main", kind="agent", medium="client")
    async with client(server, Cookie=f"{server.door.cookie}={portal.cookies[server.door.cookie]}") as agent:
        for path in [*PAGES, f"/open?key={server.door.new_key()}"]:
            assert (await agent.get(f"http://{lease.address}:{server.port}{path}")).status_code == 404
    assert len(server.refusals.of(lease.id)) == len(PAGES) + 1


async def test_a_browser_lease_gets_404_for_the_portals_own_address(server: Server) -> None:
    lease = await server.lease("main", kind="agent", medium="browser")
    proxy = f"http://{lease.address}:{server.port}"
    async with httpx.AsyncClient(proxy=proxy, trust_env=False, verify=False) as agent:
        for host in ("127.0.0.1", "localhost"):
            assert (await agent.get(f"http://{host}:{server.port}/")).status_code == 404


async def test_an_agents_token_gets_404_even_with_a_session(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    mira = world.person(MIRA)
    assert mira is not None
    token = auth.issue_token(world, mira, "notes")
    answer = await portal.get("/worlds/main/", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 404


async def test_attempts_are_recorded_but_not_a_browser_that_only_came_by(server: Server) -> None:
    async with client(server) as stranger:
        for path in ("/", "/favicon.ico", "/worlds/main/", "/open?key=guess"):
            await stranger.get(path)
        await stranger.post("/")
    seen = [(each.method, each.path) for each in server.refusals.all()]
    assert seen == [("GET", "/worlds/main/"), ("GET", "/open"), ("POST", "/")]


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("csrf", [None, "", "wrong"])
async def test_a_form_that_is_none_of_ours_does_nothing(
    server: Server, portal: httpx.AsyncClient, path: str, csrf: str | None
) -> None:
    fields = {"name": "other", "scenario": "office", "mode": "running"}
    answer = await portal.post(path, data=fields if csrf is None else {**fields, "csrf": csrf})
    assert answer.status_code == 403
    assert (server.worlds.names(), server.worlds.get("main").clock.mode) == (["main"], "frozen")


# what pages show


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_there_and_lets_nothing_in_from_elsewhere(
    server: Server, portal: httpx.AsyncClient, path: str
) -> None:
    await write(server)
    answer = await portal.get(path)
    assert answer.status_code == 200
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    elsewhere = re.findall(r'(?:src|href|action)="(https?://[^"]+)', answer.text)
    assert all(".main.localhost:" in link for link in elsewhere)


async def test_the_overview_lists_worlds_with_their_clocks(server: Server, portal: httpx.AsyncClient) -> None:
    await write(server)
    text = await text_of(portal, "/")
    people = server.worlds.get("main").count(Person)
    assert f"main frozen Tue 21 Oct 2025, 09:30 America/New_York {people} people, seeded from office" in text
    assert re.search(r"\d+ rows changed , 1 request 201 POST /w/main/sites/notes/notes no lease", text)


async def test_a_world_shows_where_its_services_are_and_who_can_log_in(
    server: Server, portal: httpx.AsyncClient
) -> None:
    page = (await portal.get("/worlds/main/")).text
    assert f'href="http://notes.main.localhost:{server.port}/"' in page
    assert f"http://127.0.0.1:{server.port}/w/main/sites/notes/" in page
    assert password(server.worlds.get("main"), MIRA) in page
    assert "operator" in page


async def test_the_phone_shows_the_authenticator_of_whoever_is_chosen(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    for person in world.all(Person)[:3]:
        code = auth.totp_now(world, person)
        assert f"{code[:3]} {code[3:]}" in await text_of(portal, f"/worlds/main/?phone={person.email}")


async def test_the_phone_shows_codes_that_came_until_they_are_spent(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    mira = world.person(MIRA)
    assert mira is not None
    code = auth.new_code(world, "notes", mira, "text")
    assert f"Notes, by text, 09:30:00 {code}" in await text_of(portal, "/worlds/main/")
    assert code not in await text_of(portal, "/worlds/main/?phone=tom@harborlight.example")
    assert auth.use_code(world, "notes", mira, code)
    assert code not in await text_of(portal, "/worlds/main/")


async def test_the_phone_of_a_fork_shows_no_code_that_its_world_would_refuse(
    server: Server, portal: httpx.AsyncClient
) -> None:
    world = server.worlds.get("main")
    mira = world.person(MIRA)
    assert mira is not None
    auth.new_code(world, "notes", mira, "text")
    server.fork_world("main", "branch")
    assert "None that still opens anything" in await text_of(portal, "/worlds/branch/")


async def test_the_log_is_newest_first_and_names_lease_kind_and_answer(
    server: Server, portal: httpx.AsyncClient
) -> None:
    lease = await server.lease("main", kind="agent", medium="client")
    async with client(server) as agent:
        await agent.get(f"http://{lease.address}:{server.port}/w/main/sites/notes/nothing")
    await write(server)
    text = await text_of(portal, "/worlds/main/requests")
    assert text.index("/w/main/sites/notes/notes 201") < text.index("/w/main/sites/notes/nothing 404")
    assert f"{lease.id} agent" in text


async def test_the_log_can_be_narrowed_to_a_lease_or_to_none(
    server: Server, portal: httpx.AsyncClient
) -> None:
    lease = await server.lease("main", kind="cast", medium="client")
    async with client(server) as cast:
        await cast.get(f"http://{lease.address}:{server.port}/w/main/sites/notes/by-lease")
    await write(server)
    narrowed = await text_of(portal, f"/worlds/main/requests?lease={lease.id}")
    assert "by-lease" in narrowed and "notes/notes" not in narrowed
    unleased = await text_of(portal, "/worlds/main/requests?lease=none")
    assert "by-lease" not in unleased and "notes/notes" in unleased


async def test_a_request_without_a_lease_says_so_and_what_it_looks_like(
    server: Server, portal: httpx.AsyncClient
) -> None:
    path = "/w/main/sites/notes/by-hand"
    async with client(server) as program:
        await program.get(path)
        await program.get(path, headers={"Sec-Fetch-Mode": "navigate"})
    text = await text_of(portal, "/worlds/main/requests")
    assert "1 09:30:00 no lease api GET" in text and "2 09:30:00 no lease browser (unclaimed) GET" in text
    assert "Surface browser (unclaimed)" in await text_of(portal, "/worlds/main/requests/2")


async def test_the_log_leaves_the_files_of_pages_out_unless_asked(
    server: Server, portal: httpx.AsyncClient
) -> None:
    async with client(server) as program:
        await program.get("/w/main/sites/notes/_ui/live.js")
    assert "live.js 200" not in await text_of(portal, "/worlds/main/requests")
    assert "live.js 200" in await text_of(portal, "/worlds/main/requests?files=yes")


async def test_the_log_has_pages(server: Server, portal: httpx.AsyncClient) -> None:
    async with client(server) as program:
        for n in range(60):
            await program.get(f"/w/main/sites/notes/n{n}.")
    first = (await portal.get("/worlds/main/requests")).text
    older = re.search(r'href="([^"]+)">Older', first)
    assert "n59." in first and "n9." not in first and older
    second = await portal.get(older[1].replace("&amp;", "&"))
    assert "n9." in second.text and "n0." in second.text and "n10." not in second.text
    assert "Older" not in second.text


async def test_a_request_shows_all_that_was_kept_and_the_rows_it_wrote(
    server: Server, portal: httpx.AsyncClient
) -> None:
    await write(server, "the text")
    text = await text_of(portal, "/worlds/main/requests/1")
    assert "POST /notes" in text
    assert "nt_notes 1 new" in text and "the text" in text
    for number in ("2", "9" * 30):
        assert (await portal.get(f"/worlds/main/requests/{number}")).status_code == 404


async def test_changes_show_a_row_before_and_after(server: Server, portal: httpx.AsyncClient) -> None:
    world = server.worlds.get("main")
    assert "No row differs from the seed" in await text_of(portal, "/worlds/main/changes")
    tom = world.one(Person, "WHERE email = 'tom@harborlight.example'")
    assert tom is not None
    with world.tx() as tx:
        tx.update(tom, title="Yard manager")
    text = await text_of(portal, "/worlds/main/changes")
    assert f"people 1 changed {tom.id}" in text
    assert "title Warehouse manager Yard manager" in text


async def test_what_is_stored_is_text_never_markup(server: Server, portal: httpx.AsyncClient) -> None:
    await write(server, '<script src="//elsewhere.example"></script>')
    for path in ("changes", "requests/1", "planned"):
        assert '<script src="//' not in (await portal.get(f"/worlds/main/{path}")).text


async def test_long_values_and_bytes_are_shown_by_their_size(
    server: Server, portal: httpx.AsyncClient
) -> None:
    await write(server, "x" * 5000)
    text = await text_of(portal, "/worlds/main/changes")
    assert "(5,000 letters)" in text and "x" * 401 not in text


async def test_plans_and_outbox_are_shown_and_what_came_of_them(
    server: Server, portal: httpx.AsyncClient
) -> None:
    await write(server)
    text = await text_of(portal, "/worlds/main/planned")
    assert "Tue 21 Oct 2025, 11:30 notes chase" in text
    assert "notes mail someone@else.example" in await text_of(portal, "/worlds/main/deliveries")
    server.worlds.get("main").advance(server.worlds.get("main").now() + 3 * HOUR)
    assert "notes chase" in (await text_of(portal, "/worlds/main/planned")).partition("Done lately")[2]


async def test_refusals_are_shown_with_their_lease(server: Server, portal: httpx.AsyncClient) -> None:
    lease = await server.lease("main", kind="agent", medium="client")
    async with client(server) as agent:
        await agent.get(f"http://{lease.address}:{server.port}/worlds/main/")
    for path in ("/refusals", "/worlds/main/refusals"):
        assert f"main {lease.id} GET" in await text_of(portal, path)


@pytest.mark.parametrize(
    "path", ["/worlds/nowhere/", "/nosuch", "/worlds/main/nosuch", "/worlds/main/requests/9"]
)
async def test_what_is_not_there_is_a_404_page(portal: httpx.AsyncClient, path: str) -> None:
    answer = await portal.get(path)
    assert answer.status_code == 404
    assert "That did not work" in answer.text


async def test_a_page_number_that_is_none_is_a_400_page(portal: httpx.AsyncClient) -> None:
    assert (await portal.get("/worlds/main/requests?before=x")).status_code == 400


# what forms do


@pytest.mark.parametrize(
    ("step", "stands_at"), [("1m", "09:31:00"), ("10m", "09:40:00"), ("1h", "10:30:00"), ("next", "11:30:00")]
)
async def test_a_step_moves_the_clock(
    server: Server, portal: httpx.AsyncClient, step: str, stands_at: str
) -> None:
    await write(server)
    assert (await send(portal, "/worlds/main/clock", step=step)).status_code == 303
    assert stands_at in await text_of(portal, "/worlds/main/clock-reading")


async def test_a_step_of_days_keeps_the_time_of_day(portal: httpx.AsyncClient) -> None:
    for _ in range(2):
        await send(portal, "/worlds/main/clock", step="1w")
    text = await text_of(portal, "/worlds/main/clock-reading")
    assert "09:30:00 Tue 4 Nov 2025" in text


async def test_the_page_after_a_step_says_once_what_was_due(
    server: Server, portal: httpx.AsyncClient
) -> None:
    await write(server)
    await send(portal, "/worlds/main/clock", step="1d")
    said = "It is Wed 22 Oct 2025, 09:30. 1 thing was due."
    live = await portal.get("/worlds/main/", headers={"X-Live": "1"})
    assert said not in live.text
    assert said in await text_of(portal, "/worlds/main/")
    assert said not in await text_of(portal, "/worlds/main/")


@pytest.mark.parametrize("mode", ["frozen", "stepping", "running"])
async def test_the_clock_is_turned(server: Server, portal: httpx.AsyncClient, mode: str) -> None:
    await send(portal, "/worlds/main/clock", mode=mode)
    assert server.worlds.get("main").clock.mode == mode
    pressed = re.findall(r'id="mode-(\w+)"[^>]+aria-pressed="true"', (await portal.get("/worlds/main/")).text)
    assert pressed == [mode]


@pytest.mark.parametrize("fields", [{}, {"step": "soon"}, {"mode": "backwards"}])
async def test_a_move_that_is_none_is_a_400_page(portal: httpx.AsyncClient, fields: dict[str, str]) -> None:
    assert (await send(portal, "/worlds/main/clock", **fields)).status_code == 400


async def test_htmx_gets_a_sentence_for_the_status_line(portal: httpx.AsyncClient) -> None:
    portal.headers["HX-Request"] = "true"
    done = await send(portal, "/worlds/main/clock", mode="running")
    assert (done.status_code, done.text) == (200, "The clock runs.")
    refused = await send(portal, "/worlds/main/clock", mode="<b>")
    assert (refused.status_code, refused.text) == (400, "&#x27;&lt;b&gt;&#x27; is no mode of a clock.")


async def test_reset_says_the_hash_of_the_pristine_state(server: Server, portal: httpx.AsyncClient) -> None:
    world = server.worlds.get("main")
    await write(server)
    await send(portal, "/worlds/main/reset")
    assert world.count(Note) == 0
    assert f"World main is as it was seeded: hash {world.pristine_hash}." in await text_of(
        portal, "/worlds/main/"
    )


async def test_a_world_is_made_and_deleted(server: Server, portal: httpx.AsyncClient) -> None:
    made = await send(portal, "/worlds", name="trial", scenario="office", clock="running")
    assert (made.status_code, made.headers["location"]) == (303, "/worlds/trial/")
    assert server.worlds.get("trial").clock.mode == "running"
    gone = await send(portal, "/worlds/trial/delete")
    assert (gone.headers["location"], server.worlds.names()) == ("/", ["main"])


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"name": "main", "scenario": "office"}, 409),
        ({"name": "No Good", "scenario": "office"}, 400),
        ({"name": "fine", "scenario": "nowhere"}, 400),
        ({}, 400),
    ],
)
async def test_a_world_put_wrongly_is_refused_on_a_page(
    server: Server, portal: httpx.AsyncClient, fields: dict[str, str], status: int
) -> None:
    answer = await send(portal, "/worlds", **fields)
    assert answer.status_code == status
    assert "That did not work" in answer.text
    assert server.worlds.names() == ["main"]


# live


async def events(portal: httpx.AsyncClient, server: Server, wanted: str) -> None:
    """Reads the world's stream until an event names `wanted`; writes a note once the stream is there."""
    async with portal.stream("GET", "/worlds/main/_live") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        async for line in stream.aiter_lines():
            if line == "data: here":
                await write(server)
            if line.startswith("data: ") and wanted in line.split():
                return
    raise AssertionError(f"the stream ended without {wanted}")


@pytest.mark.parametrize("wanted", ["nt_notes", "agenda", "requests"])
async def test_the_stream_names_tables_that_changed_and_what_was_logged(
    server: Server, portal: httpx.AsyncClient, wanted: str
) -> None:
    await events(portal, server, wanted)


async def test_the_stream_ticks_while_the_clock_runs(server: Server, portal: httpx.AsyncClient) -> None:
    server.worlds.get("main").turn_clock("running")
    await events(portal, server, "tick")
