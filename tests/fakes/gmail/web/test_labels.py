from __future__ import annotations

import re

import httpx

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.rules.colors import PALETTE
from fakes.gmail.schema import UserLabel
from fakes.gmail.web.labels import COLORS
from tests.fakes.gmail.town import Cast, raw
from tests.fakes.gmail.web.forms import post


def _named(world: World, cast: Cast) -> dict[str, UserLabel]:
    return {label.name: label for label in store.own_labels(world, cast.mira.id)}


async def test_a_label_is_made_nested_and_coloured(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    above = store.create_label(world, cast.mira.id, "Clients")
    fields = {"name": "Hamburg", "parent": above.id, "color": "#3c78d8", "back": "/sent"}
    answer = await post(mira, "/labels", **fields)
    assert answer.status_code == 303 and answer.headers["location"] == "/sent"
    made = _named(world, cast)["Clients/Hamburg"]
    assert (made.background_color, made.text_color) == ("#3c78d8", "#ffffff")
    nav = (await mira.get("/")).text
    assert re.search(rf'<li class="depth-1"[^>]*>\s*<a href="/label/{made.id}" title="Clients/Hamburg"', nav)


async def test_a_name_that_is_taken_or_reserved_is_told_beside_it(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    store.create_label(world, cast.mira.id, "Bills")
    for name, sentence in (("bills", "There is a label of this name already."), ("Inbox", "a label's name")):
        answer = await post(mira, "/labels", name=name)
        assert answer.status_code == 400 and sentence in answer.text.replace("&#39;", "'")
        assert f'value="{name}"' in answer.text
    assert list(_named(world, cast)) == ["Bills"]


async def test_those_nested_in_a_label_follow_its_new_name(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    for name in ("Work", "Work/Bills", "Workshop"):
        store.create_label(world, cast.mira.id, name)
    label = _named(world, cast)["Work"]
    await post(mira, f"/labels/{label.id}", name="Job", in_list="labelShowIfUnread", on_mail="hide")
    assert list(_named(world, cast)) == ["Job", "Job/Bills", "Workshop"]
    changed = _named(world, cast)["Job"]
    assert (changed.label_list_visibility, changed.message_list_visibility) == ("labelShowIfUnread", "hide")


async def test_a_colour_that_the_api_gave_stays(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label = store.create_label(
        world, cast.mira.id, "Odd", background_color="#0d3472", text_color="#fbe983"
    )  # fmt: skip
    page = (await mira.get(f"/labels/{label.id}")).text
    assert re.search(r'value="#0d3472" checked', page)
    await post(mira, f"/labels/{label.id}", name="Even", color="#0d3472")
    assert _named(world, cast)["Even"].text_color == "#fbe983"


async def test_a_label_is_deleted_and_its_mail_stays(
    mira: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    label = store.create_label(world, cast.mira.id, "Bills")
    sent = store.send(world, cast.mira, raw(To=cast.tom.email, Subject="Invoice"))
    store.relabel(world, cast.mira.id, [sent.id], add=[label.id])
    assert "1 conversation has this label" in (await mira.get(f"/labels/{label.id}")).text
    answer = await post(mira, f"/labels/{label.id}/delete", back=f"/label/{label.id}")
    assert answer.headers["location"] == "/" and not _named(world, cast)
    assert "Invoice" in (await mira.get("/sent")).text


async def test_labels_of_others_are_not_found(mira: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label = store.create_label(world, cast.tom.id, "Secret")
    for path in (f"/label/{label.id}", f"/labels/{label.id}", "/label/x", "/category/x"):
        assert (await mira.get(path)).status_code == 404
    assert (await post(mira, f"/labels/{label.id}", name="Mine")).status_code == 404
    assert (await post(mira, f"/labels/{label.id}/delete")).status_code == 404
    assert store.own_labels(world, cast.tom.id) == [label]


async def test_every_colour_has_its_class(mira: httpx.AsyncClient) -> None:
    sheet = (await mira.get("/palette.css")).text
    for background, text, _ in COLORS:
        assert {background, text} <= PALETTE
        assert f".on-{background[1:]} {{" in sheet and f".ink-{text[1:]} {{" in sheet
