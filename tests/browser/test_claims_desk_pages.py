"""The claims desk in a real browser: the way in, the ledger, live pages, the manager's page, axe."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, BrowserContext, FilePayload, Page, ViewportSize, expect
from playwright.async_api import Route as Intercepted

from fakes.core import auth, delivering, people
from fakes.core.delivering import Outcome
from fakes.core.people import Person
from fakes.core.world import World
from harness.app import Server
from sites.claims_desk.schema import Notice, Operator
from sites.claims_desk.store import claims, ledger, letters, notices, protests, questionnaires, webhooks
from tests.browser.mark import covered_by_mark
from tests.sites.claims_desk.conftest import SERVICES, Facts, base_on, mails

WIDE, NARROW = ViewportSize(width=1280, height=860), ViewportSize(width=390, height=844)


@dataclass(frozen=True)
class Site:
    """The desk of a running server, and how a browser comes to it."""

    server: Server
    world: World
    facts: Facts
    browser: Browser

    @property
    def url(self) -> str:
        return f"http://claims-desk.main.localhost:{self.server.port}"

    @property
    def me(self) -> Operator:
        return self.facts.desk.operators[0]

    async def open(self, who: Person | None = None, size: ViewportSize = WIDE) -> BrowserContext:
        """A browser of its own; with `who` already logged in."""
        context = await self.browser.new_context(viewport=size, base_url=self.url)
        if who is not None:
            _, value = auth.start_session(self.world, "claims_desk", who)
            name = auth.cookie_name(self.world, "claims_desk")
            await context.add_cookies([{"name": name, "value": value, "url": self.url}])
        return context

    async def page(self, who: Person | None = None, path: str = "/", size: ViewportSize = WIDE) -> Page:
        """A page in a browser of its own."""
        page = await (await self.open(who, size)).new_page()
        await page.goto(path)
        return page

    async def call(self, path: str, who: Person, **body: object) -> httpx.Response:
        """A program's write."""
        token = auth.issue_token(self.world, who, "claims_desk")
        url = f"http://127.0.0.1:{self.server.port}/w/main/sites/claims_desk{path}"
        async with httpx.AsyncClient() as client:
            return await client.post(url, json=body, headers={"Authorization": f"Bearer {token}"})


@pytest.fixture
async def site(browser: Browser) -> AsyncIterator[Site]:
    """A server with the seeded desk; the test fails if a page's script raised an error."""
    async with Server(services=SERVICES, secret=b"a secret for tests") as server:
        world = server.worlds.create("main", base_on().image)
        errors: list[str] = []
        before = set(browser.contexts)
        site = Site(server, world, base_on().facts, browser)
        browser.on(
            "context", lambda made: made.on("weberror", lambda raised: errors.append(str(raised.error)))
        )
        yield site
        for context in set(browser.contexts) - before:
            await context.close()
        assert not errors, errors


def every_page(site: Site) -> list[str]:
    """The address of each page, with a row of each kind."""
    world, me = site.world, site.me
    draft, filed = (
        next(d.id for d in protests.drafts(world, me) if bool(d.filed_at) is done) for done in (False, True)
    )
    answered = next(line for line in questionnaires.fact_requests(world, me) if line.request.answered_at)
    return [
        "/",
        "/ledger",
        f"/ledger/{ledger.statements(world, me)[0].statement.id}",
        f"/documents/{site.facts.desk.determination.id}",
        "/claims",
        f"/claims/{site.facts.desk.lindqvist_claim.id}",
        f"/claims/{claims.claims(world, me)[-1].claim.id}",
        "/claimants",
        f"/claimants/{site.facts.desk.dana.id}",
        "/separations",
        "/notices",
        f"/notices/{notices.notices(world, me)[0].notice.id}",
        f"/notices/new?document_id={site.facts.desk.determination.id}&fill=1",
        "/questionnaires",
        f"/questionnaires/{site.facts.desk.request.id}",
        f"/questionnaires/{answered.request.id}",
        "/chases",
        "/protests",
        f"/protests/{draft}",
        f"/protests/{filed}",
        "/events",
        "/settings/webhooks",
        f"/settings/webhooks/{told_of(site)}",
        "/claims/nothing",
    ]


def told_of(site: Site) -> str:
    """A webhook with a delivery that failed."""
    world, me = site.world, site.me
    hook = webhooks.add_webhook(world, me, "http://127.0.0.1:9/hooks", ["notice.flagged"])
    notices.flag_for_human(world, me, notices.notices(world, me)[0].notice.id, "Look.")
    (view,) = webhooks.deliveries(world, me, hook.id)
    claimed = delivering.claim(world, view.outgoing.id, 1, lambda url: None)
    assert claimed is not None
    delivering.record(world, claimed, Outcome(False, 503, "Answered 503.", "busy"), 2)
    return hook.id


def public_pages(site: Site) -> list[str]:
    """What opens without a log-in."""
    return [
        "/login",
        f"/q/{letters.link_token(site.world, site.facts.desk.request.id)}",
        "/q/nothing",
        "/nothing",
    ]


# the way in


async def test_log_in_with_an_authenticator_by_keyboard(site: Site) -> None:
    page = await site.page(None, "/notices?show=human")
    await expect(page).to_have_title("Log in · Ferry")
    await expect(page.get_by_label("Email")).to_be_focused()  # a moment after the page has loaded
    await page.keyboard.type(site.facts.mira.email)
    await page.keyboard.press("Tab")
    await page.keyboard.type(people.password(site.world, site.facts.mira.email))
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Code")).to_be_focused()
    await page.keyboard.type("000000")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("That code is not right")).to_be_visible()
    await expect(page.get_by_label("Code")).to_be_focused()
    code = auth.totp_now(site.world, site.facts.mira)
    await page.keyboard.type(f"{code[:3]} {code[3:]}")  # as authenticators show it
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Notices")).to_be_visible()
    assert page.url == f"{site.url}/notices?show=human"
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_text("You are logged out.")).to_be_visible()


async def test_log_in_with_a_mailed_code(site: Site) -> None:
    page = await site.page(None, "/login")
    await page.get_by_label("Email").fill(site.facts.mira.email)
    await page.get_by_label("Password").fill(people.password(site.world, site.facts.mira.email))
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("button", name="Mail me a code instead").click()
    await expect(page.get_by_text(f"A code is on its way to {site.facts.mira.email}")).to_be_visible()
    code = re.findall(r"\b\d{6}\b", mails(site.world, site.facts.mira.email)[0].text)[0]
    await page.get_by_label("Code").fill(code)
    await page.get_by_role("button", name="Log in").click()
    await expect(page.get_by_role("heading", name="Today")).to_be_visible()


# the ledger


def cents(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def text_file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


async def test_a_statement_is_sent_in_and_audited(site: Site) -> None:
    desk, host = site.facts.desk, f"http://claims-desk.main.localhost:{site.server.port}"
    lease = await site.server.lease("main", kind="agent", medium="browser", holder=site.facts.mira.email)
    context = await site.browser.new_context(
        base_url=host, proxy={"server": f"http://{lease.address}:{site.server.port}"}
    )
    _, value = auth.start_session(site.world, "claims_desk", site.facts.mira)
    await context.add_cookies(
        [{"name": auth.cookie_name(site.world, "claims_desk"), "value": value, "url": host}]
    )
    page = await context.new_page()
    await page.goto("/ledger")

    await page.get_by_role("button", name="Send in").click()
    await expect(page.get_by_text("Choose what kind of paper it is.")).to_be_visible()
    await page.get_by_label("Kind of paper").select_option("Charge statement")
    await page.locator("input[type=file]").set_input_files(text_file(desk.q3_name, desk.q3_text))
    await page.get_by_role("button", name="Send in").click()
    await expect(page.get_by_text(f"{desk.q3_name} is in: 1,057 bytes.")).to_be_visible()

    await page.get_by_role("button", name=f"Start audit of {desk.q3_name}").click()
    await expect(page.get_by_role("heading", name="New York, Q3")).to_be_visible()
    headline = cents(await page.locator("#headline-total").inner_text())
    body = [cents(text) for text in await page.locator("tbody td[data-label=Charged]").all_inner_texts()]
    assert len(body) == 6 and sum(body) == headline == 1_800_000
    parts = [await page.locator(f"#headline-{part}").inner_text() for part in ("expected", "questionable")]
    assert sum(map(cents, parts)) == headline

    [document] = [d for d in ledger.documents(site.world, site.me) if d.name == desk.q3_name]
    assert (document.kind, document.byte_size) == ("statement", 1057) and document.audit_started_at
    written = site.world.log.rows("WHERE method <> 'GET' ORDER BY id")
    assert [row.route for row in written] == [
        "POST /upload/start",
        "PUT /upload/{object_id}",
        "POST /upload/confirm",
        "POST /documents/{id}/audit",
    ]
    assert {row.surface for row in written} == {"browser"} and {row.lease for row in written} == {lease.id}
    await context.close()


async def test_an_upload_that_is_refused_says_why_and_keeps_the_file(site: Site) -> None:
    page = await site.page(site.facts.mira, "/ledger")
    await page.get_by_label("Kind of paper").select_option("Other")
    await page.locator("input[type=file]").set_input_files(text_file("empty.txt", ""))
    before = len(ledger.documents(site.world, site.me))
    await page.get_by_role("button", name="Send in").click()
    await expect(page.get_by_text("Not sent. The upload is empty.")).to_be_visible()
    await expect(page.locator("[data-chosen]")).to_have_text("empty.txt")
    assert len(ledger.documents(site.world, site.me)) == before


# live pages


async def test_the_console_follows_a_write_of_a_program(site: Site) -> None:
    desk, mira = site.facts.desk, site.facts.mira
    listed = await site.page(mira, "/notices")
    today = await (listed.context).new_page()
    await today.goto("/")
    await expect(listed.get_by_role("link", name="Dana Whitfield")).to_have_count(0)
    printed = desk.printed
    assert printed.mail_date and printed.printed_due
    answer = await site.call(
        "/api/notices", mira, claim_id=desk.dana_claim.id, type="determination", state="NY",
        notice_date=printed.notice_date.isoformat(), mail_date=printed.mail_date.isoformat(),
        printed_due=printed.printed_due.isoformat(), document_id=desk.determination.id,
    )  # fmt: skip
    assert answer.status_code == 201, answer.text
    await expect(listed.get_by_role("link", name="Dana Whitfield")).to_be_visible()
    await expect(listed.get_by_text("Dates disagree").last).to_be_visible()
    await expect(listed.get_by_role("link", name="Notices 1 needing a human")).to_be_visible()
    await expect(today.locator("#human").get_by_text("The paper prints 2025-11-05")).to_be_visible()
    await expect(today.locator("#recent li").first).to_contain_text("Dana Whitfield")


async def test_every_tenants_operator_sees_its_own_rows(site: Site) -> None:
    """The console once showed signed-in customers a demo list instead of their rows."""
    neighbour = site.facts.desk.neighbour
    ours = await site.page(site.facts.mira, "/claims")
    theirs = await site.page(site.facts.outsider, "/claims")
    for page, tenant, me in (
        (ours, "Harborlight", site.me),
        (theirs, neighbour.tenant.name, neighbour.operator),
    ):
        rows = page.locator("#claims tbody tr")
        numbers = [view.claim.number for view in claims.claims(site.world, me)]
        await expect(rows).to_have_count(len(numbers))
        assert [await row.get_by_role("link").first.inner_text() for row in await rows.all()] == numbers
        await expect(page.locator("header > .who")).to_contain_text(tenant)


async def test_the_list_follows_what_is_looked_for(site: Site) -> None:
    page = await site.page(site.facts.mira, "/claims")
    await page.get_by_role("searchbox").press_sequentially("whit")
    await expect(page.locator("#claims tbody tr")).to_have_count(2)
    await expect(page).to_have_url(re.compile(r"/claims\?q=whit$"))
    await page.get_by_role("searchbox").press_sequentially(" dana")
    await expect(page.locator("#claims tbody tr")).to_have_count(1)
    await page.reload()
    await expect(page.locator("#claims tbody tr")).to_have_count(1)


async def test_a_deadline_is_counted_while_it_is_typed(site: Site) -> None:
    page = await site.page(site.facts.mira, "/notices/new")
    await page.get_by_label("Paper", exact=True).select_option(site.facts.desk.determination.id)
    await expect(page.locator("#paper")).to_contain_text("NOTICE OF DETERMINATION")
    await page.get_by_label("State", exact=True).select_option("NY")
    await page.get_by_label("Type", exact=True).select_option("determination")
    await page.get_by_label("Mail date").fill("2025-10-16")
    await page.get_by_label("Mail date").blur()
    await expect(page.get_by_text("Due by 2025-11-17 as the desk counts")).to_be_visible()
    await page.get_by_label("Last day, as printed").fill("2025-11-05")
    await page.get_by_label("Last day, as printed").blur()
    await expect(page.get_by_text("12 days later")).to_be_visible()
    queries = [row.query for row in site.world.log.rows("WHERE path = '/notices/new'")]
    assert not any("csrf" in query for query in queries)


async def test_a_notice_is_flagged_by_keyboard_alone(site: Site) -> None:
    found = notices.notices(site.world, site.me)[-1].notice
    page = await site.page(site.facts.mira, f"/notices/{found.id}")
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.id") == "reason":
            break
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("A flag never stands without a reason.").last).to_be_visible()
    await page.get_by_label("Reason").focus()
    await expect(page.get_by_label("Reason")).to_be_focused()
    await page.keyboard.type("The claimant moved.")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("The notice is flagged for a human.")).to_be_visible()
    stored = site.world.get(Notice, found.id)
    assert stored and stored.needs_human and "The claimant moved." in (stored.needs_human_reason or "")


async def test_the_menu_opens_on_a_narrow_screen(site: Site) -> None:
    page = await site.page(site.facts.mira, "/", NARROW)
    menu = page.get_by_role("navigation", name="Desk")
    await expect(menu).to_be_hidden()
    await page.get_by_role("button", name="Menu").click()
    await menu.get_by_role("link", name="Claimants").click()
    await expect(page.get_by_role("heading", name="Claimants")).to_be_visible()
    await expect(menu).to_be_hidden()


# the manager's page


async def test_the_manager_goes_from_the_link_to_thanks(site: Site) -> None:
    desk = site.facts.desk
    [mail] = mails(site.world, site.facts.manager.email)
    path = re.findall(r"http://claims-desk\.this\.localhost(/q/\S+)", mail.text)[0]
    page = await site.page(None, path)
    await expect(page.get_by_role("heading", name="About Astrid Lindqvist")).to_be_visible()
    await page.get_by_label("What happened?").fill("She left the gate open twice.")
    await page.get_by_role("button", name="Send my answers").click()
    await expect(page.get_by_role("alert")).to_contain_text("10 questions are not answered yet.")
    await expect(page.get_by_label("What happened?")).to_have_value("She left the gate open twice.")
    await expect(page.get_by_text("Please answer this question.")).to_have_count(10)
    await page.get_by_role("button", name="Save these, finish later").click()
    await expect(page.get_by_text("10 questions are open")).to_be_visible()
    await expect(page.get_by_role("status")).to_contain_text("1 answer is saved. You can come back")

    view = questionnaires.fact_request(site.world, site.me, desk.request.id)
    assert [answer.answered_by for answer in view.answers] == [site.facts.manager.email]
    for field in await page.locator("input[type=date]").all():
        await field.fill("2025-09-26")
    for field in await page.locator("textarea").all():
        await field.fill("As the handbook says.")
    for choice in await page.get_by_role("radio", name="Yes").all():
        await choice.check()
    await page.get_by_role("button", name="Send my answers").click()
    await expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    await expect(page.get_by_text("She left the gate open twice.")).to_be_visible()
    view = questionnaires.fact_request(site.world, site.me, desk.request.id)
    assert view.request.answered_at and view.answered == 11
    assert {answer.via for answer in view.answers} == {"link"}


async def test_what_was_typed_stays_when_answers_are_refused(site: Site) -> None:
    desk = site.facts.desk
    page = await site.page(None, f"/q/{letters.link_token(site.world, desk.request.id)}")
    question = questionnaires.fact_request(site.world, site.me, desk.request.id).questions[2]
    given = [{"question_id": question.id, "text": "By telephone."}]
    assert (
        await site.call(f"/api/fact-requests/{desk.request.id}/answers", site.facts.mira, answers=given)
    ).is_success
    await page.get_by_label("What happened?").fill("Typed for an hour.")
    await page.get_by_role("button", name="Save these, finish later").click()
    await expect(page.get_by_role("alert")).to_contain_text("Question 3 is answered already")
    await expect(page.get_by_label("What happened?")).to_have_value("Typed for an hour.")


async def test_the_manager_is_told_when_the_time_is_over(site: Site) -> None:
    desk = site.facts.desk
    page = await site.page(None, f"/q/{letters.link_token(site.world, desk.request.id)}")
    await page.get_by_label("What happened?").fill("Too late.")
    assert desk.request.expires_at is not None
    site.world.advance(desk.request.expires_at + 60_000)
    await page.get_by_role("button", name="Save these, finish later").click()
    await expect(page.get_by_role("heading", name="The time to answer is over")).to_be_visible()


# every page


async def test_every_page_is_open_to_everyone_fits_any_screen_and_reaches_nothing_outside(site: Site) -> None:
    """Each is opened once: what axe says of it, what the mark covers, how wide it is, what it asks for."""
    found: list[str] = []
    for who, paths in ((site.facts.mira, every_page(site)), (None, public_pages(site))):
        page = await (await site.open(who)).new_page()
        await keep_inside(site, page, found)
        for n, path in enumerate(paths):
            await page.goto(path)
            found += [f"{path}: {barrier}" for barrier in await barriers(page)]
            found += [f"{path}: under the mark: {text}" for text in await covered_by_mark(page)]
            await page.set_viewport_size(NARROW)
            found += [f"{path}, narrow: {flaw}" for flaw in await narrow_flaws(page, n % 6 == 1)]
            await page.set_viewport_size(WIDE)
    assert not found, "\n".join(found)


async def keep_inside(site: Site, page: Page, found: list[str]) -> None:
    """Lets the page ask its own site alone, and notes what else it asked for and what its policy refused."""

    async def watch(route: Intercepted) -> None:
        if route.request.url.startswith((site.url + "/", "data:")):
            await route.continue_()
        else:
            found.append(f"asked for {route.request.url}")
            await route.abort()

    await page.context.route("**/*", watch)
    page.on("console", lambda said: found.append(said.text) if "Security Policy" in said.text else None)


async def narrow_flaws(page: Page, with_axe: bool) -> list[str]:
    over = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    found = [f"{over} pixels too wide"] if over > 0 else []
    found += [f"under the mark: {text}" for text in await covered_by_mark(page)]
    return found + (await barriers(page) if with_axe else [])


async def test_refusals_and_the_second_factor_are_open_to_everyone_too(site: Site) -> None:
    page = await site.page(None, "/login")
    await page.get_by_label("Email").fill(site.facts.mira.email)
    await page.get_by_label("Password").fill("wrong")
    await page.get_by_role("button", name="Continue").click()
    assert await barriers(page) == []
    await expect(page.get_by_label("Email")).to_have_value(site.facts.mira.email)
    await expect(page.get_by_label("Password")).to_be_focused()
    await page.get_by_label("Password").fill(people.password(site.world, site.facts.mira.email))
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_label("Code").fill("000000")
    await page.get_by_role("button", name="Log in").click()
    assert await barriers(page) == []
    form = await site.page(site.facts.mira, "/notices/new")
    await form.get_by_role("button", name="Record notice").click()
    for sentence in ("Choose the paper that the notice is on.", "Choose the state.", "Choose the type."):
        await expect(form.get_by_text(sentence)).to_be_visible()
    await expect(form.get_by_label("Paper", exact=True)).to_be_focused()
    assert await barriers(form) == []
    asked = await site.page(site.facts.mira, f"/questionnaires/{site.facts.desk.request.id}")
    await asked.get_by_text("Answers by telephone").click()
    assert await barriers(asked) == []


async def barriers(page: Page) -> list[str]:
    """What axe calls serious or critical on the page."""
    results = await Axe().run(page, options={"resultTypes": ["violations"]})
    found = [each for each in results.response["violations"] if each["impact"] in ("serious", "critical")]
    return [f"{each['id']} {[node['target'] for node in each['nodes']]}" for each in found]
