"""Google's own Python client, unmodified, against the Gmail fake: it builds itself from the document."""

from __future__ import annotations

import base64
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import anyio.to_thread
import googleapiclient.discovery
import googleapiclient.errors
import googleapiclient.http
import pytest

from fakes.core.world import World
from fakes.gmail.schema import Source
from tests.fakes.gmail.town import encoded, raw

T = TypeVar("T")
Build = Callable[[str], Awaitable[Any]]
TOM = "tom@harborlight.example"


class Client:
    """A built client; `call` runs a piece of blocking code with its `users()` beside the server's loop."""

    def __init__(self, service: Any) -> None:
        self.service = service

    async def call(self, code: Callable[[Any], T]) -> T:
        return await anyio.to_thread.run_sync(lambda: code(self.service.users()))


@pytest.fixture
async def mira(built: Build, token_of: Callable[[str], str]) -> AsyncIterator[Client]:
    service = await built(token_of("mira@harborlight.example"))
    yield Client(service)
    service.close()


@pytest.fixture
async def tom(built: Build, token_of: Callable[[str], str]) -> AsyncIterator[Client]:
    service = await built(token_of(TOM))
    yield Client(service)
    service.close()


async def test_a_mail_goes_from_one_client_to_another(mira: Client, tom: Client) -> None:
    body = {"raw": encoded(raw("At noon?", To=TOM, Subject="Lunch"))}
    sent = await mira.call(lambda users: users.messages().send(userId="me", body=body).execute())
    [listed] = (await tom.call(lambda users: users.messages().list(userId="me", q="is:unread").execute()))[
        "messages"
    ]
    got = await tom.call(lambda users: users.messages().get(userId="me", id=listed["id"]).execute())
    assert sent["labelIds"] == ["SENT"]
    assert got["labelIds"] == ["CATEGORY_PERSONAL", "INBOX", "UNREAD"]
    assert base64.urlsafe_b64decode(got["payload"]["body"]["data"]) == b"At noon?"


async def test_pages_are_followed_by_list_next(mira: Client) -> None:
    def send_and_list(users: Any) -> list[int]:
        messages = users.messages()
        for _ in range(3):
            messages.send(userId="me", body={"raw": encoded(raw(To=TOM))}).execute()
        sizes, request = [], messages.list(userId="me", maxResults=2, labelIds=["SENT"])
        while request is not None:
            answer = request.execute()
            sizes.append(len(answer["messages"]))
            request = messages.list_next(request, answer)
        return sizes

    assert await mira.call(send_and_list) == [2, 1]


async def test_a_search_that_is_too_long_for_an_address_comes_as_a_form(mira: Client) -> None:
    body = {"raw": encoded(raw(To=TOM, Subject="Lunch"))}

    def search(users: Any) -> Any:
        sent = users.messages().send(userId="me", body=body).execute()["id"]
        return sent, users.messages().list(userId="me", q="subject:lunch " * 200).execute()

    sent, found = await mira.call(search)
    assert [each["id"] for each in found["messages"]] == [sent]


async def test_a_mail_is_uploaded(mira: Client) -> None:
    def upload(users: Any) -> Any:
        media = googleapiclient.http.MediaIoBaseUpload(io.BytesIO(raw(To=TOM)), mimetype="message/rfc822")
        alone = users.messages().send(userId="me", media_body=media).execute()
        return alone, users.messages().send(userId="me", body={}, media_body=media).execute()

    assert [sent["labelIds"] for sent in await mira.call(upload)] == [["SENT"], ["SENT"]]


async def test_a_big_mail_is_uploaded_in_chunks(mira: Client, tom: Client, world: World) -> None:
    text = "All of it.\r\n" * 60_000

    def upload(users: Any) -> tuple[list[int], Any]:
        content = io.BytesIO(raw(text, To=TOM, Subject="Big"))
        media = googleapiclient.http.MediaIoBaseUpload(
            content, mimetype="message/rfc822", chunksize=256 * 1024, resumable=True
        )
        request, progress, answer = users.messages().send(userId="me", body={}, media_body=media), [], None
        while answer is None:
            status, answer = request.next_chunk()
            progress += [status.resumable_progress] if status else []
        return progress, answer

    progress, sent = await mira.call(upload)
    assert progress == [256 * 1024, 512 * 1024] and sent["labelIds"] == ["SENT"]
    of_sent = "WHERE id = (SELECT source_id FROM gmail_messages WHERE id = ?)"
    [kept] = world.all(Source, of_sent, (sent["id"],))
    assert kept.raw.count(b"All of it.") == 60_000


async def test_a_batch_calls_back_for_each_of_its_parts(mira: Client) -> None:
    body = {"raw": encoded(raw(To=TOM, Subject="Lunch"))}
    told: dict[str, Any] = {}

    def called_back(name: str, got: Any, error: Exception | None) -> None:
        told[name] = got if error is None else error

    def batch(users: Any) -> None:
        sent = users.messages().send(userId="me", body=body).execute()
        named, messages = {"userId": "me", "id": sent["id"]}, users.messages()
        parts = {
            "known": messages.get(**named, format="minimal"),
            "unknown": messages.get(userId="me", id="0123456789abcdef"),
            "star": messages.modify(**named, body={"addLabelIds": ["STARRED"]}),
            "list": messages.list(userId="me", q="subject:lunch", fields="messages/id"),
            "delete": messages.delete(**named),
        }
        asked = mira.service.new_batch_http_request(callback=called_back)
        for name, request in parts.items():
            asked.add(request, request_id=name)
        asked.execute()

    await mira.call(batch)
    assert told["known"]["labelIds"] == ["SENT"] and sorted(told["star"]["labelIds"]) == ["SENT", "STARRED"]
    assert told["list"] == {"messages": [{"id": told["known"]["id"]}]}
    assert told["unknown"].status_code == 404 and told["unknown"].error_details[0]["reason"] == "notFound"
    assert told["delete"] == ""


async def test_a_batch_of_too_many_is_refused(mira: Client) -> None:
    def batch(users: Any) -> None:
        asked = mira.service.new_batch_http_request()
        for _ in range(101):
            asked.add(users.getProfile(userId="me"))
        asked.execute()

    with pytest.raises(googleapiclient.errors.HttpError, match="Received: 101, Limit: 100"):
        await mira.call(batch)


async def test_fields_are_all_that_comes(mira: Client) -> None:
    assert await mira.call(
        lambda users: users.getProfile(userId="me", fields="messagesTotal").execute()
    ) == {"messagesTotal": 0}
    with pytest.raises(googleapiclient.errors.HttpError) as raised:
        await mira.call(lambda users: users.getProfile(userId="me", fields="nope").execute())
    assert raised.value.error_details[0]["fieldViolations"][0]["field"] == "nope"


async def test_profile_and_labels(mira: Client) -> None:
    profile = await mira.call(lambda users: users.getProfile(userId="me").execute())
    labels = await mira.call(lambda users: users.labels().list(userId="me").execute())
    assert profile["emailAddress"] == "mira@harborlight.example"
    assert "INBOX" in [label["id"] for label in labels["labels"]]


async def test_errors_are_raised_as_the_client_knows_them(mira: Client) -> None:
    with pytest.raises(googleapiclient.errors.HttpError) as raised:
        await mira.call(lambda users: users.messages().get(userId="me", id="0123456789abcdef").execute())
    assert (raised.value.status_code, raised.value.reason) == (404, "Requested entity was not found.")
    assert raised.value.error_details[0]["reason"] == "notFound"


async def test_the_metadata_format_takes_several_headers(mira: Client) -> None:
    body = {"raw": encoded(raw(To=TOM, Subject="Lunch"))}

    def send_and_get(users: Any) -> Any:
        sent = users.messages().send(userId="me", body=body).execute()
        wanted = ["Subject", "To"]
        return (
            users.messages()
            .get(userId="me", id=sent["id"], format="metadata", metadataHeaders=wanted)
            .execute()
        )

    headers = (await mira.call(send_and_get))["payload"]["headers"]
    assert sorted(header["name"] for header in headers) == ["Subject", "To"]
