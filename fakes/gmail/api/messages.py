"""Messages: list, get, send."""

from __future__ import annotations

from typing import Any

from fakes.core.paging import BadPageToken, page_position, page_token
from fakes.gmail import store
from fakes.gmail.api import rendering
from fakes.gmail.api.calls import Call
from fakes.gmail.api.uploads import message_given
from fakes.gmail.errors import (
    InvalidId,
    InvalidLabel,
    InvalidPageToken,
    InvalidValue,
    NotFaked,
    NotFound,
)
from fakes.gmail.rules.labels import SYSTEM
from fakes.gmail.rules.search import NotSupported, Query, parse
from fakes.gmail.rules.threads import is_id

METHOD = "gmail.users.messages.list"
DEFAULT_PAGE, LARGEST_PAGE = 100, 500


async def list_messages(call: Call) -> dict[str, Any]:
    """users.messages.list: ids and thread ids, newest first."""
    limit = call.count("maxResults", DEFAULT_PAGE, LARGEST_PAGE)
    query = _query(call)
    asked = {"q": call.text("q"), "labelIds": call.texts("labelIds"), "all": query.anywhere}
    bound = {"owner": call.person.id, **asked}
    before = _position(call, bound)
    found = store.list_messages(call.world, call.person.id, query, limit=limit, before=before)
    page: dict[str, Any] = {}
    if found.refs:
        page["messages"] = [{"id": message_id, "threadId": thread_id} for message_id, thread_id in found.refs]
    if found.next:
        page["nextPageToken"] = page_token(call.world, METHOD, bound, found.next)
    return {**page, "resultSizeEstimate": found.estimate}


def _query(call: Call) -> Query:
    """What `q`, `labelIds` and `includeSpamTrash` ask for together."""
    try:
        query = parse(call.text("q"), call.person.email)
    except NotSupported as missing:
        raise NotFaked(str(missing)) from None
    labels = call.texts("labelIds")
    for label in labels:
        if label not in SYSTEM:
            raise InvalidLabel(label)
    wanted = tuple(dict.fromkeys((*labels, *query.labels)))
    return Query(query.match, wanted, query.without, query.anywhere or call.flag("includeSpamTrash"))


def _position(call: Call, bound: dict[str, Any]) -> list[Any] | None:
    token = call.text("pageToken")
    try:
        return page_position(call.world, METHOD, bound, token) if token else None
    except BadPageToken:
        raise InvalidPageToken() from None


async def get(call: Call) -> dict[str, Any]:
    """users.messages.get in one of four formats."""
    format = call.text("format", "full").lower()
    if format not in rendering.FORMATS:
        raise InvalidValue("format", "TYPE_ENUM", f'"{call.text("format")}"')
    message_id = call.path("id")
    if not is_id(message_id):
        raise InvalidId()
    message = store.message_in(call.world, call.person.id, message_id)
    if message is None:
        raise NotFound()
    return rendering.message(call.request, message, format, call.texts("metadataHeaders"))


async def send(call: Call) -> dict[str, Any]:
    """users.messages.send."""
    given = await message_given(call)
    message = store.send(call.world, call.person, given.raw, given.thread_id)
    return rendering.reference(call.world, message)


FAKED = {
    "users.messages.get": get,
    "users.messages.list": list_messages,
    "users.messages.send": send,
}
