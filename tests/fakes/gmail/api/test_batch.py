"""Batches, through the gateway: each part is a call of its own."""

from __future__ import annotations

import email
import email.policy
import json
from typing import Any

import httpx
import pytest

from fakes.core import auth
from fakes.core.faults import plan
from fakes.core.world import World
from fakes.gmail.schema import Message
from harness.app import Server
from tests.fakes.gmail.town import Cast, encoded, raw

ME = "/gmail/v1/users/me"
HOME = "http://127.0.0.1:8080/w/main"
MAIL = {"raw": encoded(raw("Hi", To="tom@harborlight.example"))}


def part(line: str, body: Any = None, content_id: str = "", **headers: str) -> bytes:
    """A part with a request in it."""
    outer = "Content-Type: application/http\r\n" + (f"Content-ID: <{content_id}>\r\n" if content_id else "")
    content = json.dumps(body) if body is not None else ""
    own = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{outer}\r\n{line} HTTP/1.1\r\n{own}\r\n{content}".encode()


class Answer:
    """The answer to one part."""

    def __init__(self, content_id: str | None, content: str) -> None:
        self.content_id = content_id
        head, _, body = content.partition("\r\n\r\n")
        status, *fields = head.split("\r\n")
        self.status = int(status.split(" ")[1])
        self.headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        self.json: Any = json.loads(body) if body.startswith("{") else body


async def ask(client: httpx.AsyncClient, *parts: bytes, path: str = "/batch/gmail/v1") -> list[Answer]:
    """Sends a batch; the answers of its parts."""
    body = b"".join(b"--here\r\n" + each + b"\r\n" for each in parts) + b"--here--"
    sent = {"Content-Type": "multipart/mixed; boundary=here"}
    answer = await client.post(f"{HOME}{path}", content=body, headers=sent)
    assert answer.status_code == 200, answer.text
    whole = f"Content-Type: {answer.headers['content-type']}\r\n\r\n{answer.text}"
    told = email.message_from_string(whole, policy=email.policy.HTTP)
    return [Answer(each["content-id"], str(each.get_payload())) for each in told.iter_parts()]


@pytest.mark.parametrize("path", ["/batch", "/batch/gmail/v1"])
async def test_parts_are_answered_each_for_itself(api: httpx.AsyncClient, path: str) -> None:
    unknown = f"GET {ME}/messages/0123456789abcdef"
    good, bad = await ask(api, part(f"GET {ME}/profile", None, "a+1"), part(unknown, None, "a+2"), path=path)
    assert (good.content_id, good.status, good.json["emailAddress"]) == (
        "<response-a+1>", 200, "mira@harborlight.example",
    )  # fmt: skip
    assert (bad.content_id, bad.status, bad.json["error"]["status"]) == ("<response-a+2>", 404, "NOT_FOUND")
    assert good.headers["content-type"] == "application/json; charset=UTF-8"


@pytest.mark.parametrize(
    "at", [ME, f"{HOME}{ME}", f"/w/main{ME}", ME.removeprefix("/"), f"https://gmail.googleapis.com{ME}"]
)
async def test_a_part_may_say_where_in_any_way(api: httpx.AsyncClient, at: str) -> None:
    [answer] = await ask(api, part(f"GET {at}/messages?maxResults=1&fields=resultSizeEstimate"))
    assert (answer.status, answer.json) == (200, {"resultSizeEstimate": 0})


async def test_a_part_reaches_no_other_world(api: httpx.AsyncClient, server: Server, world: World) -> None:
    server.worlds.fork("main", "other")
    [answer] = await ask(api, part(f"GET /w/other{ME}/profile"))
    assert answer.status == 404


async def test_a_part_may_have_a_token_of_its_own(
    api: httpx.AsyncClient, anyone: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    tom = f"Bearer {auth.issue_token(world, cast.tom, 'gmail')}"
    mine, his = await ask(api, part(f"GET {ME}/profile"), part(f"GET {ME}/profile", Authorization=tom))
    assert (mine.json["emailAddress"], his.json["emailAddress"]) == (cast.mira.email, cast.tom.email)
    nobody, again = await ask(anyone, part(f"GET {ME}/profile"), part(f"GET {ME}/profile", Authorization=tom))
    assert (nobody.status, again.status) == (401, 200)
    assert nobody.headers["www-authenticate"].startswith("Bearer")


async def test_each_part_is_a_request_of_its_own(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    sent, gone = await ask(
        api, part(f"POST {ME}/messages/send", MAIL), part(f"DELETE {ME}/messages/0123456789abcdef")
    )
    assert (sent.status, sent.json["labelIds"], gone.status) == (200, ["SENT"], 404)
    rows = world.log.rows()[-3:]
    assert [(row.route, row.status, row.person) for row in rows] == [
        ("POST /batch/gmail/v1", 200, None),
        ("POST /gmail/v1/users/{userId}/messages/send", 200, cast.mira.email),
        ("DELETE /gmail/v1/users/{userId}/messages/{id}", 404, cast.mira.email),
    ]
    wrote = world.select("SELECT DISTINCT request FROM journal WHERE tbl = 'gmail_messages'")
    assert [request for (request,) in wrote if request] == [rows[1].id]


async def test_a_part_without_a_body_answers_none(api: httpx.AsyncClient, world: World) -> None:
    sent = (await api.post("messages/send", json=MAIL)).json()
    [gone] = await ask(api, part(f"DELETE {ME}/messages/{sent['id']}"))
    assert (gone.status, gone.json) == (204, "")


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (part("POST /batch/gmail/v1"), 400),
        (part("POST /batch"), 400),
        (part(f"POST /upload{ME}/messages/send"), 400),
        (part("GET /gmail/v1/nope"), 404),
        (b"Content-Type: application/http\r\n\r\nwhat?", 400),
        (b"Content-Type: text/plain\r\n\r\nGET / HTTP/1.1", 400),
        (b"", 400),
    ],
)
async def test_a_wrong_part_fails_alone(api: httpx.AsyncClient, wrong: bytes, status: int) -> None:
    bad, good = await ask(api, wrong, part(f"GET {ME}/profile"))
    assert (bad.status, bad.json["error"]["code"], good.status) == (status, status, 200)


@pytest.mark.parametrize(
    ("body", "media_type", "message"),
    [
        (b"", "multipart/mixed; boundary=here", "Failed to parse the batch"),
        (b"--here--", "multipart/mixed; boundary=here", "Failed to parse the batch"),
        (b"--here\r\n\r\nGET / HTTP/1.1", "multipart/mixed", "Failed to parse the batch"),
        (b"{}", "application/json", "Failed to parse the batch"),
        (
            b"--here\r\n\r\nGET / HTTP/1.1\r\n" * 101, "multipart/mixed; boundary=here",
            "Inner request count exceeds the limit. Received: 101, Limit: 100",
        ),
    ],
)  # fmt: skip
async def test_what_is_no_batch_is_refused(
    api: httpx.AsyncClient, body: bytes, media_type: str, message: str
) -> None:
    answer = await api.post(f"{HOME}/batch", content=body, headers={"Content-Type": media_type})
    assert (answer.status_code, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert answer.json()["error"]["message"].startswith(message)


@pytest.mark.parametrize(("planned", "seen"), [("503", 503), ("429", 429), ("hang-up", 503)])
async def test_a_planned_failure_strikes_one_part(
    api: httpx.AsyncClient, world: World, planned: str, seen: int
) -> None:
    plan(world, service="gmail", route="*/profile", answer=planned)
    first, second, third = await ask(
        api, part(f"GET {ME}/labels"), part(f"GET {ME}/profile"), part(f"GET {ME}/profile")
    )
    assert (first.status, second.status, third.status) == (200, seen, 200)


async def test_a_failure_after_the_write_keeps_it(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    plan(world, service="gmail", route="*/send", answer="hang-up", kept=True)
    [struck] = await ask(api, part(f"POST {ME}/messages/send", MAIL))
    assert struck.status == 503
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 1


async def test_by_host_a_batch_is_that_hosts(server: Server, world: World, cast: Cast) -> None:
    token = auth.issue_token(world, cast.mira, "gmail")
    body = b"--here\r\n" + part(f"GET {ME}/profile") + b"\r\n--here--"
    headers = {"Content-Type": "multipart/mixed; boundary=here", "Authorization": f"Bearer {token}"}
    transport = httpx.ASGITransport(server.gateway)
    async with httpx.AsyncClient(transport=transport, base_url="http://gmail.main.localhost:8080") as client:
        answer = await client.post("/batch", content=body, headers=headers)
    assert answer.status_code == 200 and cast.mira.email in answer.text


async def test_a_batch_is_read_no_further_than_it_may_go(
    api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.core.google.batch.MOST_BYTES", 10)
    answer = await api.post(
        f"{HOME}/batch", content=b"-" * 11, headers={"Content-Type": "multipart/mixed; boundary=b"}
    )
    assert (answer.status_code, answer.json()["error"]["status"]) == (413, "INVALID_ARGUMENT")
