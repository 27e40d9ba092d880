from __future__ import annotations

import re

import httpx
import pytest

from fakes.core.capabilities import OutgoingMail
from fakes.core.links import stored_link
from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.town import MORNING, Cast, raw

DAY = 86_400_000


def _text(answer: httpx.Response) -> str:
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2]).split())


async def test_the_inbox_tells_who_what_and_when(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw("At noon?", To=cast.mira.email, Subject="Lunch <b>"))
    page = await mira.get("/")
    assert "Unread, Tom Reyes Lunch &lt;b&gt; At noon? 09:30" in _text(page)
    assert 'class="row unread"' in page.text and 'data-unread="1"' in page.text


async def test_times_are_the_readers(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    for days in (0, 20, 400):
        with world.at_time(MORNING - days * DAY - 3_600_000):
            store.send(world, cast.tom, raw(To=cast.mira.email, Subject=f"S{days}"))
    times = re.findall(r"<time[^>]*>([^<]+)", (await mira.get("/")).text)
    assert times == ["08:30", "1 Oct", "16 Sep 2024"]


async def test_times_are_given_to_machines_too(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    sent = store.send(world, cast.mira, raw(To=cast.mira.email))
    for path in ("/", f"/t/{sent.thread_id}"):
        page = (await mira.get(path)).text
        assert re.findall(r'<time datetime="([^"]*)"', page) == ["2025-10-21T09:30:00-04:00"]


async def test_the_sent_folder_names_recipients(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.mira, raw(To=f"{cast.tom.email}, dana@out.example", Subject="Hi"))
    assert "To: Tom Reyes, dana@out.example" in _text(await mira.get("/sent"))
    assert "Nothing has come in." in _text(await mira.get("/"))


async def test_links_in_snippets_are_the_worlds(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    text = stored_link("claims_desk", "/q/abc")
    store.deliver(world, OutgoingMail(sender="a@desk.example", to=(cast.mira.email,), subject="S", text=text))
    assert "http://claims-desk.main.localhost:8080/q/abc" in _text(await mira.get("/"))


async def test_a_long_list_has_pages(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    with world.tx():
        for n in range(51):
            store.send(world, cast.tom, raw(To=cast.mira.email, Subject=f"Mail {n}"))
    first = await mira.get("/")
    older = re.search(r'href="([^"]*before=[^"]*)"', first.text)
    assert older and "Mail 0" not in _text(first)
    second = await mira.get(older[1])
    assert "Mail 0" in _text(second) and "Newest" in _text(second)


async def test_search_finds_and_says_what_it_cannot(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.send(world, cast.tom, raw(To=cast.mira.email, Subject="Lunch"))
    assert "Tom Reyes" in _text(await mira.get("/search?q=subject:lunch"))
    assert "No mail matches." in _text(await mira.get("/search?q=dinner"))
    refused = await mira.get("/search?q=has:attachment")
    assert "The search has:attachment does not work here yet." in _text(refused)
    assert re.search(r'value="has:attachment"[^>]* aria-describedby="search-problem"', refused.text)
    assert 'id="search-problem"' in refused.text


@pytest.mark.parametrize("q", ["a%00b", "%00", "from:%00", "a%20" * 5000])
async def test_an_odd_search_finds_nothing(mira: httpx.AsyncClient, q: str) -> None:
    assert "No mail matches." in _text(await mira.get(f"/search?q={q}"))
