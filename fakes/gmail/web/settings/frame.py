"""What the pages of settings share: their names side by side, problems beside fields, notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.responses import Response

from fakes.gmail import store
from fakes.gmail.errors import NotPending
from fakes.gmail.store.confirming import Pending
from fakes.gmail.web.visits import Visit, redirect

Problems = dict[str, str]
"""What is wrong, in words, by the field that it stands beside; "" is the form as a whole."""


@dataclass(frozen=True)
class Section:
    """A page of settings: its path and its name."""

    path: str
    title: str


SECTIONS = (
    Section("/settings", "General"),
    Section("/settings/labels", "Labels"),
    Section("/settings/filters", "Filters"),
    Section("/settings/addresses", "Addresses"),
    Section("/settings/forwarding", "Forwarding and POP/IMAP"),
    Section("/settings/vacation", "Out of office"),
    Section("/settings/delegates", "Delegates"),
)
_NOTICES = {
    "saved": "Your changes are saved.",
    "filter-made": "The filter is made.",
    "filter-changed": "The filter is changed.",
    "filters-deleted": "Deleted {filters}.",
    "label-deleted": "The label is deleted. Its mail stays.",
    "address-added": "The address is added.",
    "address-removed": "The address is removed.",
    "asked": "We asked {about} by mail. Whoever reads it there can confirm.",
    "delegate-removed": "They may not use your mailbox any more.",
}


def show(
    visit: Visit, section: str, template: str, context: Mapping[str, object], problems: Problems | None = None
) -> Response:
    """A page of settings, below the links to all of them; with problems it is a 400."""
    shared = {
        "sections": SECTIONS,
        "section": section,
        "problems": problems or {},
    }
    told = {"flash": _told(visit)} if visit.query("notice") in _NOTICES else {}
    return visit.page(f"settings/{template}", {**shared, **told, **context}, 400 if problems else 200)


def asked_again(visit: Visit, path: str, row: Pending) -> Response:
    """Asks by mail once more, and goes back to a page; whoever has answered meanwhile is not asked."""
    try:
        store.ask_again(visit.world, visit.person, row)
    except NotPending:
        return done(visit, path, "")
    return done(visit, path, "asked", about=row.email)


def _told(visit: Visit) -> str:
    """What was just done."""
    told = _NOTICES[visit.query("notice")].format(
        filters=counted(_number(visit, "filters"), "filter"), about=visit.query("about")[:254]
    )
    if visit.query("applied"):
        told += f" It was applied to {counted(_number(visit, 'applied'), 'conversation')}."
    return told


def _number(visit: Visit, name: str) -> int:
    text = visit.query(name)[:6]
    return int(text) if text.isascii() and text.isdigit() else 0


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in "1 filter" and "3 filters"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def done(visit: Visit, path: str, notice: str, **told: str | int) -> Response:
    """Leads to a page that says what was done."""
    return redirect(visit.request, f"{path}?{urlencode({'notice': notice, **told})}")
