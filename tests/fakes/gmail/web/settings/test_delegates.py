from __future__ import annotations

import re

import httpx

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Message
from tests.fakes.gmail.town import Cast
from tests.fakes.gmail.web.forms import post


async def test_a_colleague_is_invited_accepts_and_is_sent_away(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    answer = await post(mira, "/settings/delegates", email=cast.tom.email)
    page = (await mira.get(answer.headers["location"])).text
    assert f"We asked {cast.tom.email} by mail." in page and "has not accepted yet" in page
    await post(mira, f"/settings/delegates/{cast.tom.email}/ask")
    asked = world.all(Message, "WHERE owner = ? ORDER BY seq", (cast.tom.id,))
    assert len(asked) == 2
    link = re.search(r"/gmail/confirm/[\w-]+", store.source_of(world, asked[0]).raw.decode())
    assert link
    assert (await mira.post(link[0])).status_code == 200
    assert "may use it" in (await mira.get("/settings/delegates")).text
    assert store.is_delegate(world, cast.mira.id, cast.tom)
    await post(mira, f"/settings/delegates/{cast.tom.email}/ask")
    assert world.count(Message, "WHERE owner = ?", (cast.tom.id,)) == 2
    await post(mira, f"/settings/delegates/{cast.tom.email}/remove")
    assert not store.delegates_of(world, cast.mira.id)


async def test_only_other_colleagues_can_be_invited_once(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.invite_delegate(world, cast.mira, cast.tom.email)
    for email, sentence in (
        ("x@elsewhere.example", "other people of your company"),
        (cast.mira.email, "other people of your company"),
        (cast.tom.email, "invited already"),
    ):
        answer = await post(mira, "/settings/delegates", email=email)
        assert answer.status_code == 400 and sentence in answer.text
    for deed in ("ask", "remove"):
        assert (await post(mira, f"/settings/delegates/{cast.lena.email}/{deed}")).status_code == 404
    assert len(store.delegates_of(world, cast.mira.id)) == 1
