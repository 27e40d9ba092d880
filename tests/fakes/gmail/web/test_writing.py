from __future__ import annotations

import re
from dataclasses import replace

import httpx
import pytest

from fakes.core.capabilities import Attachment
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.reading import read_mail
from fakes.gmail.rules import mime
from fakes.gmail.schema import Draft, Message
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
    assert answer.headers["location"].startswith("/?sent=")
    page = (await mira.get(answer.headers["location"])).text
    sent = _newest(world, cast.mira.id)
    assert "Message sent." in page and f'href="/t/{sent.thread_id}?open={sent.id}#m-{sent.id}"' in page
    assert 'action="/unsend"' not in page
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
    assert answer.headers["location"].startswith(f"/t/{received.thread_id}?sent=")
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
    received = _newest(world, cast.mira.id)
    thread = received.thread_id
    page = (await mira.get(f"/t/{thread}?reply={received.id}")).text
    assert 'name="to" value="Lena Fischer &lt;lena@harborlight.example&gt;"' in page
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


async def test_nothing_is_kept_of_what_could_not_be_sent(mira: httpx.AsyncClient, world: World) -> None:
    await _post(mira, "/compose", to="tom", text="x")
    assert not world.count(Message) and not world.count(Draft)


async def test_an_answer_quotes_and_refers(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw("At noon?", To=cast.mira.email, Subject="Lunch", References="<a@b>"))
    received = _newest(world, cast.mira.id)
    page = (await mira.get(f"/t/{received.thread_id}?reply={received.id}")).text
    assert 'value="Re: Lunch"' in page and "At noon?" in page.partition('class="quote"')[2]
    form = {"about": received.id, "kind": "reply", "text": "Yes", "quote": "keep", "format": "html"}
    await _post(mira, f"/t/{received.thread_id}/reply", **form, html="<p>Yes<script>x</script></p>")
    mail = read_mail(store.source_of(world, _newest(world, cast.tom.id)).raw)
    assert mail.references[:2] == ("<a@b>", received.rfc822_id)
    assert mail.said == "Yes" and "> At noon?" in mail.text
    assert mail.html.startswith('<p>Yes</p><br><div class="gmail_quote">') and "script" not in mail.html


async def test_a_forward_takes_text_and_files_along(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    bill = Attachment("bill.pdf", "application/pdf", b"%PDF")
    store.send(world, cast.tom, mime.write([("To", cast.mira.email), ("Subject", "Bill")], "Pay", "", [bill]))
    received = _newest(world, cast.mira.id)
    page = (await mira.get(f"/t/{received.thread_id}?forward={received.id}")).text
    assert "Forwarded message" in page and "bill.pdf" in page.partition('id="attached"')[2]
    form = {"about": received.id, "kind": "forward", "to": cast.lena.email, "text": "See below"}
    await _post(mira, f"/t/{received.thread_id}/reply", **form)
    mail = read_mail(store.source_of(world, _newest(world, cast.lena.id)).raw)
    assert (mail.subject, mail.to, mail.text) == ("Fwd: Bill", (cast.lena.email,), "See below\n")
    assert [(file.name, file.content) for file in mail.files] == [("bill.pdf", b"%PDF")]


async def test_an_answer_to_all_leaves_oneself_out(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    to = f"{cast.mira.email}, {cast.lena.email}, Dana <dana@out.example>"
    store.send(world, cast.tom, raw(To=to, Subject="Lunch"))
    received = _newest(world, cast.mira.id)
    page = (await mira.get(f"/t/{received.thread_id}?all={received.id}")).text
    fields = dict(re.findall(r'<input id="(\w+)" name="\w+" value="([^"]*)"', page))
    assert fields["to"] == "Tom Reyes &lt;tom@harborlight.example&gt;"
    assert fields["cc"] == "Lena Fischer &lt;lena@harborlight.example&gt;, dana@out.example"


async def test_bcc_is_nobody_elses_business(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    await _post(mira, "/compose", to=cast.tom.email, bcc=cast.lena.email, subject="S", text="x")
    assert read_mail(store.source_of(world, _newest(world, cast.tom.id)).raw).bcc == ()
    assert _newest(world, cast.lena.id).subject == "S"


async def test_the_signature_stands_below(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    [own] = store.send_as_of(world, cast.mira)
    with world.tx() as tx:
        tx.insert(replace(own, signature="<b>Mira</b><br>Operations<script>x</script>"))
    page = (await mira.get("/compose")).text
    assert '<div class="gmail_signature">-- <br><b>Mira</b><br>Operations</div>' in page
    assert "\n\n-- \nMira\nOperations</textarea>" in page


async def test_an_alias_is_chosen_as_sender(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    [own] = store.send_as_of(world, cast.mira)
    alias = replace(
        own, email="ops@harborlight.example", seq=1, is_primary=False, is_default=False,
        display_name="Operations", verification="accepted",
    )  # fmt: skip
    with world.tx() as tx:
        tx.insert(alias)
    assert "Operations &lt;ops@harborlight.example&gt;</option>" in (await mira.get("/compose")).text
    chosen = {"from": "ops@harborlight.example", "to": cast.tom.email}
    await _post(mira, "/compose", **chosen, subject="S", text="x")
    toms = _newest(world, cast.tom.id)
    assert (toms.sender, toms.sender_name) == ("ops@harborlight.example", "Operations")


async def test_people_are_suggested(mira: httpx.AsyncClient, cast: Cast) -> None:
    found = (await mira.get("/suggest?q=le")).json()
    assert found == [{"name": "Lena Fischer", "email": cast.lena.email}]
    assert (await mira.get("/suggest")).json() == []
