from __future__ import annotations

import html
import re

import httpx
import pytest

from fakes.core.capabilities import OutgoingMail
from fakes.core.links import stored_link
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from fakes.gmail.web import conversations
from tests.fakes.gmail.town import Cast, encoded, raw

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
    assert page.count("http://x</a>") == conversations.MOST_SHOWN // len("http://x ")
    assert "The rest of this message is not shown" in page


async def test_attached_files_are_named(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    parts = ["Content-Type: text/plain\n\nHi", "Content-Type: application/pdf; name=bill.pdf\n\n%PDF"]
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--"
    mail = raw(body, To=cast.mira.email, Content_Type="multipart/mixed; boundary=b")
    sent = store.send(world, cast.mira, mail)
    assert "bill.pdf (1 KB)" in (await mira.get(f"/t/{sent.thread_id}")).text


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
