"""Filters: all of them in words, one made or changed in two steps, several deleted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import (
    FilterExists,
    GoogleError,
    InvalidLabel,
    InvalidLabelName,
    LabelLimit,
    MissingAction,
    TooManyFilters,
    UnrecognizedForwarding,
)
from fakes.gmail.rules.filtering import criteria_text
from fakes.gmail.schema import Filter, UserLabel
from fakes.gmail.store import Wanted
from fakes.gmail.web.folders import TABS
from fakes.gmail.web.rows import rows
from fakes.gmail.web.settings import actions, criteria
from fakes.gmail.web.settings.actions import NEW, Actions
from fakes.gmail.web.settings.criteria import Criteria
from fakes.gmail.web.settings.frame import Problems, done, show
from fakes.gmail.web.settings.wording import actions_in_words, label_name, mail_in_words
from fakes.gmail.web.visits import Visit

PATH = "/settings/filters"
_SHOWN = 5
_MOST_COUNTED = 500
_PROBLEMS: dict[type[GoogleError], tuple[str, str]] = {
    MissingAction: ("actions", "Choose at least one thing that is done with the mail."),
    FilterExists: ("", "There is such a filter already."),
    TooManyFilters: ("", "There are 1,000 filters: delete one first."),
    UnrecognizedForwarding: ("forward", "This address was not confirmed yet. Choose another one."),
    InvalidLabel: ("label", "There is no such label any more. Choose another one."),
    InvalidLabelName: ("new_label", "This can't be a label's name."),
    LabelLimit: ("new_label", "There are 10,000 labels: delete one first."),
}
_NO_NAME = "Give the new label a name."


async def list_filters(visit: Visit) -> Response:
    """All filters in words."""
    own = _own(visit)
    found = [
        (row, mail_in_words(row), actions_in_words(row, own))
        for row in store.filters_of(visit.world, visit.person.id)
    ]
    return show(visit, PATH, "filters.html", {"filters": found})


async def new(visit: Visit) -> Response:
    """Step one: which mail; with `step=actions`, step two: what is done with it."""
    return _step(visit, None, criteria.typed(visit.query), Actions())


async def edit(visit: Visit) -> Response:
    """The same steps for a filter that there is: its own criteria until others were typed."""
    row = _filter(visit)
    wanted = criteria.typed(visit.query) if visit.query("step") else criteria.of_filter(row)
    return _step(visit, row, wanted, actions.of_filter(row))


async def create(visit: Visit) -> Response:
    """Makes a filter and, if `also` says so, applies it to the mail that is there."""
    return _save(visit, None)


async def change(visit: Visit) -> Response:
    """Makes another filter of one that there is."""
    return _save(visit, _filter(visit))


async def delete(visit: Visit) -> Response:
    """Deletes the filters that were ticked, or the one whose button was pressed."""
    found = [store.filter_of(visit.world, visit.person.id, each) for each in visit.every("filters")]
    rows = [row for row in found if row is not None]
    if len(rows) < len(found):
        raise HTTPException(404)
    with visit.world.tx():
        for row in rows:
            store.delete_filter(visit.world, row)
    return done(visit, PATH, "filters-deleted", filters=len(rows))


def _filter(visit: Visit) -> Filter:
    found = store.filter_of(visit.world, visit.person.id, visit.request.path_params["filter_id"])
    if found is None:
        raise HTTPException(404)
    return found


def _own(visit: Visit) -> dict[str, UserLabel]:
    return {label.id: label for label in store.own_labels(visit.world, visit.person.id)}


# saving


def _save(visit: Visit, row: Filter | None) -> Response:
    wanted, chosen = criteria.typed(visit.field), actions.sent(visit)
    problems = wanted.problems
    if problems:
        return _criteria_page(visit, row, wanted, problems)
    if chosen.label == NEW and not chosen.new_label:
        return _actions_page(visit, row, wanted, chosen, {"new_label": _NO_NAME})
    try:
        applied = _saved(visit, row, wanted, chosen)
    except GoogleError as error:
        return _actions_page(visit, row, wanted, chosen, _problem(error))
    return done(visit, PATH, "filter-changed" if row else "filter-made", **applied)


def _saved(visit: Visit, row: Filter | None, wanted: Criteria, chosen: Actions) -> dict[str, int]:
    """Label, filter and mail are one change: all of it is done, or nothing."""
    world, person = visit.world, visit.person
    with world.tx():
        if chosen.label == NEW:
            there = store.label_named(world, person.id, chosen.new_label)
            chosen = chosen.with_label((there or store.create_label(world, person.id, chosen.new_label)).id)
        given = Wanted(**wanted.columns, **chosen.columns)
        made = store.change_filter(world, row, given) if row else store.create_filter(world, person.id, given)
        return {"applied": store.apply_to_mail(world, person, made)} if visit.field("also") else {}


def _problem(error: GoogleError) -> Problems:
    field, sentence = _PROBLEMS.get(type(error), ("", error.message))
    return {field: sentence}


# the form


def _step(visit: Visit, row: Filter | None, wanted: Criteria, chosen: Actions) -> Response:
    step = visit.query("step")
    problems = wanted.problems if step else {}
    if step == "actions" and not problems:
        return _actions_page(visit, row, wanted, chosen)
    return _criteria_page(visit, row, wanted, problems)


def _criteria_page(visit: Visit, row: Filter | None, wanted: Criteria, problems: Problems) -> Response:
    context = {
        "edited": row,
        "wanted": wanted,
        "left_out": any(visit.query(name) for name in ("in", "date", "within")),
        **(_preview(visit, wanted) if wanted.fields and not wanted.problems else {}),
    }
    return show(visit, PATH, "filter_criteria.html", context, problems)


def _actions_page(
    visit: Visit, row: Filter | None, wanted: Criteria, chosen: Actions, problems: Problems | None = None
) -> Response:
    own = _own(visit)
    context = {
        "edited": row,
        "wanted": wanted,
        "chosen": chosen,
        "new": NEW,
        "also": bool(visit.field("also")),
        "own_labels": list(own.values()),
        "categories": list(TABS.values()),
        "forwards": [
            each.email
            for each in store.forwarding_addresses(visit.world, visit.person.id)
            if each.verification == "accepted"
        ],
        "more": [("more_add", each, f"put on {label_name(each, own)}") for each in chosen.more_add]
        + [("more_remove", each, f"take off {label_name(each, own)}") for each in chosen.more_remove],
        "back": urlencode({**wanted.fields, "step": "look"}),
        **_preview(visit, wanted),
    }
    return show(visit, PATH, "filter_actions.html", context, problems)


def _preview(visit: Visit, wanted: Criteria) -> dict[str, Any]:
    """The mail that is there and that it would take: how much, and the newest."""
    row = Filter(owner=visit.person.id, id="", seq=0, **asdict(Wanted(**wanted.columns)))
    found = store.caught(visit.world, visit.person, row, limit=_MOST_COUNTED)
    refs = [(message_id, thread_id) for thread_id, message_id in found.refs]
    return {
        "text": mail_in_words(row),
        "as_search": criteria_text(row),
        "matching": len(refs),
        "more_match": found.next is not None,
        "shown": rows(visit, refs[:_SHOWN], "", _own(visit)),
    }
