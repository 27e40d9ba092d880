from __future__ import annotations

import re

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.rules import mime
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast, raw

MIRA = "mira@harborlight.example"


async def _post(client: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    token = (await client.get("/compose")).text.partition('name="csrf" value="')[2].partition('"')[0]
    return await client.post(path, data={"csrf": token, **fields})


def _newest(world: World, owner: str) -> Message:
    return world.all(Message, "WHERE owner = ? ORDER BY seq DESC LIMIT 1", (owner,))[0]


async def test_a_message_is_sent(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    fields = {
        "to": "José <tom@harborlight.example>",
        "cc": cast.lena.email,
        "subject": "Grüße",
        "text": "Hi\r\nTom",
    }
    answer = await _post(mira, "/compose", **fields)
    assert answer.headers["location"] == "/?notice=sent"
    assert "Message sent." in (await mira.get("/?notice=sent")).text
    toms = _newest(world, cast.tom.id)
    assert (toms.subject, toms.sender_name, store.source_of(world, toms).text) == (
        "Grüße",
        "Mira Okafor",
        "Hi\nTom\n",
    )
    assert toms.recipients == f"{cast.tom.email}, {cast.lena.email}"


async def test_what_was_typed_is_kept_beside_the_problem(mira: httpx.AsyncClient) -> None:
    answer = await _post(mira, "/compose", to="tom", subject="S & S", text="Long <text>")
    assert answer.status_code == 400
    assert "One of the addresses is not complete." in answer.text
    assert 'value="S &amp; S"' in answer.text and "Long &lt;text&gt;" in answer.text
    assert "Add at least one recipient." in (await _post(mira, "/compose", to=" ", text="x")).text


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("to", {"to": "tom"}, "One of the addresses is not complete."),
        ("cc", {"to": MIRA, "cc": "tom"}, "One of the addresses is not complete."),
        ("subject", {"to": MIRA, "subject": "é" * 40_000}, "The subject is too long."),
        ("subject", {"to": MIRA, "subject": "e" * 40_000}, "The subject is too long."),
        ("to", {"to": ","}, "Add at least one recipient."),
    ],
)
async def test_a_problem_is_tied_to_its_field(
    mira: httpx.AsyncClient, field: str, typed: dict[str, str], sentence: str
) -> None:
    page = (await _post(mira, "/compose", **typed)).text
    [marked] = re.findall(r'<input id="(\w+)"[^>]* aria-invalid="true" aria-describedby="([\w-]+)"', page)
    assert marked == (field, f"problem-{field}")
    assert sentence in page.partition(f'id="problem-{field}"')[2].partition("</p>")[0]


async def test_a_problem_with_the_whole_mail_stands_alone(mira: httpx.AsyncClient) -> None:
    many = ", ".join(f"a{n}@out.example" for n in range(501))
    page = (await _post(mira, "/compose", to=many)).text
    assert "more than 500 recipients" in page and "aria-invalid" not in page


async def test_an_answer_joins_the_conversation_on_both_sides(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    sent = store.send(world, cast.tom, raw(To=cast.mira.email, Subject="Lunch"))
    received = _newest(world, cast.mira.id)
    answer = await _post(mira, f"/t/{received.thread_id}/reply", text="Yes")
    assert answer.headers["location"] == f"/t/{received.thread_id}?notice=sent"
    toms = _newest(world, cast.tom.id)
    assert (toms.subject, toms.thread_id, toms.recipients) == ("Re: Lunch", sent.thread_id, cast.tom.email)
    assert len(store.thread_in(world, cast.mira.id, received.thread_id)) == 2


async def test_an_answer_goes_to_everyone_if_asked(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw(To=cast.mira.email, Cc=cast.lena.email, Subject="Lunch"))
    await _post(mira, f"/t/{_newest(world, cast.mira.id).thread_id}/reply", text="Yes", all="1")
    assert _newest(world, cast.lena.id).recipients == f"{cast.tom.email}, {cast.lena.email}"


async def test_an_answer_goes_where_the_sender_wants_it(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.send(world, cast.tom, raw(To=cast.mira.email, Reply_To=cast.lena.email, Subject="Lunch"))
    thread = _newest(world, cast.mira.id).thread_id
    assert "Reply to Lena Fischer" in (await mira.get(f"/t/{thread}")).text
    await _post(mira, f"/t/{thread}/reply", text="Yes")
    assert _newest(world, cast.mira.id).recipients == cast.lena.email


async def test_answering_oneself_goes_on_to_the_recipients(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    sent = store.send(world, cast.mira, raw(To=cast.tom.email, Subject="Lunch"))
    await _post(mira, f"/t/{sent.thread_id}/reply", text="And?")
    latest = _newest(world, cast.mira.id)
    letter = mime.read(store.source_of(world, latest).raw)
    assert (latest.recipients, letter.header("In-Reply-To")) == (cast.tom.email, sent.rfc822_id)
