from __future__ import annotations

import re

import httpx

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.forms import post


def _is_hidden(page: str, path: str) -> bool:
    found = re.search(rf'<li( hidden)?>\s*<a href="{path}"', page)
    assert found
    return bool(found[1])


async def test_folders_and_categories_are_hidden_but_the_inbox_stays(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    await post(mira, "/settings/labels", shown=["starred", "sent", "drafts", "trash", "updates"])
    page = (await mira.get("/settings/labels")).text
    assert all(_is_hidden(page, path) for path in ("/spam", "/all", "/important", "/category/social"))
    assert not any(_is_hidden(page, path) for path in ("/", "/starred", "/category/updates"))
    assert not _is_hidden((await mira.get("/spam")).text, "/spam")  # where one is, is shown
    assert re.search(r'value="inbox" checked disabled', page)


async def test_labels_are_listed_with_how_much_carries_them(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    label = store.create_label(world, cast.mira.id, "Bills")
    store.create_label(world, cast.mira.id, "Bills/Old")
    sent = store.send(world, cast.mira, raw(To=cast.tom.email, Subject="Invoice"))
    store.relabel(world, cast.mira.id, [sent.id], add=[label.id])
    page = (await mira.get("/settings/labels")).text
    assert re.search(r"Bills</span> <span[^>]*>1 conversation</span>", page)
    asked = (await mira.get(f"/settings/labels/{label.id}/delete")).text
    assert "1 message carries it, in 1 conversation." in asked and "stay: Bills/Old" in asked
    answer = await post(mira, f"/settings/labels/{label.id}/delete")
    assert "The label is deleted." in (await mira.get(answer.headers["location"])).text
    assert [each.name for each in store.own_labels(world, cast.mira.id)] == ["Bills/Old"]


async def test_where_a_label_is_shown_is_set_in_its_line(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    label = store.create_label(world, cast.mira.id, "Bills")
    await post(mira, f"/settings/labels/{label.id}", in_list="labelHide", on_mail="hide")
    changed = store.own_label(world, cast.mira.id, label.id)
    assert changed and changed.label_list_visibility == "labelHide"
    assert changed.message_list_visibility == "hide"
    answer = await post(mira, f"/settings/labels/{label.id}", in_list="x", on_mail="show")
    assert answer.status_code == 400


async def test_labels_of_others_are_not_found(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label = store.create_label(world, cast.tom.id, "Secret")
    path = f"/settings/labels/{label.id}"
    assert (await mira.get(f"{path}/delete")).status_code == 404
    for each in (path, f"{path}/delete"):
        assert (await post(mira, each, in_list="labelHide", on_mail="hide")).status_code == 404
    assert store.own_labels(world, cast.tom.id) == [label]
