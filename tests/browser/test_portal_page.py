"""The portal in a real browser: it opens, looks after itself, works by keyboard, and stays shut to agents."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from fakes.core import auth
from harness.app import Server
from harness.control import HOST
from tests.browser.mark import covered_by_mark
from tests.harness.notes import Note, client, serving, write

MIRA = "mira@harborlight.example"
OF_A_WORLD = (
    "", "connect", "mail", "requests", "requests/1", "changes", "planned", "deliveries", "faults",
    "snapshots", "refusals",
)  # fmt: skip
PATHS = ["/", "/compare?a=main@there&b=main", "/refusals"] + [f"/worlds/main/{path}" for path in OF_A_WORLD]
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
OpenPage = Callable[..., Awaitable[Page]]


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as running:
        running.snapshots.take("main", "there")
        yield running


@pytest.fixture
async def portal(server: Server, page: Page) -> Page:
    """A page that has used the link, at the world `main`."""
    await page.goto(f"{server.url}/open?key={server.door.new_key()}")
    await page.goto(f"{server.url}/worlds/main/")
    return page


async def test_the_link_opens_the_overview(server: Server, page: Page) -> None:
    await page.goto(f"{server.url}/open?key={server.door.new_key()}")
    assert page.url == f"{server.url}/"
    await page.get_by_role("link", name="main", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("main")


async def test_axe_finds_nothing_serious_by_day_or_by_night(server: Server, page: Page) -> None:
    await write(server)
    await server.lease("main", kind="agent", medium="client")
    await page.goto(f"{server.url}/nothing")  # a refusal, and the closed page
    found = {"/nothing": await serious(page)}
    await page.goto(f"{server.url}/open?key={server.door.new_key()}")
    for path in [*PATHS, "/worlds/nowhere/"]:
        await page.goto(server.url + path)
        found[path] = await serious(page)
    await page.goto(f"{server.url}/worlds/main/")
    await page.get_by_role("button", name="Reset…").click()
    found["asking twice"] = await serious(page)
    for path, button in (("faults", "Plan"), ("connect", "Issue a token"), ("connect", "Open a lease")):
        await page.goto(f"{server.url}/worlds/main/{path}")
        await page.get_by_role("button", name=button).click()
        await page.wait_for_load_state()
        found[button] = await serious(page)
    (note,) = server.worlds.get("main").all(Note)
    await page.goto(f"{server.url}/worlds/main/changes?mark=nt_notes/{note.id}")
    found["a marked row"] = await serious(page)
    await page.goto(f"{server.url}/worlds/main/")
    await page.get_by_role("button", name="A link to open Notes as Mira Okafor").click()
    await page.locator("#ticket code").wait_for()
    found["a link"] = await serious(page)
    assert {path: problems for path, problems in found.items() if problems} == {}


async def serious(page: Page) -> list[str]:
    """What axe finds by day, and which colours it finds wrong by night: nothing else is another then."""
    await page.emulate_media(color_scheme="light")
    found = (await Axe().run(page, options={"resultTypes": ["violations"]})).response["violations"]
    await page.emulate_media(color_scheme="dark")
    found += (await Axe().run(page, options=COLOURS)).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


async def test_the_clock_is_stepped_by_keyboard_and_the_page_follows(server: Server, portal: Page) -> None:
    await write(server)
    await portal.get_by_role("button", name="On by 1 hour").focus()
    await portal.keyboard.press("Enter")
    await expect(portal.locator("#flash")).to_have_text("It is Tue 21 Oct 2025, 10:30. Nothing was due.")
    await expect(portal.locator("#reading")).to_contain_text("10:30:00")
    await expect(portal.get_by_role("button", name="On by 1 hour")).to_be_focused()
    await portal.keyboard.press("Enter")
    await expect(portal.locator("#flash")).to_contain_text("1 thing was due.")
    await expect(portal.locator("#reading")).to_contain_text("Nothing is planned")


async def test_a_clock_that_runs_is_seen_to_run(server: Server, portal: Page) -> None:
    await portal.get_by_role("button", name="Run", exact=True).click()
    await expect(portal.get_by_role("button", name="Run", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    await expect(portal.locator("#reading")).to_contain_text("09:30:02")


async def test_the_phone_follows_the_clock_and_shows_a_code_as_it_comes(server: Server, portal: Page) -> None:
    world = server.worlds.get("main")
    mira = world.person(MIRA)
    assert mira is not None
    first = auth.totp_now(world, mira)
    await expect(portal.locator("#phone-screen")).to_contain_text(first)
    world.advance(world.now() + 30_000)
    second = auth.totp_now(world, mira)
    await expect(portal.locator("#phone-screen")).to_contain_text(second)
    texted = auth.new_code(world, "notes", mira, "text")
    await expect(portal.locator("#phone-screen")).to_contain_text(texted)


async def test_one_click_on_the_code_and_a_copy_take_the_digits_alone(server: Server, portal: Page) -> None:
    world = server.worlds.get("main")
    mira = world.person(MIRA)
    assert mira is not None
    code = portal.locator("#phone-screen .app .code").first
    await code.click()
    assert await portal.evaluate("getSelection().toString()") == auth.totp_now(world, mira)
    first, second = code.locator("span").first, code.locator("span").last
    left, right = await first.bounding_box(), await second.bounding_box()
    assert left and right and right["x"] - (left["x"] + left["width"]) > 5, "the gap is there to be seen"


async def test_the_phone_of_another_person_is_a_choice_away(portal: Page) -> None:
    await portal.get_by_label("Whose").select_option("Tom Reyes")
    await portal.get_by_role("button", name="Show").click()
    await expect(portal.locator("#phone-screen")).to_contain_text("Warehouse manager")


async def test_requests_and_changes_appear_without_a_reload(server: Server, portal: Page) -> None:
    await portal.goto(f"{server.url}/worlds/main/requests")
    await portal.evaluate("window.untouched = true")
    async with client(server) as program:
        await program.get("/w/main/sites/notes/only-read")
    await expect(portal.locator("#log")).to_contain_text("only-read")
    assert await portal.evaluate("window.untouched") is True
    await portal.goto(f"{server.url}/worlds/main/changes")
    await write(server, "as it happens")
    await expect(portal.locator("#changes")).to_contain_text("as it happens")


async def test_a_reset_asks_twice_and_then_says_the_hash(server: Server, portal: Page) -> None:
    await write(server)
    world = server.worlds.get("main")
    await portal.get_by_role("button", name="Reset…").click()
    dialog = portal.get_by_role("dialog")
    await expect(dialog.get_by_role("button", name="Keep it")).to_be_focused()
    await portal.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    assert world.count(Note) == 1
    await portal.get_by_role("button", name="Reset…").click()
    await dialog.get_by_role("button", name="Reset", exact=True).click()
    await expect(portal.locator("#flash")).to_contain_text(world.pristine_hash)
    assert world.count(Note) == 0


async def test_a_world_is_seeded_by_form_and_its_services_open_from_there(
    server: Server, portal: Page
) -> None:
    await portal.goto(server.url)
    await portal.get_by_label("Name").fill("trial")
    await portal.get_by_role("button", name="Seed").click()
    await expect(portal.get_by_role("heading", level=1)).to_have_text("trial")
    async with portal.expect_popup() as opened:
        await portal.get_by_role("link", name=re.compile("^Notes")).click()
    site = await opened.value
    await expect(site.get_by_role("heading", name="Notes")).to_be_visible()
    assert site.url == f"http://notes.trial.localhost:{server.port}/"
    await site.close()


async def test_the_overview_keeps_up_with_its_worlds(server: Server, portal: Page) -> None:
    await portal.goto(server.url)
    await portal.evaluate("window.untouched = true")
    server.fork_world("main", "branch")
    await expect(portal.get_by_role("link", name="branch", exact=True)).to_be_visible()
    await write(server, world="branch")
    await expect(portal.locator("#world_branch")).to_contain_text("/w/branch/sites/notes/notes")
    await portal.get_by_role("button", name="Snapshot of branch").press("Enter")
    await expect(portal.locator("#flash")).to_have_text("Snapshot s1 of branch is kept.")
    await portal.get_by_role("button", name="Fork main to main-2").press("Enter")
    await expect(portal.get_by_role("link", name="main-2", exact=True)).to_be_visible()
    assert await portal.evaluate("window.untouched") is True


async def test_pages_fit_a_narrow_screen_show_all_beside_the_mark_and_fetch_nothing_from_elsewhere(
    server: Server, portal: Page
) -> None:
    asked: list[str] = []
    portal.on("request", lambda request: asked.append(request.url))
    for _ in range(12):
        await write(server)
    for path in PATHS:
        await portal.goto(server.url + path)
        for width in (1280, 380):
            await portal.set_viewport_size({"width": width, "height": 700})
            assert await covered_by_mark(portal) == [], (path, width)
        assert await portal.evaluate("document.documentElement.scrollWidth") <= 380, path
        await portal.set_viewport_size({"width": 1280, "height": 700})
    assert asked and [url for url in asked if not url.startswith(server.url)] == []


# by hand


async def test_notes_open_as_mira_in_a_tab_and_stop_being_hers(server: Server, portal: Page) -> None:
    world = server.worlds.get("main")
    await portal.get_by_role("button", name="Open Notes as Mira Okafor in a new tab").focus()
    async with portal.expect_popup() as opened:
        await portal.keyboard.press("Enter")
    site = await opened.value
    await expect(site.get_by_role("heading", name="Notes")).to_be_visible()
    assert site.url == f"http://notes.main.localhost:{server.port}/", "the ticket is not left in the address"
    session = auth.cookie_name(world, "notes")
    assert session in {cookie.get("name") for cookie in await site.context.cookies(site.url)}
    claimed = portal.locator("#claimed")
    await expect(claimed).to_contain_text("mira (claimed) at Notes")
    await site.goto(f"{site.url}by-hand")
    assert world.log.rows("WHERE path = '/by-hand'")[0].lease == "mira (claimed)"
    await claimed.get_by_role("button", name="Stop being mira").press("Enter")
    await expect(claimed).not_to_contain_text("mira")
    await site.goto(f"{site.url}-again")
    assert world.log.rows("WHERE path = '/by-hand-again'")[0].lease is None
    await site.close()


async def test_copy_buttons_work_by_keyboard(server: Server, portal: Page) -> None:
    await portal.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await portal.goto(f"{server.url}/worlds/main/connect")
    await portal.get_by_role("button", name="Copy: environment").focus()
    await portal.keyboard.press("Enter")
    await expect(portal.locator("#flash")).to_have_text("Copied.")
    copied = await portal.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"PARACOSM_BASE_URL={server.url}/w/main/sites/notes\n")


async def test_without_a_clipboard_the_text_is_selected(server: Server, portal: Page) -> None:
    await portal.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    await portal.goto(f"{server.url}/worlds/main/connect")
    await portal.get_by_role("button", name="Copy: base URL").click()
    await expect(portal.locator("#flash")).to_contain_text("copy it with the keyboard")
    assert await portal.evaluate("getSelection().toString()") == f"{server.url}/w/main/sites/notes"


async def test_leases_and_tokens_come_and_go_without_a_reload(server: Server, portal: Page) -> None:
    await portal.goto(f"{server.url}/worlds/main/connect")
    lease = await server.lease("main", kind="agent", medium="browser", holder=MIRA)
    leases = portal.locator("#leases")
    await expect(leases).to_contain_text(lease.address)
    await portal.get_by_role("button", name=f"End lease {lease.id}").click()
    await expect(leases).to_contain_text("None is open in this world.")
    await portal.get_by_role("button", name="Issue a token").press("Enter")
    await expect(portal.locator("#token-text")).to_be_visible()
    await portal.get_by_role("button", name="Revoke tok_1").press("Enter")
    await expect(portal.locator("#tokens")).to_contain_text("revoked")
    await expect(portal.locator("#token-text")).to_be_visible()


async def test_a_snapshot_is_restored_by_keyboard_and_other_pages_follow(
    server: Server, portal: Page
) -> None:
    world = server.worlds.get("main")
    watcher = await portal.context.new_page()
    await watcher.goto(f"{server.url}/worlds/main/changes")
    await write(server, "to be forgotten")
    await expect(watcher.locator("#changes")).to_contain_text("to be forgotten")
    await portal.goto(f"{server.url}/worlds/main/snapshots")
    await portal.get_by_role("button", name="Restore there…").press("Enter")
    dialog = portal.get_by_role("dialog", name="Go back to there?")
    await expect(dialog.get_by_role("button", name="Keep it")).to_be_focused()
    await dialog.get_by_role("button", name="Restore").press("Enter")
    await expect(portal.locator("#flash")).to_have_text("World main is as it was at snapshot there.")
    assert world.count(Note) == 0
    await expect(watcher.locator("#changes")).to_contain_text("No row differs from the seed.")
    await watcher.close()


async def test_a_planned_thing_is_gone_to_by_keyboard(server: Server, portal: Page) -> None:
    await write(server)
    await portal.goto(f"{server.url}/worlds/main/planned")
    await portal.get_by_role("button", name=re.compile("^To just before chase")).press("Enter")
    await expect(portal.locator("#reading")).to_contain_text("11:29:59")
    await portal.get_by_role("button", name=re.compile("^To chase at")).press("Enter")
    await expect(portal.locator("#fired")).to_contain_text("chase")
    await portal.get_by_label("Go to", exact=True).fill("2025-10-22T08:00")
    await portal.get_by_role("button", name="Go to that date and time").press("Enter")
    await expect(portal.locator("#reading")).to_contain_text("08:00:00")


async def test_a_link_scrolls_to_the_deciding_row(server: Server, portal: Page) -> None:
    world = server.worlds.get("main")
    for _ in range(12):
        await write(server)
    last = world.all(Note, "ORDER BY id")[-1].id
    await portal.goto(f"{server.url}/worlds/main/changes?mark=nt_notes/{last}")
    marked = portal.locator("#marked")
    await expect(marked).to_be_focused()
    await expect(marked).to_be_in_viewport()
    await expect(marked.get_by_role("heading")).to_contain_text(f"deciding row new {last}")
    await write(server, "while it is read")
    await expect(portal.locator("#changes")).to_contain_text("while it is read")
    await expect(marked).to_be_focused()


async def test_what_is_wrong_with_a_letter_is_heard_and_read(server: Server, portal: Page) -> None:
    await portal.goto(f"{server.url}/worlds/main/faults")
    await portal.get_by_label("How many requests").fill("many")
    await portal.get_by_role("button", name="Plan").press("Enter")
    await expect(portal.get_by_role("alert")).to_be_focused()
    field = portal.get_by_label("How many requests")
    await expect(field).to_have_value("many")
    await expect(field).to_have_accessible_description(re.compile("must be a whole number"))


# agents


@pytest.fixture
async def agent(server: Server, whole_browser: Browser) -> AsyncIterator[Page]:
    """A page in a leased browser."""
    lease = await server.lease("main", kind="agent", medium="browser", holder=MIRA)
    context = await whole_browser.new_context(proxy={"server": f"http://{lease.address}:{server.port}"})
    page = await context.new_page()
    yield page
    await context.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", HOST])
async def test_a_leased_browser_finds_neither_portal_nor_control_plane(
    server: Server, agent: Page, host: str
) -> None:
    answer = await agent.goto(f"http://{host}:{server.port}/")
    assert answer is not None and answer.status == 404
    assert "nothing here" in await agent.inner_text("body")
    (lease,) = server.leases.all()
    assert [each.host for each in server.refusals.of(lease.id)] == [
        f"{host}:{server.port}"
    ] * 2  # and its icon


async def test_a_link_that_an_agent_learned_of_opens_nothing_for_it(server: Server, agent: Page) -> None:
    answer = await agent.goto(f"{server.url}/open?key={server.door.new_key()}")
    assert answer is not None and answer.status == 404


@pytest.mark.parametrize("leased", [True, False])
async def test_a_page_cannot_reach_the_control_plane(
    server: Server, agent: Page, page: Page, leased: bool
) -> None:
    """Not from an agent's browser, and not from a person's that looks at a site an agent wrote on."""
    visitor = agent if leased else page
    await visitor.goto(f"http://notes.main.localhost:{server.port}/")
    reset = f"http://{HOST}:{server.port}/worlds/main/reset"
    await write(server)
    await visitor.evaluate("url => fetch(url, {method: 'POST', mode: 'no-cors'}).catch(() => null)", reset)
    await visitor.evaluate(
        "url => fetch(url, {method: 'POST', headers: {authorization: 'Bearer guess'}}).catch(() => null)",
        reset,
    )
    assert server.worlds.get("main").count(Note) == 1
    (lease,) = server.leases.all()
    seen = [(each.lease, each.method) for each in server.refusals.all() if "/reset" in each.path]
    assert seen == [(lease.id if leased else None, method) for method in ("POST", "OPTIONS")]


async def test_a_site_cannot_use_the_portals_session(server: Server, portal: Page) -> None:
    """A form on a page of a world's site, in the browser of a person who has the portal open."""
    await portal.goto(f"http://notes.main.localhost:{server.port}/")
    await write(server)
    target = f"{server.url}/worlds/main/reset"
    await portal.evaluate(
        "url => fetch(url, {method: 'POST', mode: 'no-cors', credentials: 'include'}).catch(() => null)",
        target,
    )
    assert server.worlds.get("main").count(Note) == 1
    assert server.refusals.all()[-1].reason == "the portal, without a session of it"
