"""Calls that come by POST and mean another method, and bodies that come packed."""

from __future__ import annotations

import gzip

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import encoded, raw

FORM = {"Content-Type": "application/x-www-form-urlencoded", "X-HTTP-Method-Override": "GET"}
MAIL = {"raw": encoded(raw("Hi", To="tom@harborlight.example", Subject="Lunch"))}


async def test_a_long_query_may_come_as_a_form(api: httpx.AsyncClient, world: World) -> None:
    sent = (await api.post("messages/send", json=MAIL)).json()
    found = await api.post("messages?alt=json", data={"q": "lunch " * 600, "maxResults": "1"}, headers=FORM)
    assert [each["id"] for each in found.json()["messages"]] == [sent["id"]]
    got = await api.post(f"messages/{sent['id']}", data={"format": "minimal"}, headers=FORM)
    assert got.json()["labelIds"] == ["SENT"] and "payload" not in got.json()
    assert world.log.rows()[-1].route == "GET /gmail/v1/users/{userId}/messages/{id}"


@pytest.mark.parametrize("verb", ["PATCH", "patch"])
async def test_a_patch_may_come_by_post(api: httpx.AsyncClient, verb: str) -> None:
    label = (await api.post("labels", json={"name": "Claims"})).json()
    headers = {"X-HTTP-Method-Override": verb}
    changed = await api.post(f"labels/{label['id']}", json={"name": "Old claims"}, headers=headers)
    assert (changed.status_code, changed.json()["name"]) == (200, "Old claims")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("messages/0123456789abcdef", {}),
        ("profile", {}),
        ("messages", {"X-HTTP-Method-Override": "PUT"}),
        ("messages/send", {"X-HTTP-Method-Override": "GET"}),
        ("messages/batchModify", {"X-HTTP-Method-Override": "what"}),
    ],
)
async def test_what_no_method_is_there_for_is_not_found(
    api: httpx.AsyncClient, path: str, headers: dict[str, str]
) -> None:
    assert (await api.post(path, headers=headers)).status_code == 404


async def test_a_body_may_come_packed(api: httpx.AsyncClient, world: World) -> None:
    packed = gzip.compress(api.build_request("POST", "messages/send", json=MAIL).read())
    answer = await api.post("messages/send", content=packed, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 200 and world.count(Message, "WHERE id = ?", (answer.json()["id"],)) == 1


@pytest.mark.parametrize(
    ("content", "encoding", "status"),
    [
        (b"no gzip", "gzip", 400),
        (gzip.compress(b"{}" * 500)[:-9], "gzip", 400),
        (b"{}", "br", 400),
        (gzip.compress(b" " * 40_000_000), "gzip", 413),
    ],
    ids=["not packed", "broken off", "packed otherwise", "a bomb"],
)
async def test_a_body_that_is_packed_wrongly_is_refused(
    api: httpx.AsyncClient, world: World, content: bytes, encoding: str, status: int
) -> None:
    answer = await api.post("messages/send", content=content, headers={"Content-Encoding": encoding})
    assert answer.status_code == status and world.count(Message) == 0


async def test_a_query_is_read_no_further_than_it_may_go(
    api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.core.google.overriding.MOST_QUERY", 10)
    assert (await api.post("messages", data={"q": "x" * 20}, headers=FORM)).status_code == 413
