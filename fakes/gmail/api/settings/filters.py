"""Filters: made, listed, removed; Gmail's API changes none."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import NotFound
from fakes.gmail.rules.filtering import told
from fakes.gmail.schema import Filter

_UNSPECIFIED = "unspecified"


async def list_filters(call: Call) -> dict[str, Any]:
    """users.settings.filters.list: under `filter`, and {} where there is none."""
    found = store.filters_of(call.world, call.person.id)
    return {"filter": [told(each) for each in found]} if found else {}


async def get(call: Call) -> dict[str, Any]:
    """users.settings.filters.get."""
    return told(_filter(call))


async def create(call: Call) -> dict[str, Any]:
    """users.settings.filters.create."""
    wanted = _wanted(await call.json())
    return told(store.create_filter(call.world, call.person.id, wanted))


async def delete(call: Call) -> None:
    """users.settings.filters.delete."""
    store.delete_filter(call.world, _filter(call))


def _filter(call: Call) -> Filter:
    found = store.filter_of(call.world, call.person.id, call.path("id"))
    if found is None:
        raise NotFound()
    return found


def _wanted(given: dict[str, Any]) -> store.Wanted:
    criteria, action = given.get("criteria", {}), given.get("action", {})
    comparison = criteria.get("sizeComparison", _UNSPECIFIED)
    return store.Wanted(
        sender=criteria.get("from", ""),
        recipient=criteria.get("to", ""),
        subject=" ".join(criteria.get("subject", "").split()),
        query=criteria.get("query", ""),
        negated_query=criteria.get("negatedQuery", ""),
        has_attachment=criteria.get("hasAttachment"),
        exclude_chats=criteria.get("excludeChats"),
        size=criteria.get("size"),
        size_comparison="" if comparison == _UNSPECIFIED else comparison,
        add_labels=" ".join(dict.fromkeys(action.get("addLabelIds", []))),
        remove_labels=" ".join(dict.fromkeys(action.get("removeLabelIds", []))),
        forward=action.get("forward", "").strip().lower(),
    )


FAKED = {
    "users.settings.filters.create": create,
    "users.settings.filters.delete": delete,
    "users.settings.filters.get": get,
    "users.settings.filters.list": list_filters,
}
