"""Folders and search: lists of conversations, newest first."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fakes.core import links, paging
from fakes.core.clock import civil
from fakes.core.ui.filters import instant
from fakes.gmail import store
from fakes.gmail.rules.search import NotSupported, parse
from fakes.gmail.store import Conversation, Conversations
from fakes.gmail.web.visits import FOLDERS, Visit

_NOTHING = Conversations([], None)


async def inbox(visit: Visit) -> Response:
    """What came in."""
    return _folder(visit, "inbox")


async def sent(visit: Visit) -> Response:
    """What was sent."""
    return _folder(visit, "sent")


def _folder(visit: Visit, name: str) -> Response:
    title, label, path, _ = FOLDERS[name]
    found = store.conversations(visit.world, visit.person.id, label, before=_position(visit, name))
    return _list(visit, found, name, title=title, folder=name, path=path, problem="")


async def search(visit: Visit) -> Response:
    """What a search finds."""
    text, problem, found = visit.query("q").strip(), "", _NOTHING
    name = f"search {text}"
    try:
        query = parse(text, visit.person.email)
        found = store.search(visit.world, visit.person.id, query, before=_position(visit, name))
    except NotSupported as missing:
        problem = f"{missing} does not work here yet."
    return _list(
        visit, found, name, title="Search", folder="search", path="/search", query=text, problem=problem
    )


def _position(visit: Visit, name: str) -> list[int] | None:
    token = visit.query("before")
    try:
        return paging.page_position(visit.world, "postbox", _bound(visit, name), token) if token else None
    except paging.BadPageToken:
        raise HTTPException(404) from None


def _bound(visit: Visit, name: str) -> dict[str, str]:
    return {"owner": visit.person.id, "list": name}


def _list(visit: Visit, found: Conversations, name: str, **context: str) -> Response:
    rows = [_row(visit, row, to=name == "sent") for row in found.rows]
    older = paging.page_token(visit.world, "postbox", _bound(visit, name), found.next) if found.next else ""
    listed = {"rows": rows, "older": older, "paged": bool(visit.query("before"))}
    return visit.page("list.html", {**listed, **context})


def _row(visit: Visit, row: Conversation, *, to: bool) -> dict[str, object]:
    """A conversation as a line; in the sent folder it names the recipients."""
    last = row.message
    others = [name for name in row.names if name != visit.person.name] or list(row.names)
    return {
        "id": last.thread_id,
        "who": f"To: {names(visit, last.recipients)}" if to else ", ".join(others),
        "count": row.count,
        "unread": row.unread,
        "subject": last.subject or "(no subject)",
        "snippet": links.resolve(visit.request, last.snippet),
        "time": _short_time(last.received_at, visit),
        "stamp": stamp(last.received_at, visit),
        "full_time": instant(last.received_at, visit.zone),
    }


def names(visit: Visit, addresses: str) -> str:
    """Addresses as names, where they are people of the world."""
    found = [(visit.world.person(address), address) for address in addresses.split(", ") if address]
    return ", ".join(person.name if person else address for person, address in found)


def stamp(at_ms: int, visit: Visit) -> str:
    """An instant as `<time datetime>` has it."""
    return civil(at_ms, visit.zone).isoformat(timespec="seconds")


def _short_time(at_ms: int, visit: Visit) -> str:
    """The time of day for today, else the date, with its year unless it is this one."""
    at, now = civil(at_ms, visit.zone), civil(visit.world.now(), visit.zone)
    if at.date() == now.date():
        return f"{at.hour:02}:{at.minute:02}"
    date = instant(at_ms, visit.zone).partition(", ")[0].split()
    return " ".join(date[1:3] if at.year == now.year else date[1:])
