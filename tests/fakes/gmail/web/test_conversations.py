from __future__ import annotations

import html
import re

import httpx
import pytest

from fakes.core.capabilities import OutgoingMail
from fakes.core.links import stored_link
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message, Unsubscription
from fakes.gmail.web import messages
from tests.fakes.gmail.town import MORNING, Cast, encoded, raw
from tests.fakes.gmail.web.test_visits import csrf

BAD = (
    "<script>alert(1)</script><style>p{}</style><form action=/x><input name=a></form>"
    "<img src=http://x.example/i><a href='javascript:alert(1)' onclick=x>bad</a>"
    "<iframe src=//x.example></iframe><p style='color:red'>good</p>"
)


@pytest.fixture
def received(world: World, cast: Cast) -> Message:
    """A mail from Tom in Mira's inbox."""
    store.send(
        world, cast.tom, raw("See https://x.example/a?b=1&c=2.\n<b>", To=cast.mira.email, Subject="Hi")
    )
    return world.all(Message, "WHERE owner = ?", (cast.mira.id,))[0]


def _mail(world: World, cast: Cast, body: str) -> Message:
    mail = OutgoingMail(sender="a@desk.example", to=(cast.mira.email,), subject="S", text="plain", html=body)
    store.deliver(world, mail)
    return world.all(Message, "WHERE owner = ?", (cast.mira.id,))[-1]


async def _document(client: httpx.AsyncClient, message: Message) -> str:
    """The document inside the frame of an HTML mail."""
    found = re.search(r'srcdoc="([^"]*)"', (await client.get(f"/t/{message.thread_id}")).text)
    assert found
    return html.unescape(found[1]).partition("<body>")[2].partition("</body>")[0]


def _several(world: World, cast: Cast, count: int = 3) -> list[Message]:
    """A conversation between Tom and Mira, from her mailbox; all of it read."""
    first = store.send(world, cast.tom, raw("Text 0", To=cast.mira.email, Subject="Lunch"))
    for n in range(1, count):
        answer = raw(f"Text {n}", To=cast.mira.email, Subject="Re: Lunch", In_Reply_To=first.rfc822_id)
        store.send(world, cast.tom, answer)
    mine = world.all(Message, "WHERE owner = ? ORDER BY place", (cast.mira.id,))
    store.mark_read(world, cast.mira.id, [each.id for each in mine])
    return mine


async def test_opening_marks_read(mira: httpx.AsyncClient, world: World, received: Message) -> None:
    page = await mira.get(f"/t/{received.thread_id}")
    assert '<span class="new">New</span>' in page.text
    assert store.labels_of(world, [received.id])[received.id] == ["CATEGORY_PERSONAL", "INBOX"]
    assert "data-unread" not in page.text


@pytest.mark.parametrize("how", [{"method": "GET", "headers": {"X-Live": "1"}}, {"method": "HEAD"}])
async def test_a_page_that_refreshes_itself_reads_nothing(
    mira: httpx.AsyncClient, world: World, received: Message, how: dict[str, str]
) -> None:
    await mira.request(url=f"/t/{received.thread_id}", **how)  # type: ignore[arg-type]
    assert store.labels_of(world, [received.id])[received.id] == ["CATEGORY_PERSONAL", "INBOX", "UNREAD"]


async def test_links_in_text_can_be_followed(mira: httpx.AsyncClient, received: Message) -> None:
    page = (await mira.get(f"/t/{received.thread_id}")).text
    href = "https://x.example/a?b=1&amp;c=2"
    assert f'<a href="{href}" target="_blank" rel="noopener noreferrer">{href}</a>.\n&lt;b&gt;' in page


async def test_html_is_made_safe(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    document = await _document(mira, _mail(world, cast, BAD))
    assert document.strip() == '<a target="_blank" rel="noopener noreferrer">bad</a><p>good</p>'


async def test_links_in_html_lead_into_the_world(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    message = _mail(world, cast, f'<a href="{stored_link("claims_desk", "/q/a?b=1")}">Answer</a>')
    document = await _document(mira, message)
    assert 'href="http://claims-desk.main.localhost:8080/q/a?b=1"' in document


async def test_the_frame_runs_no_scripts(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    page = (await mira.get(f"/t/{_mail(world, cast, '<p>x</p>').thread_id}")).text
    [sandbox] = re.findall(r'<iframe[^>]*sandbox="([^"]*)"', page)
    assert "allow-scripts" not in sandbox and "allow-forms" not in sandbox


@pytest.mark.parametrize("body", ["<div>" * 30_000, "<" * 200_000, "&" * 200_000, "x" * 1_000_000])
async def test_html_that_is_too_much_is_shown_as_text(
    mira: httpx.AsyncClient, world: World, cast: Cast, body: str
) -> None:
    page = (await mira.get(f"/t/{_mail(world, cast, body).thread_id}")).text
    assert '<div class="body text">plain\n</div>' in page
    assert "<iframe" not in page


async def test_html_that_is_too_much_is_text_even_without_a_text_part(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    body = "<div>" * 30_000 + "<a href=https://x.example>Tom</a>"
    sent = store.send(world, cast.mira, raw(body, To=cast.mira.email, Content_Type="text/html"))
    assert '<div class="body text">Tom</div>' in (await mira.get(f"/t/{sent.thread_id}")).text


async def test_a_text_that_is_too_long_is_clipped(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw("http://x " * 100_000, To=cast.tom.email))
    page = (await mira.get(f"/t/{sent.thread_id}")).text
    assert page.count("http://x</a>") == messages.MOST_SHOWN // len("http://x ")
    assert "The rest of this message is not shown" in page


async def test_attached_files_are_named(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    parts = ["Content-Type: text/plain\n\nHi", "Content-Type: application/pdf; name=bill.pdf\n\n%PDF"]
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--"
    mail = raw(body, To=cast.mira.email, Content_Type="multipart/mixed; boundary=b")
    sent = store.send(world, cast.mira, mail)
    page = (await mira.get(f"/t/{sent.thread_id}")).text
    assert '<span class="name">bill.pdf</span><span class="size">4 bytes</span>' in page
    assert f'href="/m/{sent.id}/files/2" download' in page


async def test_anothers_conversation_is_not_there(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    theirs = store.send(world, cast.tom, raw(To=cast.lena.email))
    assert (await mira.get(f"/t/{theirs.thread_id}")).status_code == 404


async def test_pages_and_api_tell_the_same(
    mira: httpx.AsyncClient, api: httpx.AsyncClient, cast: Cast
) -> None:
    body = {"raw": encoded(raw("By API", To=cast.mira.email, Subject="Note to self"))}
    sent = (await api.post("messages/send", json=body)).json()
    assert "By API" in (await mira.get(f"/t/{sent['threadId']}")).text
    assert (await api.get(f"messages/{sent['id']}")).json()["labelIds"] == ["INBOX", "SENT"]


async def test_what_was_read_is_folded_but_the_last(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    first, second, third = _several(world, cast)
    page = (await mira.get(f"/t/{first.thread_id}")).text
    assert page.count('class="letter folded"') == 2
    assert f'id="m-{third.id}" class="letter" aria' in page
    asked = (await mira.get(f"/t/{first.thread_id}?open={second.id}")).text
    assert asked.count('class="letter folded"') == 1
    assert 'class="letter folded"' not in (await mira.get(f"/t/{first.thread_id}?open=all")).text


async def test_a_message_opens_and_folds_by_itself(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first, *_ = _several(world, cast)
    assert "Text 0" in (await mira.get(f"/m/{first.id}")).text
    assert 'class="letter folded"' in (await mira.get(f"/m/{first.id}?folded=1")).text
    theirs = store.send(world, cast.tom, raw(To=cast.lena.email))
    assert (await mira.get(f"/m/{theirs.id}")).status_code == 404


async def test_the_page_asks_for_what_came_since(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first, _ = _several(world, cast, 2)
    page = (await mira.get(f"/t/{first.thread_id}")).text
    [source] = re.findall(r'data-live-src="(/t/[^"]*)"', page)
    store.send(
        world, cast.tom, raw("One more", To=cast.mira.email, Subject="Lunch", References=first.rfc822_id)
    )
    later = (await mira.get(html.unescape(source), headers={"X-Live": "1"})).text
    assert "One more" in later and "Text 0" not in later and '<span class="new">New</span>' in later
    assert (await mira.get(f"/t/{first.thread_id}?after=x")).status_code == 200


async def test_the_header_tells_all(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    mail = raw(
        From=f"Tom R. <{cast.tom.email}>", To=f"{cast.mira.email}, Dana <dana@out.example>",
        Cc=cast.lena.email, Subject="S", Reply_To="desk@harborlight.example", List_Id="Docks <docks.example>",
    )  # fmt: skip
    store.send(world, cast.tom, mail)
    message = world.all(Message, "WHERE owner = ?", (cast.mira.id,))[0]
    page = (await mira.get(f"/t/{message.thread_id}")).text
    assert "<summary>to me, Dana, Lena Fischer</summary>" in page
    told = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page))
    assert told["From"] == "Tom R. &lt;tom@harborlight.example&gt;"
    assert (told["Reply-to"], told["Cc"]) == ("desk@harborlight.example", cast.lena.email)
    assert (told["Mailed-by"], told["Mailing list"]) == ("harborlight.example", "Docks &lt;docks.example&gt;")


async def test_five_hundred_recipients_are_counted(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=", ".join(f"a{n}@out.example" for n in range(500))))
    assert "a11@out.example and 488 more</summary>" in (await mira.get(f"/t/{sent.thread_id}")).text


async def test_quoted_text_is_folded(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw("Yes\n\nOn Monday Tom wrote:\n> At noon?", To=cast.mira.email))
    page = (await mira.get(f"/t/{sent.thread_id}")).text
    assert '<div class="body text">Yes\n</div>' in page
    assert page.partition('<details class="quoted">')[2].count("&gt; At noon?") == 1


async def test_a_mailing_list_is_left(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    offer = {"List_Unsubscribe": "<mailto:leave@shop.example>"}
    store.send(world, cast.tom, raw("Buy!", To=cast.mira.email, Subject="Offers", **offer))
    message = world.all(Message, "WHERE owner = ?", (cast.mira.id,))[0]
    page = await mira.get(f"/t/{message.thread_id}")
    path = f"/m/{message.id}/unsubscribe"
    assert f'action="{path}"' in page.text
    answer = await mira.post(path, data={"csrf": csrf(page)})
    assert answer.status_code == 303
    assert world.all(Unsubscription)[0].target == "leave@shop.example"
    page = await mira.get(answer.headers["location"])
    assert "Unsubscribed Tue 21 Oct 2025, 09:30" in page.text and f'action="{path}"' not in page.text


async def test_an_invitation_is_a_card(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    event = (
        "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nDTSTART:20251022T130000Z\nDTEND:20251022T140000Z\n"
        "SUMMARY:Dock talk\nLOCATION:Pier 7\nEND:VEVENT\nEND:VCALENDAR"
    )
    parts = ["Content-Type: text/plain\n\nHi", f"Content-Type: text/calendar\n\n{event}"]
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--"
    sent = store.send(
        world, cast.mira, raw(body, To=cast.mira.email, Content_Type="multipart/alternative; boundary=b")
    )
    page = (await mira.get(f"/t/{sent.thread_id}")).text
    card = page.partition('aria-label="Invitation"')[2].partition("</section>")[0]
    assert "Dock talk" in card and "Pier 7" in card and "Cancelled" in card
    assert "Wed 22 Oct 2025, 09:00 to 10:00" in card


async def test_deleted_messages_of_a_conversation_are_hidden(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    first, *_ = _several(world, cast)
    store.trash(world, cast.mira.id, [first.id])
    page = (await mira.get(f"/t/{first.thread_id}?open=all")).text
    assert "1 deleted message in this conversation" in page and "Text 0" not in page
    shown = (await mira.get(f"/t/{first.thread_id}?open=all&deleted=1")).text
    assert "Text 0" in shown and "This message is in the trash." in shown


async def test_a_snooze_a_mute_and_labels_are_told(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first, *_ = _several(world, cast)
    label = store.create_label(world, cast.mira.id, "Docks")
    store.relabel(world, cast.mira.id, [first.id], add=[label.id])
    store.snooze(world, cast.mira.id, first.thread_id, MORNING + 86_400_000)
    page = (await mira.get(f"/t/{first.thread_id}")).text
    assert "Snoozed until Wed 22 Oct 2025, 09:30" in page
    assert ">Docks</a>" in page and "Take the label Docks off" in page


async def test_mail_in_spam_warns(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    first, *_ = _several(world, cast, 1)
    store.report_spam(world, cast.mira.id, [first.id])
    page = (await mira.get(f"/t/{first.thread_id}")).text
    assert "This message is in Spam." in page and "Not spam" in page
