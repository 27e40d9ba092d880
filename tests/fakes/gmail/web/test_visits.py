"""Signing in and out, and what a form must carry."""

from __future__ import annotations

import httpx
import pytest

from fakes.core import people
from fakes.core.faults import plan
from fakes.core.world import World
from tests.fakes.gmail.town import MORNING, Cast

MIRA = "mira@harborlight.example"
WRONG = {"email": MIRA, "password": "wrong"}


async def test_strangers_are_sent_to_the_door_and_back(visitor: httpx.AsyncClient, world: World) -> None:
    answer = await visitor.get("/search?q=a b")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2Fsearch%3Fq%3Da%2520b")
    form = {"email": MIRA.upper(), "password": people.password(world, MIRA), "next": "/search?q=a%20b"}
    answer = await visitor.post("/sign-in", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/search?q=a%20b")
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert (await visitor.get("/")).status_code == 200


@pytest.mark.parametrize(
    "wanted",
    [
        "https://elsewhere.example/",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "/\t/elsewhere.example",
        "",
    ],
)
async def test_a_log_in_leads_nowhere_else(visitor: httpx.AsyncClient, world: World, wanted: str) -> None:
    form = {"email": MIRA, "password": people.password(world, MIRA), "next": wanted}
    assert (await visitor.post("/sign-in", data=form)).headers["location"] == "/"


@pytest.mark.parametrize("origin", ["http://evil.example", "http://slack.main.localhost:8080", "null"])
async def test_a_log_in_from_elsewhere_is_refused(
    visitor: httpx.AsyncClient, world: World, origin: str
) -> None:
    form = {"email": MIRA, "password": people.password(world, MIRA)}
    answer = await visitor.post("/sign-in", data=form, headers={"Origin": origin})
    assert answer.status_code == 403 and "set-cookie" not in answer.headers
    assert "did not come from Postbox" in answer.text
    own = {"Origin": "http://gmail.main.localhost:8080"}
    assert (await visitor.post("/sign-in", data=form, headers=own)).status_code == 303


async def test_a_problem_is_tied_to_the_fields(visitor: httpx.AsyncClient) -> None:
    assert "aria-invalid" not in (await visitor.get("/sign-in")).text
    page = (await visitor.post("/sign-in", data=WRONG)).text
    assert page.count('aria-invalid="true" aria-describedby="problem"') == 2
    assert '<p id="problem"' in page


@pytest.mark.parametrize("charset", ["unicode_escape", "utf-7", "punycode", "base64", "nope"])
async def test_an_odd_charset_of_a_form_is_no_crash(mira: httpx.AsyncClient, charset: str) -> None:
    text = "+2AA- \\ud800 \xe9-9"
    fields = {"csrf": csrf(await mira.get("/")), "to": MIRA, "subject": text, "text": text}
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    headers = {"Content-Type": f"multipart/form-data; boundary=b; charset={charset}"}
    answer = await mira.post(
        "/compose", content="".join([*parts, "--b--\r\n"]).encode("latin-1"), headers=headers
    )
    assert answer.status_code < 500
    assert (await mira.get("/sent")).status_code == 200


async def test_wrong_passwords_lock_the_account(visitor: httpx.AsyncClient, world: World) -> None:
    answers = [await visitor.post("/sign-in", data=WRONG) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 401, 429]
    assert "do not belong together" in answers[0].text
    right = {"email": MIRA, "password": people.password(world, MIRA)}
    assert "Try again after Tue 21 Oct 2025, 09:45." in (await visitor.post("/sign-in", data=right)).text
    world.advance(MORNING + 15 * 60_000)
    assert (await visitor.post("/sign-in", data=right)).status_code == 303


async def test_the_password_is_not_logged(visitor: httpx.AsyncClient, world: World) -> None:
    await visitor.post("/sign-in", data=WRONG)
    assert "wrong" not in (world.log.rows()[-1].body or "")


async def test_signing_out_ends_the_session(mira: httpx.AsyncClient, world: World) -> None:
    cookies = dict(mira.cookies)
    answer = await mira.post("/sign-out", data={"csrf": csrf(await mira.get("/"))})
    assert answer.headers["location"] == "/sign-in"
    mira.cookies.update(cookies)
    assert (await mira.get("/")).status_code == 303


@pytest.mark.parametrize("path", ["/compose", "/sign-out", "/t/1/reply"])
async def test_forms_need_their_token(mira: httpx.AsyncClient, path: str) -> None:
    answer = await mira.post(path, data={"csrf": "made-up", "to": MIRA})
    assert answer.status_code == 403
    assert "out of date" in answer.text


async def test_what_is_not_there_is_a_page(mira: httpx.AsyncClient) -> None:
    for path in ("/nope", "/t/0123456789abcdef", "/?before=made-up"):
        answer = await mira.get(path)
        assert answer.status_code == 404
        assert "There is no such page here" in answer.text


async def test_the_request_log_knows_the_person(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    await mira.get("/")
    last = world.log.rows()[-1]
    assert (last.person, last.route) == (cast.mira.email, "GET /")


def csrf(answer: httpx.Response) -> str:
    """The token in a page's forms."""
    return answer.text.partition('name="csrf" value="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("method", "answer", "sentence"),
    [
        ("GET", "429", "Try again in a moment."),
        ("GET", "503", "Try again in a moment."),
        ("POST", "503", "It may have been done all the same"),
    ],
)
async def test_a_failure_says_what_to_do(
    world: World, mira: httpx.AsyncClient, method: str, answer: str, sentence: str
) -> None:
    plan(world, service="gmail", route="/compose", answer=answer)
    page = await mira.request(method, "/compose")
    assert page.status_code == int(answer)
    assert sentence in page.text
