"""The way in: password, second factor, lock-out, and where it leads."""

from __future__ import annotations

import re

import httpx
import pytest

from fakes.core import auth, people
from fakes.core.people import Person
from fakes.core.world import World
from sites.claims_desk.schema import Operator
from tests.sites.claims_desk.conftest import Api, Facts, mails

ROOT = "/w/main/sites/claims_desk"


@pytest.fixture
def browser(nobody: Api) -> httpx.AsyncClient:
    """A client that keeps its cookies."""
    return nobody._client


async def get(browser: httpx.AsyncClient, path: str) -> httpx.Response:
    return await browser.get(f"http://127.0.0.1{ROOT}{path}")


async def post(browser: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    return await browser.post(f"http://127.0.0.1{ROOT}{path}", data=fields)


async def first_step(browser: httpx.AsyncClient, world: World, who: Person, onward: str = "/") -> str:
    """The password; returns the next form's token."""
    password = people.password(world, who.email)
    answer = await post(browser, "/login", email=who.email, password=password, next=onward)
    assert answer.status_code == 303, answer.text
    page = await browser.get(f"http://127.0.0.1{answer.headers['location']}")
    assert page.status_code == 200
    return csrf_in(page)


def csrf_in(page: httpx.Response) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert found
    return found[1]


async def test_with_the_authenticator(browser: httpx.AsyncClient, world: World, facts: Facts) -> None:
    csrf = await first_step(browser, world, facts.mira, "/notices?show=human")
    assert (await get(browser, "/")).status_code == 303, "half a log-in opens nothing"
    answer = await post(
        browser, "/login/code", csrf=csrf, code=auth.totp_now(world, facts.mira), next="/notices?show=human"
    )
    assert (answer.status_code, answer.headers["location"]) == (303, f"{ROOT}/notices?show=human")
    assert "Mira Okafor" in (await get(browser, "/")).text
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and f"Path={ROOT}" in cookie


async def test_with_a_mailed_code_instead(browser: httpx.AsyncClient, world: World, facts: Facts) -> None:
    csrf = await first_step(browser, world, facts.mira)
    assert mails(world, facts.mira.email) == []
    page = await post(browser, "/login/code", csrf=csrf, send="email")
    assert f"on its way to {facts.mira.email}" in page.text
    code = re.findall(r"\b\d{6}\b", mails(world, facts.mira.email)[0].text)[0]
    assert (await post(browser, "/login/code", csrf=csrf, code=code)).status_code == 303
    assert "Mira Okafor" in (await get(browser, "/")).text


async def test_whoever_has_no_authenticator_is_mailed_at_once(
    browser: httpx.AsyncClient, world: World, facts: Facts
) -> None:
    csrf = await first_step(browser, world, facts.jonas)
    [mail] = mails(world, facts.jonas.email)
    code = re.findall(r"\b\d{6}\b", mail.text)[0]
    assert (
        await post(browser, "/login/code", csrf=csrf, code=auth.totp_now(world, facts.jonas))
    ).status_code == 422
    assert (await post(browser, "/login/code", csrf=csrf, code=code)).status_code == 303
    assert "Jonas Weber" in (await get(browser, "/")).text


async def test_a_wrong_password_says_so_and_keeps_the_address(
    browser: httpx.AsyncClient, facts: Facts
) -> None:
    page = await post(browser, "/login", email=facts.mira.email, password="guess")
    assert page.status_code == 401
    assert 'role="alert"' in page.text and f'value="{facts.mira.email}"' in page.text
    assert "guess" not in page.text
    assert re.findall(r"<input[^>]*name=\"(\w+)\"[^>]*autofocus", page.text) == ["password"]


async def test_a_visitor_without_a_log_in_gets_the_same_words(
    browser: httpx.AsyncClient, world: World, facts: Facts
) -> None:
    password = people.password(world, facts.visitor.email)
    theirs = await post(browser, "/login", email=facts.visitor.email, password=password)
    wrong = await post(browser, "/login", email=facts.visitor.email, password="guess")
    said = [page.text[page.text.index("<main") :] for page in (theirs, wrong)]
    assert theirs.status_code == 401 and said[0] == said[1]


async def test_a_wrong_code_stands_beside_the_field(
    browser: httpx.AsyncClient, world: World, facts: Facts
) -> None:
    csrf = await first_step(browser, world, facts.mira)
    page = await post(browser, "/login/code", csrf=csrf, code="000000")
    assert page.status_code == 422
    assert re.search(r'aria-invalid="true"[^>]* aria-describedby="code-error"', page.text)
    assert page.text.count("autofocus") == 1


async def test_five_wrong_codes_lock_the_account(
    browser: httpx.AsyncClient, world: World, facts: Facts
) -> None:
    csrf = await first_step(browser, world, facts.mira)
    pages = [await post(browser, "/login/code", csrf=csrf, code="000000") for _ in range(5)]
    assert [page.status_code for page in pages] == [422] * 4 + [423]
    assert "locked until Tue 21 Oct 2025, 09:45" in pages[-1].text
    password = people.password(world, facts.mira.email)
    again = await post(browser, "/login", email=facts.mira.email, password=password)
    assert again.status_code == 423 and "locked until" in again.text
    world.advance(world.now() + auth.LOCK_TTL)
    assert (await post(browser, "/login", email=facts.mira.email, password=password)).status_code == 303


async def test_a_code_form_without_its_token_lets_nobody_in(
    browser: httpx.AsyncClient, world: World, facts: Facts
) -> None:
    await first_step(browser, world, facts.mira)
    code = auth.totp_now(world, facts.mira)
    assert (await post(browser, "/login/code", code=code, csrf="other")).status_code == 403
    assert (await get(browser, "/")).status_code == 303


async def test_another_sites_form_logs_nobody_in(
    browser: httpx.AsyncClient, world: World, facts: Facts
) -> None:
    fields = {"email": facts.mira.email, "password": people.password(world, facts.mira.email)}
    for origin, status in (
        ("http://evil.example", 403),
        ("http://mail.main.localhost", 403),
        ("null", 403),
        ("http://127.0.0.1", 303),
    ):
        answer = await browser.post(f"http://127.0.0.1{ROOT}/login", data=fields, headers={"Origin": origin})
        assert answer.status_code == status, origin


@pytest.mark.parametrize("onward", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
async def test_nobody_is_led_elsewhere(
    browser: httpx.AsyncClient, world: World, facts: Facts, onward: str
) -> None:
    csrf = await first_step(browser, world, facts.mira, onward)
    answer = await post(browser, "/login/code", csrf=csrf, code=auth.totp_now(world, facts.mira), next=onward)
    assert answer.headers["location"] == f"{ROOT}/"
    assert (await get(browser, f"/login?next={onward}")).headers["location"] == f"{ROOT}/"


async def test_logging_out_ends_the_session(nobody: Api, facts: Facts) -> None:
    mira = nobody.with_cookie(facts.mira)
    answer = await mira.call("POST", "/logout", data={"csrf": mira.headers["X-CSRF"]})
    assert answer.headers["location"] == f"{ROOT}/login?out=1"
    assert (await mira.get("/")).status_code == 303
    assert "You are logged out." in (await nobody.get("/login", out="1")).text


async def test_a_disabled_operator_is_out_at_once(
    nobody: Api, world: World, facts: Facts, me: Operator
) -> None:
    mira = nobody.with_cookie(facts.mira)
    assert (await mira.get("/")).status_code == 200
    with world.tx() as tx:
        tx.update(me, disabled_at=world.now())
    assert (await mira.get("/")).headers["location"] == f"{ROOT}/login"
