"""Lists of conversations, newest first, in pages of 50."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from fakes.core import paging
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules.labels import DRAFT, INBOX, SCHEDULED, SENT, SPAM, TRASH
from fakes.gmail.rules.timing import at_wall, snooze_times
from fakes.gmail.web import searching
from fakes.gmail.web.folders import TABS
from fakes.gmail.web.rows import rows
from fakes.gmail.web.sources import Found, Source, find, source_of
from fakes.gmail.web.visits import Visit

PAGE = 50
_MOST_BACK = 40


@dataclass(frozen=True)
class _Place:
    """Where a page begins: after so many rows, at this position; and where those before it began."""

    shown: int = 0
    position: list[Any] | None = None
    earlier: tuple[list[Any], ...] = ()


async def show(visit: Visit) -> Response:
    """The list of the path. One that there is not is not found."""
    path = visit.path + (f"?{visit.request.url.query}" if visit.request.url.query else "")
    source = source_of(visit, path)
    if source is None:
        raise HTTPException(404)
    place = _place(visit, source)
    found = find(visit, source, limit=PAGE, before=place.position)
    if place.position is not None and not found.refs and found.next is None:
        root: str = visit.request.scope.get("root_path", "")
        return RedirectResponse(root + source.path, 303)  # all of this page was moved away
    return _page(visit, source, place, found)


def _place(visit: Visit, source: Source) -> _Place:
    token = visit.query("before")
    if not token:
        return _Place()
    try:
        shown, position, earlier = paging.page_position(visit.world, "postbox", _bound(visit, source), token)
    except (paging.BadPageToken, ValueError):
        raise HTTPException(404) from None
    return _Place(shown, position, tuple(earlier))


def _bound(visit: Visit, source: Source) -> dict[str, str]:
    return {"owner": visit.person.id, "list": source.path}


def _page(visit: Visit, source: Source, place: _Place, found: Found) -> Response:
    folder = source.tab if source.tab and source.tab.label != TABS["primary"].label else source.folder
    own = {label.id: label for label in store.own_labels(visit.world, visit.person.id)}
    context = {
        "title": source.folder.title,
        "folder": source.folder.name,
        "tab": source.tab.name if source.tab else "",
        "tabs": TABS if source.tab else {},
        "label": source.folder.label,
        "empty": folder.empty,
        "path": source.path,
        "query": source.text,
        "search": searching.fields(source.text),
        "rows": rows(visit, found.refs, source.folder.label, own),
        "own_labels": list(own.values()),
        "is_own": source.folder.label in own,
        "snooze_presets": snooze_presets(visit),
        **_kind(source),
        **_paging(visit, source, place, found),
    }
    return visit.page("list.html", context)


def _kind(source: Source) -> dict[str, bool]:
    """What the toolbar offers."""
    label = source.folder.label
    return {
        "in_trash": label == TRASH,
        "in_spam": label == SPAM,
        "in_inbox": label == INBOX,
        "in_drafts": label == DRAFT,
        "in_scheduled": label == SCHEDULED,
        "in_sent": label == SENT,
        "is_search": source.folder.name == "search",
    }


def snooze_presets(visit: Visit) -> list[tuple[str, str, str]]:
    """When one may want to see a mail again: name, wall time, and that in words."""
    found = []
    for preset in snooze_times(visit.world.now(), visit.zone):
        at = at_wall(preset.wall, visit.zone)
        found.append((preset.name, preset.wall, instant(at, visit.zone)))
    return found


def _paging(visit: Visit, source: Source, place: _Place, found: Found) -> dict[str, Any]:
    """Which rows these are, of how many, and the links to the pages beside this one."""
    last = place.shown + len(found.refs)
    older = newer = ""
    if found.next is not None:
        here = [place.shown, place.position]
        earlier = [*place.earlier, here][-_MOST_BACK:]
        older = _link(visit, source, [last, found.next, earlier])
    if place.position is not None:
        newer = source.path
        if place.earlier and place.earlier[-1][1] is not None:
            newer = _link(visit, source, [*place.earlier[-1], list(place.earlier[:-1])])
    return {
        "first": place.shown + 1,
        "last": last,
        "of": _total(visit, source, found, last),
        "older": older,
        "newer": newer,
    }


def _link(visit: Visit, source: Source, position: list[Any]) -> str:
    token = paging.page_token(visit.world, "postbox", _bound(visit, source), position)
    return f"{source.path}{'&' if '?' in source.path else '?'}before={token}"


def _total(visit: Visit, source: Source, found: Found, last: int) -> str:
    """How many there are; "many" where counting would cost more than the page."""
    if found.next is None:
        return str(last)
    label = source.folder.label
    if not label or source.tab is not None:
        return "many"
    number = store.thread_count(visit.world, visit.person.id, label)
    return str(number) if number <= store.MOST_COUNTED else "many"
