"""Filters, as clients make, list and remove them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.schema import Filter
from fakes.gmail.store import filters
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import Cast

TOM = "tom@harborlight.example"
FILTER = {
    "criteria": {"from": TOM, "query": "has:attachment", "sizeComparison": "larger", "size": 1024},
    "action": {"addLabelIds": ["STARRED"], "removeLabelIds": ["INBOX"]},
}


async def test_there_are_none_at_first(api: httpx.AsyncClient) -> None:
    assert told(await api.get("settings/filters")) == {}


async def test_a_filter_is_made_found_and_removed(api: httpx.AsyncClient) -> None:
    made = told(await api.post("settings/filters", json=FILTER))
    assert made == {**FILTER, "id": made["id"]}
    assert made["id"].startswith("ANe1Bm") and len(made["id"]) == 36
    assert told(await api.get(f"settings/filters/{made['id']}")) == made
    assert told(await api.get("settings/filters")) == {"filter": [made]}
    assert (await api.delete(f"settings/filters/{made['id']}")).status_code == 204
    assert refused(await api.get(f"settings/filters/{made['id']}"), 404)
    assert refused(await api.delete(f"settings/filters/{made['id']}"), 404)


async def test_a_filter_works_on_what_comes(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    label = store.create_label(world, cast.mira.id, "Tom")
    old = received(world, cast, Subject="Old")
    made = {"criteria": {"from": TOM}, "action": {"addLabelIds": [label.id]}}
    told(await api.post("settings/filters", json=made))
    new = received(world, cast, Subject="New")
    labels = store.labels_of(world, [old.id, new.id])
    assert [label.id in labels[each.id] for each in (old, new)] == [False, True]


async def test_the_same_filter_is_not_made_twice(api: httpx.AsyncClient, world: World) -> None:
    told(await api.post("settings/filters", json=FILTER))
    answer = await api.post("settings/filters", json=FILTER)
    assert refused(answer) == "Filter already exists"
    assert answer.json()["error"]["status"] == "FAILED_PRECONDITION"
    assert world.count(Filter) == 1


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"action": {"addLabelIds": ["STARRED"]}}, "Filter must have at least one criterion"),
        ({"criteria": {"from": " "}, "action": {"addLabelIds": ["STARRED"]}}, "Filter must have at"),
        ({"criteria": {"from": "x"}}, "Filter must have at least one action"),
        (
            {"criteria": {"from": "x", "query": "a" * 1500}, "action": {"addLabelIds": ["STARRED"]}},
            "Filter criteria hold at most 1500 letters",
        ),
        ({"criteria": {"from": "x"}, "action": {"forward": ""}}, "Filter must have at least one action"),
        ({"criteria": {"from": "x"}, "action": {"addLabelIds": ["Dianne"]}}, "Invalid label: Dianne"),
        ({"criteria": {"from": "x"}, "action": {"addLabelIds": ["SENT"]}}, "Invalid label: SENT"),
        ({"criteria": {"from": "x"}, "action": {"forward": "a@b.example"}}, "Unrecognized forwarding"),
        ({"criteria": {"from": "x"}, "action": {"forward": "@"}}, "Unrecognized forwarding address"),
        ({"criteria": {"size": "big"}, "action": {}}, "Invalid value at 'filter.criteria.size' (TYPE_INT32)"),
        ({"criteria": "x"}, "Invalid value at 'filter.criteria' (TYPE_MESSAGE)"),
        ({"criteria": {"sender": "x"}}, 'Invalid JSON payload received. Unknown name "sender"'),
    ],
)
async def test_wrong_filters_are_refused(
    api: httpx.AsyncClient, world: World, body: dict[str, Any], sentence: str
) -> None:
    before = world.state_hash()
    assert refused(await api.post("settings/filters", json=body)).startswith(sentence)
    assert world.state_hash() == before


async def test_there_is_an_end_to_filters(api: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert filters.MOST_FILTERS == 1000
    monkeypatch.setattr(filters, "MOST_FILTERS", 1)
    told(await api.post("settings/filters", json=FILTER))
    other = {**FILTER, "criteria": {"from": "lena"}}
    assert refused(await api.post("settings/filters", json=other)).startswith("Too many filters")
