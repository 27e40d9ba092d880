"""Mail from outside by the portal's form: it arrives, and what is wrong is said beside its field."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest

from fakes.gmail.schema import Message
from harness.app import FIXED_SECRET, Server, Start
from harness.portal.app import portal_app
from tests.harness.notes import serving
from tests.harness.portal_pages import MIRA, TOM, at_portal, said, send, text_of, words

LETTER = {
    "name": "Dana Whitfield",
    "address": "dana@elsewhere.example",
    "subject": "Ärger",
    "text": "Hello,\r\nwell?",
}


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(secret=FIXED_SECRET, portal=portal_app) as running:
        running.create_world("main", Start("office"))
        yield running


def problems(page: str) -> dict[str, str]:
    """What is said beside each field; under "" what is said over them all."""
    beside = re.findall(r'<p class="problem" id="(\w+)-problem">(.*?)</p>', page, re.DOTALL)
    found = {name: words(text) for name, text in beside}
    over = re.search(r'role="alert"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert over, "an error is announced"
    return found or {"": words(over[1])}


async def test_it_arrives_in_each_inbox_as_from_outside(server: Server, portal: httpx.AsyncClient) -> None:
    world = server.worlds.get("main")
    before = world.count(Message)
    answer = await send(portal, "/worlds/main/mail", to=[MIRA, TOM], **LETTER)
    assert await said(portal, answer) == "The mail is in the inbox of Mira Okafor, Tom Reyes."
    mails = world.all(Message, "ORDER BY seq DESC LIMIT 2")
    assert world.count(Message) == before + 2
    assert {mail.subject for mail in mails} == {"Ärger"}
    assert all("dana@elsewhere.example" in str(mail) for mail in mails)
    (logged,) = world.log.rows("WHERE kind = 'harness'")
    assert (logged.service, logged.route, logged.status) == ("gmail", "POST /worlds/{name}/mail", 303)
    assert world.journal.writer("gmail_messages", [mails[0].id]) == logged.id


@pytest.mark.parametrize(
    ("changed", "field", "sentence"),
    [
        ({"address": ""}, "address", "Say the address that the mail comes from."),
        ({"address": "Mira@Harborlight.example"}, "address", "Mira Okafor lives in this world"),
        ({"address": "no address"}, "address", "is no mail address"),
        ({"address": "dana@"}, "address", "is no mail address"),
        ({"address": "a@b@c"}, "address", "malformed address"),
        ({"subject": "", "text": " "}, "subject", "Write a subject or a text."),
        ({"subject": "one\ntwo"}, "subject", "A subject is one line"),
        ({"subject": "x" * 901}, "subject", "at most 900 letters"),
        ({"name": "Dana\r\nBcc: all@x.example"}, "name", "A name is one line."),
        ({"text": "x" * 1_000_001}, "text", "at most 1,000,000 letters"),
    ],
)
async def test_what_is_wrong_is_said_beside_its_field_and_the_rest_stays(
    server: Server, portal: httpx.AsyncClient, changed: dict[str, str], field: str, sentence: str
) -> None:
    world = server.worlds.get("main")
    before = (world.count(Message), world.log.newest)
    answer = await send(portal, "/worlds/main/mail", to=[MIRA], **{**LETTER, **changed})
    assert answer.status_code == 422
    assert sentence in problems(answer.text)[field]
    assert f'aria-describedby="{field}-problem' in answer.text
    assert f'value="{MIRA}" checked' in answer.text
    assert (world.count(Message), world.log.newest) == before


@pytest.mark.parametrize("to", [[], ["nobody@harborlight.example"], [MIRA, "nobody@else.example"]])
async def test_it_goes_to_people_of_the_world(portal: httpx.AsyncClient, to: list[str]) -> None:
    answer = await send(portal, "/worlds/main/mail", to=to, **LETTER)
    assert answer.status_code == 422
    assert problems(answer.text).keys() == {"to"}


async def test_what_was_typed_is_text_on_the_page(portal: httpx.AsyncClient) -> None:
    answer = await send(portal, "/worlds/main/mail", **{**LETTER, "text": "</textarea><script>x</script>"})
    assert answer.status_code == 422
    assert "<script>x" not in answer.text


async def test_bytes_that_are_no_text_are_a_400_page(portal: httpx.AsyncClient) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-7"}
    answer = await portal.post("/worlds/main/mail", content=b"csrf=%ff", headers=kind)
    assert answer.status_code in (400, 403)


async def test_a_world_without_mail_says_so(server: Server) -> None:
    async with serving() as other, at_portal(other) as portal:
        assert "No service of this world takes mail." in await text_of(portal, "/worlds/main/mail")
        answer = await send(portal, "/worlds/main/mail", to=[MIRA], **LETTER)
        assert answer.status_code == 422
        assert "No service of this world takes mail." in words(answer.text)
