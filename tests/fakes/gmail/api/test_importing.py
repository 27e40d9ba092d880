"""Mail that a program puts into the mailbox."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.outbox import Outgoing
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from fakes.gmail.store.filters import Wanted
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import MORNING, Cast, encoded, raw

OLD = raw(
    "Long ago", From="ana@out.example", To="mira@harborlight.example", Subject="Old",
    Date="Wed, 1 Jan 2020 12:00:00 +0100",
)  # fmt: skip
THEN = "1577876400000"


async def _put_in(api: httpx.AsyncClient, path: str, mail: bytes = OLD, **more: Any) -> dict[str, Any]:
    params = more.pop("params", {})
    return told(await api.post(path, json={"raw": encoded(mail), **more}, params=params))


async def _get(api: httpx.AsyncClient, made: dict[str, Any]) -> dict[str, Any]:
    return told(await api.get(f"messages/{made['id']}", params={"format": "raw"}))


async def test_what_is_inserted_stays_as_it_is(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.create_filter(world, cast.mira.id, Wanted(subject="old", add_labels="STARRED"))
    made = await _put_in(api, "messages", labelIds=["INBOX", "UNREAD"])
    assert made["labelIds"] == ["INBOX", "UNREAD"]
    got = await _get(api, made)
    assert got["internalDate"] == str(MORNING)
    assert got["raw"].rstrip("=") == encoded(OLD.replace(b"\n", b"\r\n"))
    assert world.count(Message) == 1 and not world.all(Outgoing)
    assert "labelIds" not in await _put_in(api, "messages")


async def test_what_is_imported_gets_a_category(api: httpx.AsyncClient) -> None:
    made = await _put_in(api, "messages/import", labelIds=["INBOX"])
    assert made["labelIds"] == ["CATEGORY_PERSONAL", "INBOX"]
    assert (await _get(api, made))["internalDate"] == THEN


@pytest.mark.parametrize(
    ("path", "source", "dated"),
    [
        ("messages", "dateHeader", THEN), ("messages", "receivedTime", str(MORNING)),
        ("messages/import", "receivedTime", str(MORNING)), ("messages/import", "dateHeader", THEN),
    ],
)  # fmt: skip
async def test_the_date_comes_from_where_it_is_asked_for(
    api: httpx.AsyncClient, path: str, source: str, dated: str
) -> None:
    made = await _put_in(api, path, params={"internalDateSource": source})
    assert (await _get(api, made))["internalDate"] == dated
    undated = await _put_in(api, path, raw(Subject="x", Date="soon"), params={"internalDateSource": source})
    assert (await _get(api, undated))["internalDate"] == str(MORNING)


async def test_spam_is_told_by_its_mark_unless_never(api: httpx.AsyncClient) -> None:
    spam = raw(Subject="Prizes", X_Spam_Flag="YES")
    made = await _put_in(api, "messages/import", spam, labelIds=["INBOX"])
    assert made["labelIds"] == ["CATEGORY_PERSONAL", "SPAM"]
    never = await _put_in(api, "messages/import", spam, labelIds=["INBOX"], params={"neverMarkSpam": "true"})
    assert never["labelIds"] == ["CATEGORY_PERSONAL", "INBOX"]


async def test_an_answer_joins_its_thread(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first = received(world, cast, Subject="Lunch")
    answer = raw(Subject="Re: Lunch", In_Reply_To=first.rfc822_id)
    assert (await _put_in(api, "messages", answer))["threadId"] == first.thread_id
    named = await _put_in(api, "messages", raw(Subject="Dinner"), threadId=first.thread_id)
    assert named["threadId"] == named["id"]
    body = {"raw": encoded(answer), "threadId": "abc"}
    assert refused(await api.post("messages/import", json=body), 404)


async def test_what_is_deleted_is_gone_at_once(api: httpx.AsyncClient, world: World) -> None:
    made = await _put_in(api, "messages", params={"deleted": "true"})
    assert not world.all(Message)
    assert refused(await api.get(f"messages/{made['id']}"), 404)


@pytest.mark.parametrize(
    ("path", "given", "params", "sentence"),
    [
        ("messages", {"labelIds": ["NOPE"]}, {}, "Invalid label: NOPE"),
        ("messages", {"labelIds": ["Label_7"]}, {}, "labelId not found"),
        ("messages", {"labelIds": ["DRAFT"]}, {}, "Invalid label: DRAFT"),
        ("messages", {"labelIds": "INBOX "}, {}, "Invalid label: INBOX "),
        ("messages", {"labelIds": [7]}, {}, "Invalid value at 'message.label_ids[0]' (TYPE_STRING)"),
        ("messages", {}, {"internalDateSource": "now"}, "Invalid value at 'internal_date_source'"),
        ("messages", {"raw": ""}, {}, "'raw' RFC822 payload message string"),
        ("messages/import", {"labelIds": ["NOPE"]}, {}, "Invalid label: NOPE"),
        ("messages/import", {}, {"deleted": "maybe"}, "Invalid value at 'deleted' (TYPE_BOOL)"),
    ],
)
async def test_what_can_not_be_put_in_is_refused(
    api: httpx.AsyncClient, world: World, path: str, given: dict[str, Any], params: dict[str, str],
    sentence: str,
) -> None:  # fmt: skip
    before = world.state_hash()
    answer = await api.post(path, json={"raw": encoded(OLD), **given}, params=params)
    assert refused(answer).startswith(sentence)
    assert world.state_hash() == before
