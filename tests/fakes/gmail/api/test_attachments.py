"""attachments.get: what messages.get names, it hands out."""

from __future__ import annotations

import base64
from email.message import EmailMessage
from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.api.asking import from_tom, refused, told
from tests.fakes.gmail.town import Cast, raw

PDF = b"%PDF-1.4\r\n\0\xff" * 100


def _mail(to: str) -> EmailMessage:
    mail = EmailMessage()
    mail["To"], mail["Subject"] = to, "Papers"
    mail.set_content("See these.")
    mail.add_attachment(PDF, maintype="application", subtype="pdf", filename="bill.pdf")
    return mail


@pytest.fixture
def message(world: World, cast: Cast) -> Message:
    """A mail with a file."""
    return from_tom(world, cast, _mail(cast.mira.email).as_bytes())


async def _files(api: httpx.AsyncClient, message: Message) -> dict[str, dict[str, Any]]:
    """The parts of a message that are fetched by themselves, by part id."""
    found, waiting = {}, [told(await api.get(f"messages/{message.id}"))["payload"]]
    while waiting:
        part = waiting.pop()
        waiting += part.get("parts", [])
        if "attachmentId" in part["body"]:
            assert "data" not in part["body"]
            found[part["partId"]] = part
    return found


async def _fetch(api: httpx.AsyncClient, message: Message, part: dict[str, Any]) -> bytes:
    got = told(await api.get(f"messages/{message.id}/attachments/{part['body']['attachmentId']}"))
    content = base64.urlsafe_b64decode(got["data"])
    assert got == {"size": len(content), "data": base64.urlsafe_b64encode(content).decode()}
    assert part["body"]["size"] == len(content)
    return content


async def test_a_file_comes_as_it_was_attached(api: httpx.AsyncClient, message: Message) -> None:
    files = await _files(api, message)
    assert {part["filename"] for part in files.values()} == {"bill.pdf"}
    assert await _fetch(api, message, files["1"]) == PDF


async def test_each_file_has_an_id_of_its_own_that_stays(
    api: httpx.AsyncClient, world: World, cast: Cast, message: Message
) -> None:
    again = from_tom(world, cast, _mail(cast.mira.email).as_bytes())
    ids = [(await _files(api, each))["1"]["body"]["attachmentId"] for each in (message, again, message)]
    assert ids[0] == ids[2] != ids[1]
    answer = await api.get(f"messages/{message.id}/attachments/{ids[1]}")
    assert refused(answer) == "Invalid attachment token"


async def test_an_attached_mail_is_a_file_and_parts(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    inner, outer = _mail("someone@out.example"), EmailMessage()
    outer["To"] = cast.mira.email
    outer.set_content("Forwarded.")
    outer.add_attachment(inner)
    message = from_tom(world, cast, outer.as_bytes())
    files = await _files(api, message)
    assert files.keys() == {"1", "1.0.1"}
    assert (files["1"]["mimeType"], files["1.0.1"]["filename"]) == ("message/rfc822", "bill.pdf")
    assert b"Subject: Papers" in await _fetch(api, message, files["1"])
    assert await _fetch(api, message, files["1.0.1"]) == PDF


async def test_a_picture_in_the_text_is_a_file_and_keeps_its_id(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    mail = EmailMessage()
    mail["To"] = cast.mira.email
    mail.set_content('<img src="cid:logo@x">', subtype="html")
    mail.add_related(b"GIF89a", maintype="image", subtype="gif", cid="<logo@x>")
    message = from_tom(world, cast, mail.as_bytes())
    files = await _files(api, message)
    assert files.keys() == {"1"}
    assert (files["1"]["filename"], files["1"]["mimeType"]) == ("", "image/gif")
    assert {"name": "Content-ID", "value": "<logo@x>"} in files["1"]["headers"]
    assert await _fetch(api, message, files["1"]) == b"GIF89a"


async def test_text_is_given_with_its_message_unless_it_is_a_file(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    mail = EmailMessage()
    mail["To"] = cast.mira.email
    mail.set_content("Grüße", charset="iso-8859-1")
    mail.add_attachment("Größe;1\n", charset="iso-8859-1", filename="sizes.csv")
    mail.add_attachment("No name\n", disposition="inline")
    message = from_tom(world, cast, mail.as_bytes())
    parts = told(await api.get(f"messages/{message.id}"))["payload"]["parts"]
    texts = [base64.urlsafe_b64decode(part["body"].get("data", "")) for part in parts]
    assert texts == ["Grüße\r\n".encode(), b"", b"No name\r\n"]
    assert await _fetch(api, message, parts[1]) == "Größe;1\r\n".encode("latin-1")


async def test_a_very_long_text_is_fetched_by_itself(
    api: httpx.AsyncClient, world: World, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.gmail.api.payloads.MOST_INLINE", 100)
    message = from_tom(world, cast, raw("x" * 101, To=cast.mira.email))
    files = await _files(api, message)
    assert await _fetch(api, message, files[""]) == b"x" * 101


@pytest.mark.parametrize(
    ("message_id", "status", "sentence"),
    [
        ("x!", 400, "Invalid id value"),
        ("0123456789abcdef", 404, "Requested entity was not found."),
        ("{theirs}", 404, "Requested entity was not found."),
        ("{mine}", 400, "Invalid attachment token"),
    ],
)
async def test_ids_that_lead_nowhere(
    api: httpx.AsyncClient,
    world: World,
    cast: Cast,
    message: Message,
    message_id: str,
    status: int,
    sentence: str,
) -> None:
    theirs = store.send(world, cast.tom, _mail(cast.lena.email).as_bytes())
    named = message_id.format(theirs=theirs.id, mine=message.id)
    assert refused(await api.get(f"messages/{named}/attachments/ANGjx"), status) == sentence
