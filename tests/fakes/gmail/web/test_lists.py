from __future__ import annotations

import re

import httpx
import pytest

from fakes.core.capabilities import OutgoingMail
from fakes.core.links import stored_link
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import MORNING, Cast, raw
from tests.fakes.gmail.web.forms import post

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


async def test_search_finds_and_the_list_says_so(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.tom, raw(To=cast.mira.email, Subject="Lunch"))
    found = await mira.get("/search?q=subject:lunch")
    assert "Tom Reyes" in _text(found) and 'value="subject:lunch"' in found.text
    assert "/settings/filters/new?" in found.text
    assert "No mail matches." in _text(await mira.get("/search?q=dinner"))


async def test_the_inbox_has_tabs_unless_they_are_off(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    for sender, subject in (("no-reply@bank.example", "Receipt"), ("ana@x.example", "Plan")):
        mail = OutgoingMail(sender=sender, to=(cast.mira.email,), subject=subject, text="x")
        store.deliver(world, mail)
    first, updates = _text(await mira.get("/")), _text(await mira.get("/?tab=updates"))
    assert "Plan" in first and "Receipt" not in first and "Updates 1 new" in first
    assert "Receipt" in updates and "Plan" not in updates
    assert "Receipt" in _text(await mira.get("/category/updates"))
    store.change_settings(world, cast.mira.id, tabs_on=False, shortcuts_on=False)
    page = await mira.get("/")
    assert "Receipt" in _text(page) and "Plan" in _text(page) and "shortcuts.js" not in page.text


async def test_a_conversation_stands_once_in_each_list_it_belongs_to(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.send(world, cast.tom, raw(To=cast.mira.email, Subject="Lunch"))
    got = world.all(Message, "WHERE owner = ?", (cast.mira.id,))[0]
    answer = raw("Yes", To=cast.tom.email, Subject="Re: Lunch", In_Reply_To=got.rfc822_id)
    store.send(world, cast.mira, answer, got.thread_id)
    label = store.create_label(world, cast.mira.id, "Food")
    store.relabel(world, cast.mira.id, [got.id], add=[label.id, "STARRED", "IMPORTANT"])
    for path in ("/", "/starred", "/important", "/all", "/sent", f"/label/{label.id}"):
        page = await mira.get(path)
        assert len(re.findall('class="row( unread)?"', page.text)) == 1, path
        assert "1–1 of 1" in _text(page)
    assert re.search(r"Tom\s*, me", _text(await mira.get("/all")))
    store.trash(world, cast.mira.id, [got.id])
    assert "Nothing has a star." in _text(await mira.get("/starred"))
    assert "Lunch" in _text(await mira.get("/trash")) and "Re: Lunch" in _text(await mira.get("/all"))


async def test_a_scheduled_mail_can_be_cancelled_from_its_list(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    assert "/scheduled" not in (await mira.get("/")).text
    draft = store.create_draft(world, cast.mira, raw(To=cast.tom.email, Subject="Later"))
    store.schedule(world, cast.mira, draft, world.now() + DAY)
    page = await mira.get("/scheduled")
    assert "To: Tom Reyes" in _text(page) and "Goes out Wed 22 Oct 2025, 09:30" in _text(page)
    assert f'name="draft" value="{draft.id}" formaction="/unsend"' in page.text
    await post(mira, "/unsend", draft=draft.id)
    assert "Later" in _text(await mira.get("/drafts"))


async def test_files_and_drafts_are_told(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    attached = 'attachment; filename="plan.pdf"'
    with_file = raw(To=cast.mira.email, Subject="Plan", Content_Disposition=attached)
    store.send(world, cast.tom, with_file)
    got = world.all(Message, "WHERE owner = ?", (cast.mira.id,))[0]
    answer = raw("Hm", To=cast.tom.email, Subject="Re: Plan", In_Reply_To=got.rfc822_id)
    store.create_draft(world, cast.mira, answer, got.thread_id)
    text = _text(await mira.get("/"))
    assert "plan.pdf" in text and re.search(r"Tom Reyes\s*, Draft", text)


async def test_a_page_costs_the_same_however_much_there_is(
    world: World, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakes.gmail.store.folders.MOST_COUNTED", 60)

    def steps() -> int:
        count = 0

        def step() -> bool:
            nonlocal count
            count += 1
            return False

        world.con.set_progress_handler(step, 1)
        page = store.folder(world, cast.mira.id, "INBOX", tab="CATEGORY_PERSONAL")
        store.lines(world, cast.mira.id, page.refs)
        store.all_mail(world, cast.mira.id)
        store.thread_count(world, cast.mira.id, "INBOX")
        store.unread_counts(world, cast.mira.id)
        world.con.set_progress_handler(None)
        return count

    def fill(number: int) -> None:
        with world.tx():
            for n in range(number):
                store.send(world, cast.tom, raw(To=cast.mira.email, Subject=f"Mail {n}"))

    fill(120)
    before = steps()
    fill(180)
    assert steps() < before * 1.05


@pytest.mark.parametrize("q", ["a%00b", "%00", "from:%00", "a%20" * 5000])
async def test_an_odd_search_finds_nothing(mira: httpx.AsyncClient, q: str) -> None:
    assert "No mail matches." in _text(await mira.get(f"/search?q={q}"))
