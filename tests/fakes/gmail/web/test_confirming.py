"""Links that ask whether an address may be used."""

from __future__ import annotations

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast

TOM = "tom@harborlight.example"


def _link(world: World, person: str) -> str:
    [asked] = world.all(Message, "WHERE owner = ?", (person,))
    text = store.source_of(world, asked).text
    return "/gmail/confirm/" + text.partition("/gmail/confirm/")[2].split()[0]


async def test_whoever_has_the_link_may_agree(visitor: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.add_send_as(world, cast.mira, TOM)
    link = _link(world, cast.tom.id)
    page = await visitor.get(link)
    assert page.status_code == 200
    assert "Mira Okafor (mira@harborlight.example) asks to send mail in the name of" in page.text
    alias = store.send_as(world, cast.mira, TOM)
    assert alias is not None and alias.verification == "pending"
    done = await visitor.post(link)
    assert "Mail may be sent in the name of tom@harborlight.example now." in done.text
    alias = store.send_as(world, cast.mira, TOM)
    assert alias is not None and alias.verification == "accepted"
    again = await visitor.get(link)
    assert (again.status_code, "used already" in again.text) == (404, True)
    assert (await visitor.post(link)).status_code == 404


async def test_a_link_that_was_taken_back_asks_nothing(
    visitor: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    made = store.invite_delegate(world, cast.mira, TOM)
    link = _link(world, cast.tom.id)
    assert "read, send and delete mail for them" in (await visitor.get(link)).text
    store.remove_delegate(world, made)
    assert (await visitor.get(link)).status_code == 404
    store.invite_delegate(world, cast.mira, TOM)
    assert (await visitor.get(link)).status_code == 404


@pytest.mark.parametrize("origin", ["http://evil.example", "http://desk.main.localhost:8080"])
async def test_another_site_cannot_agree(
    visitor: httpx.AsyncClient, world: World, cast: Cast, origin: str
) -> None:
    store.add_send_as(world, cast.mira, TOM)
    link = _link(world, cast.tom.id)
    assert (await visitor.post(link, headers={"Origin": origin})).status_code == 403
    assert (await visitor.get(link)).status_code == 200


async def test_programs_follow_the_link_by_path(anyone: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.add_send_as(world, cast.mira, TOM)
    link = _link(world, cast.tom.id)
    assert (await anyone.get(link)).status_code == 200
    assert (await anyone.post(link)).status_code == 200
    alias = store.send_as(world, cast.mira, TOM)
    assert alias is not None and alias.verification == "accepted"
