"""What lists of messages, threads and drafts share: what is asked for, and pages bound to the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fakes.core.paging import BadPageToken, page_position, page_token
from fakes.gmail import store
from fakes.gmail.api.calls import Call
from fakes.gmail.errors import InvalidPageToken
from fakes.gmail.rules.search import Query, parse

DEFAULT_PAGE, LARGEST_PAGE = 100, 500


@dataclass(frozen=True)
class Asked:
    """A page that is asked for: of what `query` finds, so many, after where the last one ended."""

    call: Call
    method: str
    bound: dict[str, Any]
    query: Query
    limit: int
    before: store.Position | None

    def page(self, name: str, rows: list[dict[str, Any]], found: store.Listing) -> dict[str, Any]:
        """The answer: its rows, if there are any, under a name, and where the next page begins."""
        page: dict[str, Any] = {name: rows} if rows else {}
        if found.next:
            page["nextPageToken"] = page_token(self.call.world, self.method, self.bound, found.next)
        return {**page, "resultSizeEstimate": found.estimate}


def asked(call: Call, method: str) -> Asked:
    """What a call asks for by `q`, `labelIds`, `includeSpamTrash`, `maxResults` and `pageToken`.

    `method` is the list's full name; its page tokens are good for it alone. Raises InvalidLabel,
    LabelNotFound, InvalidValue, InvalidPageToken.
    """
    limit = call.count("maxResults", DEFAULT_PAGE, LARGEST_PAGE)
    query = _query(call)
    bound = {
        "owner": call.person.id,
        "q": call.text("q"),
        "labelIds": call.texts("labelIds"),
        "all": query.anywhere,
    }
    return Asked(call, method, bound, query, limit, _position(call, method, bound))


def _query(call: Call) -> Query:
    labels = call.texts("labelIds")
    for label in labels:
        store.check_label(call.world, call.person.id, label)
    query = parse(call.text("q"), call.person.email)
    return query.narrowed(labels, anywhere=call.flag("includeSpamTrash"))


def _position(call: Call, method: str, bound: dict[str, Any]) -> store.Position | None:
    token = call.text("pageToken")
    try:
        return page_position(call.world, method, bound, token) if token else None
    except BadPageToken:
        raise InvalidPageToken() from None
