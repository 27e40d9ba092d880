"""Resumable uploads, as Google's clients make them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from fakes.core import auth
from fakes.core.google.uploads import LASTS, UNIT, UploadPiece, UploadSession
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Draft, Message
from tests.fakes.gmail.api.asking import refused, told
from tests.fakes.gmail.town import MORNING, Cast, raw

TOM = "tom@harborlight.example"
SEND = "/w/main/upload/gmail/v1/users/me/messages/send"
BIG = raw("x" * (UNIT + 1000), To=TOM, Subject="Big")


async def _begin(
    api: httpx.AsyncClient, path: str = SEND, verb: str = "POST", resource: dict[str, Any] | None = None
) -> str:
    answer = await api.request(
        verb, f"http://127.0.0.1:8080{path}", params={"uploadType": "resumable"},
        headers={"X-Upload-Content-Type": "message/rfc822"}, json=resource,
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    assert answer.headers["x-guploader-uploadid"] in answer.headers["location"]
    return str(answer.headers["location"])


async def _put(
    api: httpx.AsyncClient, url: str, content: bytes, first: int, total: int | str
) -> httpx.Response:
    last = first + len(content) - 1
    return await api.put(url, content=content, headers={"Content-Range": f"bytes {first}-{last}/{total}"})


async def _how_far(api: httpx.AsyncClient, url: str, total: int | str) -> httpx.Response:
    return await api.put(url, headers={"Content-Range": f"bytes */{total}"})


@pytest.mark.parametrize("path", [SEND, SEND.replace("/upload/", "/resumable/upload/")])
async def test_a_mail_comes_in_pieces(api: httpx.AsyncClient, world: World, cast: Cast, path: str) -> None:
    url = await _begin(api, path)
    assert urlsplit(url).path == path
    first = await _put(api, url, BIG[:UNIT], 0, len(BIG))
    assert (first.status_code, first.headers["range"]) == (308, f"bytes=0-{UNIT - 1}")
    assert not world.all(Message)
    sent = told(await _put(api, url, BIG[UNIT:], UNIT, len(BIG)))
    assert sent["labelIds"] == ["SENT"]
    [toms] = world.all(Message, "WHERE owner = ?", (cast.tom.id,))
    assert store.source_of(world, toms).raw.endswith(b"x" * 100)
    assert not world.all(UploadPiece)
    assert told(await _how_far(api, url, len(BIG))) == sent
    assert world.count(Message) == 2


async def test_an_upload_goes_on_where_it_was_cut_off(api: httpx.AsyncClient, world: World) -> None:
    url = await _begin(api)
    assert "range" not in (await _how_far(api, url, "*")).headers
    await _put(api, url, BIG[:UNIT], 0, "*")
    asked = await _how_far(api, url, len(BIG))
    assert (asked.status_code, asked.headers["range"]) == (308, f"bytes=0-{UNIT - 1}")
    told(await _put(api, url, BIG, 0, len(BIG)))
    assert world.all(Message)[0].size > len(BIG)


async def test_what_is_no_multiple_of_a_unit_is_not_kept(api: httpx.AsyncClient) -> None:
    url = await _begin(api)
    short = await _put(api, url, BIG[: UNIT + 10], 0, len(BIG))
    assert short.headers["range"] == f"bytes=0-{UNIT - 1}"


async def test_all_may_come_at_once(api: httpx.AsyncClient) -> None:
    url = await _begin(api)
    assert told(await api.put(url, content=raw(To=TOM)))["labelIds"] == ["SENT"]


async def test_the_resource_comes_first(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    draft = store.create_draft(world, cast.mira, raw("Old", Subject="Plan"))
    path = f"/w/main/upload/gmail/v1/users/me/drafts/{draft.id}"
    url = await _begin(api, path, "PUT", {"message": {}})
    told(await api.put(url, content=raw("New", Subject="Plan")))
    [now] = world.all(Draft)
    message = store.message_in(world, cast.mira.id, now.message_id)
    assert message is not None and message.snippet == "New"
    labels = {"labelIds": ["INBOX", "STARRED"]}
    url = await _begin(api, "/w/main/upload/gmail/v1/users/me/messages", resource=labels)
    assert told(await api.put(url, content=raw(Subject="In")))["labelIds"] == ["INBOX", "STARRED"]


@pytest.mark.parametrize(
    ("header", "size", "sentence"),
    [
        ("bytes 0-9", 10, "Failed to parse Content-Range header."),
        ("bytes 9-0/10", 10, "Failed to parse Content-Range header."),
        ("bytes 0-9/10", 9, "Invalid request.  There were 9 byte(s) in the request body."),
        ("bytes 10-19/20", 10, "Invalid request.  According to the Content-Range header, the upload offset"),
        ("bytes 0-9/5", 10, "Invalid request.  The total size"),
    ],
)
async def test_wrong_ranges_are_refused(
    api: httpx.AsyncClient, world: World, header: str, size: int, sentence: str
) -> None:
    url = await _begin(api)
    answer = await api.put(url, content=b"x" * size, headers={"Content-Range": header})
    assert refused(answer).startswith(sentence)
    assert world.all(UploadSession)[0].received == 0


async def test_a_session_belongs_to_who_began_it(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    url = await _begin(api)
    toms = {"Authorization": f"Bearer {auth.issue_token(world, cast.tom, 'gmail')}"}
    assert refused(await api.put(url, content=raw(To=TOM), headers=toms), 404)
    assert refused(await api.put(url.replace("messages/send", "messages"), content=b"x"), 404)
    assert refused(await api.put(url + "x", content=raw(To=TOM)), 404)
    assert refused(await api.put(url, content=b"x", headers={"Authorization": "Bearer no"}), 401)


async def test_a_session_ends_by_the_run_clock_or_by_hand(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    first, second = await _begin(api), await _begin(api)
    assert (await api.delete(first)).status_code == 499
    assert refused(await api.put(first, content=raw(To=TOM)), 404)
    world.advance(MORNING + LASTS)
    fresh = {"Authorization": f"Bearer {auth.issue_token(world, cast.mira, 'gmail')}"}
    assert refused(await api.put(second, content=raw(To=TOM), headers=fresh), 404)


async def test_more_than_a_mail_may_hold_is_refused(api: httpx.AsyncClient) -> None:
    headers = {"X-Upload-Content-Length": str(1 << 30)}
    url = f"http://127.0.0.1:8080{SEND}?uploadType=resumable"
    assert refused(await api.post(url, headers=headers), 413)
    assert refused(await api.post(url, headers={"X-Upload-Content-Length": "many"}))


async def test_a_mail_that_cannot_be_sent_may_be_sent_again(api: httpx.AsyncClient) -> None:
    url = await _begin(api)
    assert refused(await api.put(url, content=raw(Subject="Nobody"))) == "Recipient address required"
    assert refused(await _how_far(api, url, "*")) == "Recipient address required"


async def test_a_fork_and_a_reset_take_uploads_along(api: httpx.AsyncClient, world: World) -> None:
    await _begin(api)
    hashed = world.state_hash()
    other = world.fork("other")
    assert other.count(UploadSession) == 1
    other.close()
    assert world.reset() != hashed
    assert not world.all(UploadSession)


@pytest.mark.parametrize(
    ("told", "status"), [("0" * 5000, 200), ("0" * 20 + "9" * 30, 413), ("9" * 5000, 413), ("0x5", 400)]
)
async def test_a_size_that_is_told_may_be_any_number(api: httpx.AsyncClient, told: str, status: int) -> None:
    url = f"http://127.0.0.1:8080{SEND}?uploadType=resumable"
    answer = await api.post(url, headers={"X-Upload-Content-Length": told})
    assert answer.status_code == status


async def test_more_than_an_upload_holds_is_refused_before_it_comes(api: httpx.AsyncClient) -> None:
    url = await _begin(api)
    assert (await _how_far(api, url, 99_999_999_999)).status_code == 413
    assert (await _how_far(api, url, "*")).status_code == 308
