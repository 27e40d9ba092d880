from __future__ import annotations

import httpx

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import ForwardingAddress, Message
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.forms import post

ELSEWHERE = "mira@elsewhere.example"
CLIENTS = {"pop": "fromNowOn", "pop_disposition": "archive", "imap": "on", "auto_expunge": "off",
           "expunge": "trash", "folder_size": "2000"}  # fmt: skip


def _rows(world: World, cast: Cast) -> list[ForwardingAddress]:
    return store.forwarding_addresses(world, cast.mira.id)


async def test_all_mail_goes_on_to_a_colleague_until_the_address_is_removed(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    await post(mira, "/settings/forwarding/addresses", email=cast.tom.email)
    fields = {"enabled": "on", "to": cast.tom.email, "disposition": "archive"}
    answer = await post(mira, "/settings/forwarding", **fields)
    assert "all mail goes there" in (await mira.get(answer.headers["location"])).text
    store.send(world, cast.lena, raw("Hi", To=cast.mira.email, Subject="One"))
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 1
    await post(mira, f"/settings/forwarding/addresses/{cast.tom.email}/remove")
    settings = store.settings_of(world, cast.mira.id)
    assert not _rows(world, cast) and not settings.forwarding_enabled


async def test_an_address_elsewhere_waits_for_its_answer(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    answer = await post(mira, "/settings/forwarding/addresses", email=ELSEWHERE)
    page = (await mira.get(answer.headers["location"])).text
    assert f"We asked {ELSEWHERE} by mail." in page and "not confirmed yet" in page
    assert f"<option>{ELSEWHERE}" not in page
    before = world.journal.head()
    again = await post(mira, f"/settings/forwarding/addresses/{ELSEWHERE}/ask")
    assert "about=mira" in again.headers["location"] and world.journal.head() > before
    fields = {"enabled": "on", "to": ELSEWHERE, "disposition": "archive"}
    refused = await post(mira, "/settings/forwarding", **fields)
    assert refused.status_code == 400 and 'id="problem-to"' in refused.text
    assert not store.settings_of(world, cast.mira.id).forwarding_enabled


async def test_what_can_not_be_added_is_told(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.add_forwarding_address(world, cast.mira, ELSEWHERE)
    for email, sentence in (
        ("nobody", "a whole address"), (cast.mira.email, "your own address"), (ELSEWHERE, "there already"),
    ):  # fmt: skip
        answer = await post(mira, "/settings/forwarding/addresses", email=email)
        assert answer.status_code == 400 and sentence in answer.text and f'value="{email}"' in answer.text
    assert len(_rows(world, cast)) == 1


async def test_pop_and_imap_are_kept(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    await post(mira, "/settings/forwarding/clients", **CLIENTS)
    row = store.settings_of(world, cast.mira.id)
    assert (row.pop_access_window, row.pop_disposition, row.imap_enabled) == ("fromNowOn", "archive", True)
    assert (row.imap_auto_expunge, row.imap_expunge_behavior) == (False, "trash")
    assert row.imap_max_folder_size == 2000
    wrong = {**CLIENTS, "pop": "x", "folder_size": "3"}
    answer = await post(mira, "/settings/forwarding/clients", **wrong)
    assert answer.status_code == 400 and 'id="problem-folder_size"' in answer.text
    assert 'id="problem-pop"' in answer.text and store.settings_of(world, cast.mira.id) == row


async def test_addresses_of_others_are_not_found(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.add_forwarding_address(world, cast.tom, ELSEWHERE)
    for deed in ("ask", "remove"):
        answer = await post(mira, f"/settings/forwarding/addresses/{ELSEWHERE}/{deed}")
        assert answer.status_code == 404
