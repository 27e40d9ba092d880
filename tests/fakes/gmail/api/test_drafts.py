"""Drafts, as clients write, list and send them."""

from __future__ import annotations

import base64
from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Draft, Message
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import MORNING, Cast, encoded, raw

TOM = "tom@harborlight.example"


async def _create(api: httpx.AsyncClient, mail: bytes, **message: Any) -> dict[str, Any]:
    return told(await api.post("drafts", json={"message": {"raw": encoded(mail), **message}}))


async def _update(api: httpx.AsyncClient, draft_id: str, mail: bytes, **message: Any) -> dict[str, Any]:
    return told(await api.put(f"drafts/{draft_id}", json={"message": {"raw": encoded(mail), **message}}))


def _mailbox(world: World, owner: str) -> list[Message]:
    return world.all(Message, "WHERE owner = ? ORDER BY seq", (owner,))


async def test_a_draft_may_lack_everything_but_a_header(api: httpx.AsyncClient, world: World) -> None:
    made = await _create(api, raw("half a thought", Subject="Plan"))
    assert made["id"].startswith("r-")
    assert made["message"]["labelIds"] == ["DRAFT"]
    assert made["message"]["threadId"] == made["message"]["id"]
    [draft] = world.all(Draft)
    assert (draft.id, draft.message_id) == (made["id"], made["message"]["id"])


async def test_a_draft_keeps_its_id_and_its_message_does_not(api: httpx.AsyncClient, world: World) -> None:
    made = await _create(api, raw("One", To=TOM, Subject="Plan"))
    second = await _update(api, made["id"], raw("Two", To=TOM, Subject="Plan"))
    third = await _update(api, made["id"], raw("Three", To=TOM, Subject="Another plan"))
    assert made["id"] == second["id"] == third["id"]
    ids = [each["message"]["id"] for each in (made, second, third)]
    assert len(set(ids)) == 3
    assert second["message"]["threadId"] == made["message"]["threadId"] != third["message"]["threadId"]
    assert [message.id for message in world.all(Message)] == ids[2:]


async def test_a_sent_draft_is_gone(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    made = await _create(api, raw("Hello", To=TOM, Subject="Plan"))
    sent = told(await api.post("drafts/send", json={"id": made["id"]}))
    assert sent["labelIds"] == ["SENT"]
    assert sent["id"] != made["message"]["id"]
    assert refused(await api.get(f"drafts/{made['id']}"), 404) == "Requested entity was not found."
    assert refused(await api.get(f"messages/{made['message']['id']}"), 404)
    [toms] = _mailbox(world, cast.tom.id)
    assert toms.subject == "Plan"


async def test_what_is_sent_with_a_draft_takes_its_place(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    made = await _create(api, raw("Old words", To=TOM, Subject="Plan"))
    body = {"id": made["id"], "message": {"raw": encoded(raw("New words", To=TOM, Subject="Plan"))}}
    told(await api.post("drafts/send", json=body))
    [toms] = _mailbox(world, cast.tom.id)
    assert toms.snippet == "New words"
    assert not world.all(Draft)


async def test_a_draft_that_nobody_gets_stays_one(api: httpx.AsyncClient, world: World) -> None:
    made = await _create(api, raw("Hello", Subject="Plan"))
    before = world.state_hash()
    assert refused(await api.post("drafts/send", json={"id": made["id"]})) == "Recipient address required"
    wrong = {"id": made["id"], "message": {"raw": encoded(raw(To="no address"))}}
    assert refused(await api.post("drafts/send", json=wrong)) == "Invalid To header"
    assert world.state_hash() == before


async def test_an_answer_is_drafted_in_its_thread(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first = received(world, cast, Subject="Lunch")
    answer = raw("Yes", To=TOM, Subject="Re: Lunch", In_Reply_To=first.rfc822_id)
    made = await _create(api, answer, threadId=first.thread_id)
    assert made["message"]["threadId"] == first.thread_id
    sent = told(await api.post("drafts/send", json={"id": made["id"]}))
    assert sent["threadId"] == first.thread_id


@pytest.mark.parametrize(
    ("format", "has"),
    [("minimal", "snippet"), ("full", "payload"), ("metadata", "payload"), ("raw", "raw")],
)
async def test_a_draft_is_given_in_each_format(api: httpx.AsyncClient, format: str, has: str) -> None:
    made = await _create(api, raw("Hello", To=TOM, Subject="Plan"))
    got = told(await api.get(f"drafts/{made['id']}", params={"format": format}))
    assert got["id"] == made["id"]
    assert has in got["message"]
    if format == "raw":
        assert b"Subject: Plan" in base64.urlsafe_b64decode(got["message"]["raw"])


async def test_lists_are_paged_newest_first(api: httpx.AsyncClient) -> None:
    made = [await _create(api, raw(Subject=f"Plan {n}")) for n in range(3)]
    first = told(await api.get("drafts", params={"maxResults": 2}))
    last = told(await api.get("drafts", params={"maxResults": 2, "pageToken": first["nextPageToken"]}))
    listed = [*first["drafts"], *last["drafts"]]
    assert [each["id"] for each in listed] == [each["id"] for each in made[::-1]]
    assert listed[0]["message"] == {key: made[2]["message"][key] for key in ("id", "threadId")}
    assert "nextPageToken" not in last


async def test_a_search_finds_drafts(api: httpx.AsyncClient) -> None:
    made = await _create(api, raw("the harbour", Subject="Plan"))
    await _create(api, raw("the light", Subject="Plan"))
    found = told(await api.get("drafts", params={"q": "harbour"}))
    assert [each["id"] for each in found["drafts"]] == [made["id"]]
    assert "drafts" not in told(await api.get("drafts", params={"q": "nothing"}))


async def test_what_is_planned_is_no_draft(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    made = await _create(api, raw("Hello", To=TOM, Subject="Plan"))
    draft = world.all(Draft)[0]
    store.schedule(world, cast.mira, draft, MORNING + 3_600_000)
    assert "drafts" not in told(await api.get("drafts"))
    assert refused(await api.get(f"drafts/{made['id']}"), 404)
    body = {"message": {"raw": encoded(raw(To=TOM))}}
    assert refused(await api.put(f"drafts/{made['id']}", json=body)) == "Message not a draft"
    assert refused(await api.delete(f"drafts/{made['id']}"), 404)
    assert refused(await api.post("drafts/send", json={"id": made["id"]}), 404)


async def test_a_deleted_draft_is_not_in_the_trash(api: httpx.AsyncClient, world: World) -> None:
    made = await _create(api, raw(Subject="Plan"))
    assert (await api.delete(f"drafts/{made['id']}")).status_code == 204
    assert not world.all(Message)
    assert refused(await api.delete(f"drafts/{made['id']}"), 404)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "Missing draft message"),
        ({"message": {"payload": {"headers": []}}}, "'raw' RFC822 payload message string or uploading"),
        ({"message": {"raw": "!!not base64!!"}}, "Invalid value at 'draft.message.raw' (TYPE_BYTES), Base64"),
        ({"message": "x"}, "Invalid value at 'draft.message' (TYPE_MESSAGE)"),
        ({"message": {"raw": "eA", "threadId": "no"}}, "Invalid thread_id value"),
    ],
)
async def test_what_is_no_draft_is_refused(
    api: httpx.AsyncClient, world: World, body: dict[str, Any], sentence: str
) -> None:
    before = world.state_hash()
    assert refused(await api.post("drafts", json=body)).startswith(sentence)
    assert world.state_hash() == before


async def test_sending_names_a_draft(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    assert refused(await api.post("drafts/send", json={"message": {"raw": encoded(raw(To=TOM))}}))
    assert refused(await api.post("drafts/send", json={"id": "r-1"}), 404)
    toms = store.create_draft(world, cast.tom, raw(To=TOM))
    assert refused(await api.post("drafts/send", json={"id": toms.id}), 404)
    assert refused(await api.put(f"drafts/{toms.id}", json={"message": {"raw": "eA"}}), 404)
