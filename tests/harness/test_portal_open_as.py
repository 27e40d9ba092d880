"""Opening a service as somebody: the ticket, what the log makes of the browser, and what a lease gets."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import httpx
import pytest

from fakes.core import auth, claimed
from fakes.core.clock import wall_ms
from fakes.core.requests import LoggedRequest
from harness.app import Server, Start
from tests.harness.notes import client
from tests.harness.portal_pages import MIRA, TOM, said, send, text_of


async def ticket(portal: httpx.AsyncClient, email: str = MIRA, service: str = "notes") -> str:
    """The link that the button leads to."""
    answer = await send(portal, "/worlds/main/open-as", service=service, email=email)
    assert (answer.status_code, answer.headers["cache-control"]) == (303, "no-store")
    return answer.headers["location"]


async def follow(server: Server, link: str, method: str = "GET", **headers: str) -> httpx.Response:
    """Follows a link as a browser does, which resolves *.localhost itself."""
    parts = urlsplit(link)
    async with client(server, Host=parts.netloc, **headers) as browser:
        return await browser.request(method, f"{parts.path}?{parts.query}")


def cookies(answer: httpx.Response) -> dict[str, str]:
    """The cookies that an answer sets, by name."""
    set_cookies = answer.headers.get_list("set-cookie")
    return dict(line.split(";")[0].split("=", 1) for line in set_cookies)


def carried(answer: httpx.Response) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies(answer).items())


def newest(server: Server, world: str = "main") -> LoggedRequest:
    return server.worlds.get(world).log.rows("ORDER BY id DESC LIMIT 1")[0]


# the ticket


async def test_a_ticket_signs_in_and_every_request_is_then_named(
    server: Server, portal: httpx.AsyncClient
) -> None:
    answer = await follow(server, await ticket(portal))
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["referrer-policy"] == "no-referrer"
    world = server.worlds.get("main")
    claims = server.gateway.claims.cookie
    assert cookies(answer).keys() == {auth.cookie_name(world, "notes"), claims, f"{claims}_world"}
    assert all("HttpOnly" in line for line in answer.headers.get_list("set-cookie"))
    logged = newest(server)
    assert (logged.kind, logged.lease, logged.person, logged.route) == (
        "person", "mira (claimed)", MIRA, "GET /_as",
    )  # fmt: skip
    assert logged.query == "ticket=[redacted]"
    await follow(server, f"http://notes.main.localhost:{server.port}/", Cookie=carried(answer))
    assert (newest(server).lease, newest(server).kind) == ("mira (claimed)", "person")


async def test_the_session_is_journaled_as_that_browsers(server: Server, portal: httpx.AsyncClient) -> None:
    await follow(server, await ticket(portal))
    world = server.worlds.get("main")
    (session,) = world.all(auth.Session)
    writer = world.journal.writer("sessions", [session.id])
    assert world.log.rows("WHERE id = ?", (writer,))[0].lease == "mira (claimed)"


async def test_who_has_no_account_there_is_named_and_not_signed_in(
    server: Server, portal: httpx.AsyncClient
) -> None:
    answer = await follow(server, await ticket(portal, "hana@harborlight.example"))
    assert answer.status_code == 303
    assert auth.cookie_name(server.worlds.get("main"), "notes") not in cookies(answer)
    assert newest(server).lease == "hana (claimed)"
    assert "hana (claimed) at Notes, not signed in" in await text_of(portal, "/worlds/main/")


async def test_a_ticket_works_once(server: Server, portal: httpx.AsyncClient) -> None:
    link = await ticket(portal)
    assert (await follow(server, link, "HEAD")).status_code == 404, "looking does not spend it"
    assert (await follow(server, link)).status_code == 303
    again = await follow(server, link)
    assert (again.status_code, cookies(again)) == (404, {})


async def test_a_ticket_is_good_for_a_minute_of_the_wall_clock(
    server: Server, portal: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = await ticket(portal), await ticket(portal)
    now = wall_ms()
    monkeypatch.setattr(claimed, "wall_ms", lambda: now + claimed.TICKET_MS - 5000)
    assert (await follow(server, early)).status_code == 303
    monkeypatch.setattr(claimed, "wall_ms", lambda: now + claimed.TICKET_MS)
    assert (await follow(server, late)).status_code == 404


async def test_a_ticket_is_bound_to_its_world_and_service(server: Server, portal: httpx.AsyncClient) -> None:
    server.create_world("other", Start("office"))
    link = await ticket(portal)
    assert (await follow(server, link.replace(".main.", ".other."))).status_code == 404
    assert (await follow(server, link)).status_code == 404, "and spent by the attempt"


@pytest.mark.parametrize("query", ["", "?ticket=", "?ticket=guess", "?ticket=%E2%98%83"])
async def test_what_is_no_ticket_opens_nothing(server: Server, query: str) -> None:
    answer = await follow(server, f"http://notes.main.localhost:{server.port}/_as{query}")
    assert (answer.status_code, cookies(answer)) == (404, {})
    assert (newest(server).kind, newest(server).lease) == (None, None)


@pytest.mark.parametrize("fields", [{}, {"service": "notes"}, {"service": "nope", "email": MIRA},
                                    {"service": "notes", "email": "nobody@else.example"}])  # fmt: skip
async def test_a_ticket_for_nobody_or_nowhere_is_refused(
    portal: httpx.AsyncClient, fields: dict[str, str]
) -> None:
    assert (await send(portal, "/worlds/main/open-as", **fields)).status_code == 400


async def test_the_link_can_be_shown_for_another_browser(server: Server, portal: httpx.AsyncClient) -> None:
    answer = await send(portal, "/worlds/main/open-as", service="notes", email=MIRA, link="yes")
    found = re.search(r"http://notes\.main\.localhost:\d+/_as\?ticket=[\w-]+", answer.text)
    assert answer.status_code == 200 and found
    assert (await follow(server, found[0])).status_code == 303


# who the browser is


async def test_at_another_service_of_the_world_it_is_the_same_person(
    server: Server, portal: httpx.AsyncClient
) -> None:
    """The cookie of the world's own domain goes along; that of the host does not."""
    claims = server.gateway.claims
    answer = await follow(server, await ticket(portal))
    across = f"{claims.cookie}_world={cookies(answer)[f'{claims.cookie}_world']}"
    await follow(server, f"http://notes.main.localhost:{server.port}/", Cookie=across)
    assert newest(server).lease == "mira (claimed)"
    assert "domain=main.localhost" in " ".join(answer.headers.get_list("set-cookie")).lower()


async def test_somebody_else_in_the_same_browser_takes_the_place(
    server: Server, portal: httpx.AsyncClient
) -> None:
    first = await follow(server, await ticket(portal))
    second = await follow(server, await ticket(portal, TOM), Cookie=carried(first))
    assert [claim.email for claim in server.gateway.claims.all("main")] == [TOM]
    world = server.worlds.get("main")
    ended = [session.ended_at is not None for session in world.all(auth.Session, "ORDER BY id")]
    assert ended == [True, False]
    await follow(server, f"http://notes.main.localhost:{server.port}/", Cookie=carried(second))
    assert newest(server).lease == "tom (claimed)"


async def test_stopping_ends_the_name_and_the_session(server: Server, portal: httpx.AsyncClient) -> None:
    answer = await follow(server, await ticket(portal))
    assert "Stop being Mira" in await text_of(portal, "/worlds/main/")
    (claim,) = server.gateway.claims.all("main")
    stopped = await send(portal, "/worlds/main/stop-being", claim=str(claim.id))
    assert await said(portal, stopped) == f"That browser is not {MIRA} at Notes any more."
    world = server.worlds.get("main")
    assert world.all(auth.Session)[0].ended_at is not None
    assert newest(server).kind == "harness"
    await follow(server, f"http://notes.main.localhost:{server.port}/", Cookie=carried(answer))
    assert newest(server).lease is None
    assert (await send(portal, "/worlds/main/stop-being", claim=str(claim.id))).status_code == 400


async def test_a_reset_keeps_the_name_and_forgets_the_session(
    server: Server, portal: httpx.AsyncClient
) -> None:
    answer = await follow(server, await ticket(portal))
    server.reset_world("main")
    await follow(server, f"http://notes.main.localhost:{server.port}/", Cookie=carried(answer))
    assert newest(server).lease == "mira (claimed)"
    (claim,) = server.gateway.claims.all("main")
    assert (await send(portal, "/worlds/main/stop-being", claim=str(claim.id))).status_code == 303


async def test_a_world_that_is_gone_takes_its_claims_along(server: Server, portal: httpx.AsyncClient) -> None:
    answer = await follow(server, await ticket(portal))
    await server.remove_world("main")
    server.create_world("main", Start("office"))
    await follow(server, f"http://notes.main.localhost:{server.port}/", Cookie=carried(answer))
    assert newest(server).lease is None


@pytest.mark.parametrize("value", ["guess", "", "a=b", "\N{SNOWMAN}".encode().decode("latin-1")])
async def test_a_cookie_that_is_made_up_names_nobody(
    server: Server, portal: httpx.AsyncClient, value: str
) -> None:
    await follow(server, await ticket(portal))
    made_up = f"{server.gateway.claims.cookie}={value}".encode("latin-1")
    url = f"{server.url}/"
    async with client(server) as browser:
        headers = [(b"Host", f"notes.main.localhost:{server.port}".encode()), (b"Cookie", made_up)]
        await browser.get(url, headers=headers)
    assert newest(server).lease is None


# agents


async def test_a_lease_gets_404_for_a_ticket_and_leaves_it_good(
    server: Server, portal: httpx.AsyncClient
) -> None:
    link = await ticket(portal)
    lease = await server.lease("main", kind="agent", medium="browser")
    async with httpx.AsyncClient(
        proxy=f"http://{lease.address}:{server.port}", trust_env=False, verify=False
    ) as agent:
        assert (await agent.get(link)).status_code == 404
    assert server.refusals.of(lease.id)[-1].path == "/_as"
    assert (await follow(server, link)).status_code == 303


async def test_a_leases_requests_ignore_the_cookie(server: Server, portal: httpx.AsyncClient) -> None:
    stolen = carried(await follow(server, await ticket(portal)))
    lease = await server.lease("main", kind="agent", medium="client", holder=TOM)
    async with client(server, Cookie=stolen, Host=f"notes.main.localhost:{server.port}") as agent:
        await agent.get(f"http://{lease.address}:{server.port}/")
    assert (newest(server).lease, newest(server).kind) == (lease.id, "agent")


async def test_no_lease_is_called_like_a_claimed_browser(server: Server) -> None:
    lease = await server.lease("main", kind="agent", medium="client", holder="mira (claimed)@x.example")
    assert not lease.id.endswith(claimed.MARK)


# the portal's own name


async def test_the_portal_answers_at_a_host_of_its_own_too(server: Server) -> None:
    async with client(server, Host=f"portal.localhost:{server.port}") as browser:
        assert (await browser.get("/")).status_code == 404
        opened = await browser.get(f"/open?key={server.door.new_key()}")
        session = cookies(opened)[server.door.cookie]
        page = await browser.get("/worlds/main/", headers={"Cookie": f"{server.door.cookie}={session}"})
    assert page.status_code == 200
    assert f"http://127.0.0.1:{server.port}/w/main/" in page.text


async def test_a_lease_gets_404_there(server: Server) -> None:
    lease = await server.lease("main", kind="agent", medium="browser")
    async with httpx.AsyncClient(
        proxy=f"http://{lease.address}:{server.port}", trust_env=False, verify=False
    ) as agent:
        for path in ("/", f"/open?key={server.door.new_key()}"):
            assert (await agent.get(f"http://portal.localhost:{server.port}{path}")).status_code == 404
