"""messages.list, get and send, as clients see them."""

from __future__ import annotations

import base64
from email.message import EmailMessage
from typing import Any

import httpx
import pytest

from fakes.core.capabilities import OutgoingMail
from fakes.core.gateway import CAPTURE
from fakes.core.links import stored_link
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.api import listings
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import MORNING, Cast, encoded, raw

TOM = "tom@harborlight.example"


async def _send(api: httpx.AsyncClient, mail: bytes, **more: Any) -> dict[str, Any]:
    answer = await api.post("messages/send", json={"raw": encoded(mail), **more})
    assert answer.status_code == 200, answer.text
    sent: dict[str, Any] = answer.json()
    return sent


async def _get(api: httpx.AsyncClient, message_id: str, **params: Any) -> dict[str, Any]:
    answer = await api.get(f"messages/{message_id}", params=params)
    assert answer.status_code == 200, answer.text
    got: dict[str, Any] = answer.json()
    return got


def _nested(levels: int) -> bytes:
    """A mail with parts inside each other."""
    bounds = [f"Content-Type: multipart/mixed; boundary=b{n}x\n\n--b{n}x\n" for n in range(levels)]
    return f"To: {TOM}\n{''.join(bounds)}\nHello".encode()


def _message(answer: httpx.Response, status: int = 400) -> str:
    assert answer.status_code == status
    return str(answer.json()["error"]["message"])


# list


async def test_an_empty_list_has_no_messages(api: httpx.AsyncClient) -> None:
    assert (await api.get("messages", params={"q": "nothing"})).json() == {"resultSizeEstimate": 0}


async def test_the_last_page_has_no_token(api: httpx.AsyncClient) -> None:
    sent = [(await _send(api, raw(To=TOM)))["id"] for _ in range(3)]
    first = (await api.get("messages", params={"maxResults": 2})).json()
    last = (await api.get("messages", params={"maxResults": 2, "pageToken": first["nextPageToken"]})).json()
    assert [message["id"] for page in (first, last) for message in page["messages"]] == sent[::-1]
    assert first["messages"][0].keys() == {"id", "threadId"}
    assert "nextPageToken" not in last
    assert first["resultSizeEstimate"] == last["resultSizeEstimate"] == 3


async def test_a_page_holds_the_default_and_at_most_the_largest(
    api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (listings.DEFAULT_PAGE, listings.LARGEST_PAGE) == (100, 500)
    monkeypatch.setattr(listings, "DEFAULT_PAGE", 1)
    monkeypatch.setattr(listings, "LARGEST_PAGE", 2)
    for _ in range(3):
        await _send(api, raw(To=TOM))
    assert len((await api.get("messages")).json()["messages"]) == 1
    assert len((await api.get("messages", params={"maxResults": 9999})).json()["messages"]) == 2


async def test_a_page_token_is_good_for_its_own_list(api: httpx.AsyncClient) -> None:
    for _ in range(2):
        await _send(api, raw(To=TOM))
    token = (await api.get("messages", params={"maxResults": 1})).json()["nextPageToken"]
    for params in ({"pageToken": token, "q": "in:sent"}, {"pageToken": token[:-2]}, {"pageToken": "made-up"}):
        assert _message(await api.get("messages", params=params)) == "Invalid pageToken"


async def test_labels_must_all_be_there(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw(To=cast.mira.email))
    await _send(api, raw(To=TOM))
    both = (await api.get("messages", params={"labelIds": ["INBOX", "UNREAD"]})).json()
    assert both["resultSizeEstimate"] == 1
    assert (await api.get("messages", params={"labelIds": ["INBOX", "SENT"]})).json() == {
        "resultSizeEstimate": 0
    }


async def test_trash_is_listed_when_asked_for(api: httpx.AsyncClient, world: World) -> None:
    sent = await _send(api, raw(To=TOM))
    with world.tx() as tx:
        tx.execute("UPDATE gmail_message_labels SET label = 'TRASH' WHERE message_id = ?", (sent["id"],))
    found = [
        (await api.get("messages", params=params)).json()["resultSizeEstimate"]
        for params in ({}, {"q": "in:trash"}, {"includeSpamTrash": "true"}, {"labelIds": "TRASH"})
    ]
    assert found == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("params", "status", "message"),
    [
        ({"maxResults": "-1"}, 400, "Invalid value at 'max_results' (TYPE_UINT32), \"-1\""),
        ({"maxResults": "ten"}, 400, "Invalid value at 'max_results' (TYPE_UINT32), \"ten\""),
        ({"maxResults": "9" * 5000}, 400, "Invalid value at 'max_results' (TYPE_UINT32)"),
        ({"maxResults": "4294967296"}, 400, "Invalid value at 'max_results' (TYPE_UINT32)"),
        ({"includeSpamTrash": "maybe"}, 400, "Invalid value at 'include_spam_trash' (TYPE_BOOL), \"maybe\""),
        ({"labelIds": "NOPE"}, 400, "Invalid label: NOPE"),
    ],
)
async def test_wrong_parameters_are_refused(
    api: httpx.AsyncClient, params: dict[str, str], status: int, message: str
) -> None:
    assert _message(await api.get("messages", params=params), status).startswith(message)


@pytest.mark.parametrize("q", ["a\0b", "\0", '"a\0', "from:\0a", "a " * 5000, "é" * 5000, "\ufffd"])
async def test_an_odd_search_finds_nothing(api: httpx.AsyncClient, q: str) -> None:
    assert (await api.get("messages", params={"q": q})).json() == {"resultSizeEstimate": 0}


# get


async def test_big_numbers_are_strings(api: httpx.AsyncClient) -> None:
    got = await _get(api, (await _send(api, raw(To=TOM)))["id"])
    assert (got["historyId"], got["internalDate"]) == ("2", str(MORNING))
    assert isinstance(got["sizeEstimate"], int)
    assert isinstance(got["payload"]["body"]["size"], int)


async def test_the_full_format_is_a_tree_of_parts(api: httpx.AsyncClient) -> None:
    mail = EmailMessage()
    mail["To"], mail["Subject"] = TOM, "Café"
    mail.set_content("Grüße\n", charset="iso-8859-1")
    mail.add_alternative("<p>Grüße</p>", subtype="html")
    mail.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="bill.pdf")
    payload = (await _get(api, (await _send(api, mail.as_bytes()))["id"]))["payload"]
    text, bill = payload["parts"][0]["parts"][0], payload["parts"][1]
    assert [payload["mimeType"], payload["parts"][0]["mimeType"]] == [
        "multipart/mixed",
        "multipart/alternative",
    ]
    assert (text["partId"], base64.urlsafe_b64decode(text["body"]["data"]).decode()) == ("0.0", "Grüße\r\n")
    assert (bill["partId"], bill["filename"], bill["body"]["size"]) == ("1", "bill.pdf", 4)
    assert "data" not in bill["body"] and bill["body"]["attachmentId"].startswith("ANGj")
    assert {"name": "Subject", "value": "Café"} in payload["headers"]


async def test_metadata_holds_only_the_headers_asked_for(api: httpx.AsyncClient) -> None:
    sent = await _send(api, raw(To=TOM, Subject="Hi"))
    got = await _get(api, sent["id"], format="metadata", metadataHeaders=["subject", "From"])
    assert sorted(header["name"] for header in got["payload"]["headers"]) == ["From", "Subject"]
    assert "body" not in got["payload"] and "parts" not in got["payload"]


async def test_minimal_has_no_payload(api: httpx.AsyncClient) -> None:
    sent = await _send(api, raw("It's <b>", To=TOM))
    got = await _get(api, sent["id"], format="MINIMAL")
    assert got.keys() == {
        "id",
        "threadId",
        "labelIds",
        "snippet",
        "sizeEstimate",
        "historyId",
        "internalDate",
    }
    assert got["snippet"] == "It&#39;s &lt;b&gt;"


async def test_raw_is_the_mail(api: httpx.AsyncClient) -> None:
    sent = await _send(api, raw("Hello", To=TOM))
    got = await _get(api, sent["id"], format="raw")
    mail = base64.urlsafe_b64decode(got["raw"])
    assert "payload" not in got
    assert mail.endswith(b"To: tom@harborlight.example\r\n\r\nHello")


async def test_header_bytes_beyond_ascii_are_read_as_utf_8(api: httpx.AsyncClient) -> None:
    got = await _get(api, (await _send(api, raw(To=TOM, Subject="Café")))["id"])
    assert {"name": "Subject", "value": "Café"} in got["payload"]["headers"]


@pytest.mark.parametrize("format", ["full", "raw"])
async def test_links_work_for_who_asks(api: httpx.AsyncClient, world: World, cast: Cast, format: str) -> None:
    text = f"Grüße: {stored_link('gmail', '/q/abc?x=1')}"
    store.deliver(world, OutgoingMail(sender="a@desk.example", to=(cast.mira.email,), subject="S", text=text))
    [message] = world.all(Message)
    got = await _get(api, message.id, format=format)
    body = base64.urlsafe_b64decode(
        got["raw"] if format == "raw" else got["payload"]["body"]["data"]
    ).decode()
    assert "http://127.0.0.1:8080/w/main/q/abc?x=1" in body
    assert "Grüße" in body and "this.localhost" not in got["snippet"]


@pytest.mark.parametrize(
    ("message_id", "status", "message"),
    [
        ("msg-a:r-1184", 400, "Invalid id value"),
        ("0123456789abcdef", 404, "Requested entity was not found."),
    ],
)
async def test_ids_that_lead_nowhere(
    api: httpx.AsyncClient, message_id: str, status: int, message: str
) -> None:
    assert _message(await api.get(f"messages/{message_id}"), status) == message


async def test_anothers_message_is_not_found(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    theirs = store.send(world, cast.tom, raw(To=cast.lena.email))
    _message(await api.get(f"messages/{theirs.id}"), 404)


async def test_an_unknown_format_is_refused(api: httpx.AsyncClient) -> None:
    assert _message(await api.get("messages/1", params={"format": "pretty"})).startswith(
        "Invalid value at 'format'"
    )


# send


async def test_send_answers_ids_and_labels(api: httpx.AsyncClient) -> None:
    sent = await _send(api, raw(To=TOM))
    assert sent == {"id": sent["id"], "threadId": sent["id"], "labelIds": ["SENT"]}


@pytest.mark.parametrize("body", [{}, {"payload": {"headers": []}}, {"raw": ""}])
async def test_only_raw_is_sent(api: httpx.AsyncClient, body: dict[str, Any]) -> None:
    message = _message(await api.post("messages/send", json=body))
    assert message == "'raw' RFC822 payload message string or uploading message via /upload/* URL required"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("!!not base64!!", "Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed"),
        ("a", "Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed"),
        (7, "Invalid value at 'message.raw' (TYPE_BYTES), 7"),
        (["a"], "Invalid JSON payload received. Unknown name \"raw\" at 'message': Proto field is not"),
    ],
)
async def test_raw_must_decode(api: httpx.AsyncClient, given: object, told: str) -> None:
    assert _message(await api.post("messages/send", json={"raw": given})).startswith(told)


async def test_what_a_message_has_not_is_refused(api: httpx.AsyncClient) -> None:
    body = {"Raw": "aGk=", "payload": {"headers": [{"name": "To", "text": "x"}], "parts": [{"size": 1}]}}
    said = "Invalid JSON payload received. Unknown name \"{}\" at '{}': Cannot find field."
    assert _message(await api.post("messages/send", json=body)).split("\n") == [
        said.format("Raw", "message"),
        said.format("text", "message.payload.headers[0]"),
        said.format("size", "message.payload.parts[0]"),
    ]


@pytest.mark.parametrize("padding", ["", "=", "=="])
async def test_raw_is_taken_with_and_without_padding(api: httpx.AsyncClient, padding: str) -> None:
    mail = raw("x" * (3 - len(padding)), To="a@out.example")
    text = base64.urlsafe_b64encode(mail + b"y" * ((3 - len(mail) - len(padding)) % 3)).decode()
    assert text.endswith(padding)
    for given in (text, text.rstrip("=")):
        assert (await api.post("messages/send", json={"raw": given})).status_code == 200


@pytest.mark.parametrize("body", [b"{", b"[]", b'"raw"'])
async def test_a_body_that_is_no_object_is_refused(api: httpx.AsyncClient, body: bytes) -> None:
    assert "Invalid JSON" in _message(await api.post("messages/send", content=body))


@pytest.mark.parametrize("field", ["raw", "threadId"])
async def test_values_nested_deep_are_refused(api: httpx.AsyncClient, field: str) -> None:
    value = "[" * 1000 + "]" * 1000
    body = f'{{"raw": "{encoded(raw(To=TOM))}", "{field}": {value}}}'.ljust(CAPTURE + 1)  # is not logged
    assert "Invalid" in _message(await api.post("messages/send", content=body.encode()))


@pytest.mark.parametrize(
    ("mail", "message"),
    [
        (raw(To=" " * 30_000 + "x!"), "Invalid To header"),
        (raw(To="(" * 2000), "Invalid To header"),
        (raw(To="a:" * 5000), "Invalid To header"),
        (raw(To=TOM, Subject="=?utf-8?q?a?= " * 20_000), "Invalid Subject header"),
        (raw(To=TOM, References="x" * 600_000), "Invalid message: its headers exceed 5,000 fields or 500 KB"),
        (
            raw(To=f"{TOM}," * 5 + ",".join(f"a{n}@out.example" for n in range(501))),
            "Invalid message: it has more",
        ),
        (_nested(200), "Invalid message: it has more than 200 MIME parts, or parts nested deeper than 20"),
        (_nested(900), "Invalid message: it has more than 200 MIME parts, or parts nested deeper than 20"),
    ],
)
async def test_a_mail_beyond_a_limit_is_refused(api: httpx.AsyncClient, mail: bytes, message: str) -> None:
    assert _message(await api.post("messages/send", json={"raw": encoded(mail)})).startswith(message)


async def test_a_body_beyond_the_limit_is_refused(api: httpx.AsyncClient) -> None:
    _message(await api.post("messages/send", content=b"x" * 36_700_161), 413)


async def test_a_thread_is_joined(api: httpx.AsyncClient) -> None:
    first = await _send(api, raw(To=TOM, Subject="Budget"))
    answer = raw(To=TOM, Subject="Re: Budget", In_Reply_To="<1@x>")
    assert (await _send(api, answer, threadId=first["threadId"]))["threadId"] == first["id"]


UPLOAD = "http://127.0.0.1:8080/w/main/upload/gmail/v1/users/me/messages/send"


async def test_a_mail_is_uploaded_as_it_is(api: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "message/rfc822"}
    answer = await api.post(f"{UPLOAD}?uploadType=media", content=raw(To=TOM), headers=headers)
    assert answer.json()["labelIds"] == ["SENT"]


async def test_a_mail_is_uploaded_beside_its_thread(api: httpx.AsyncClient) -> None:
    first = await _send(api, raw(To=TOM, Subject="S"))
    mail = raw("x", To=TOM, Subject="S", References="<1@x>").decode()
    parts = [
        f'Content-Type: application/json\n\n{{"threadId": "{first["id"]}"}}',
        f"Content-Type: message/rfc822\n\n{mail}",
    ]
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    headers = {"Content-Type": 'multipart/related; boundary="b"'}
    answer = await api.post(f"{UPLOAD}?uploadType=multipart", content=body.encode(), headers=headers)
    assert answer.json()["threadId"] == first["id"]
    assert base64.urlsafe_b64decode((await _get(api, answer.json()["id"], format="raw"))["raw"]).endswith(
        b"\r\nx"
    )


async def test_half_an_upload_is_refused(api: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "multipart/related; boundary=b"}
    assert "RFC822" in _message(await api.post(UPLOAD, content=b"--b\n\n{}\n--b--", headers=headers))
    assert "RFC822" in _message(
        await api.post(UPLOAD, content=b"", headers={"Content-Type": "message/rfc822"})
    )
