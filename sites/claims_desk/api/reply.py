"""What goes out: rows as JSON, lists with a token for their next page, refusals in one envelope."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any, Final, TypeVar

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fakes.core import paging
from fakes.core.store import Row
from sites.claims_desk.errors import DeskError, Invalid
from sites.claims_desk.schema import Operator
from sites.claims_desk.store.reading import Page
from sites.claims_desk.wire import shown as shown

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

MOST_ROWS: Final = 200
_ROWS: Final = 50
_CODES: Final = {
    400: "bad_request",
    401: "not_signed_in",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    429: "too_many_requests",
    502: "unavailable",
    503: "unavailable",
    504: "unavailable",
}
_UNCERTAIN: Final = (
    "The desk failed to answer. It may have been done all the same: look before you repeat it."
)
_SENTENCES: Final = {
    401: "Sign in again.",
    403: "This may not be done with what was sent.",
    429: "Too many requests. Wait, then send it again.",
}


def answering(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with the desk's refusals turned into responses."""

    @wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except DeskError as error:
            return refusal(error)

    return answered


def reply(value: Any, status: int = 200) -> Response:
    """A JSON response; dates are ISO, aware datetimes RFC 3339 in UTC."""
    body = orjson.dumps(value, option=orjson.OPT_UTC_Z)
    return Response(body, status, media_type="application/json", headers={"Cache-Control": "no-store"})


def refusal(error: DeskError) -> Response:
    """The response to a request that was refused."""
    response = reply(error.body(), error.status)
    if error.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="claims desk"'
    return response


def is_api(request: Request) -> bool:
    """Whether the request is for the API rather than for a page."""
    root = request.scope.get("root_path", "")
    path = request.scope["path"].removeprefix(root)
    return bool(path.startswith(("/api/", "/upload/")))


def refuse(request: Request, error: HTTPException) -> Response:
    """Refusals of the framework (no such route, wrong method, a crash) and planned ones, in one envelope."""
    code = _CODES.get(error.status_code, "internal_error" if error.status_code >= 500 else "bad_request")
    why = str(error.detail).rstrip(".")
    not_here = f"{why}. {request.method} {request.scope['path']} is not answered here."
    sentence = _UNCERTAIN if error.status_code >= 500 else _SENTENCES.get(error.status_code, not_here)
    return Response(
        orjson.dumps({"error": {"code": code, "message": sentence}}), error.status_code,
        media_type="application/json", headers=error.headers,
    )  # fmt: skip


# rows


def shown_or_none(row: Row | None) -> dict[str, Any] | None:
    """The same for what may not be there."""
    return None if row is None else shown(row)


# lists


def listed(
    request: Request, me: Operator, name: str, read: Callable[[Page], Sequence[T]],
    show: Callable[[T], Any], seq: Callable[[T], int],
) -> Response:  # fmt: skip
    """A page of a list under `name`, with `next_page_token` (None on the last). Raises Invalid."""
    limit, before = _limit(request), _before(request, me)
    found = read(Page(limit + 1, before))
    more = len(found) > limit
    token = _token(request, me, seq(found[limit - 1])) if more else None
    return reply({name: [show(one) for one in found[:limit]], "next_page_token": token})


def _limit(request: Request) -> int:
    given = request.query_params.get("limit", str(_ROWS))
    if not (given.isascii() and given.isdigit() and len(given) < 5 and 1 <= int(given) <= MOST_ROWS):
        raise Invalid(f"The limit {given[:20]!r} can't be. Give a number from 1 to {MOST_ROWS}.", "limit")
    return int(given)


def _before(request: Request, me: Operator) -> int | None:
    token = request.query_params.get("page_token")
    if not token:
        return None
    try:
        (seq,) = paging.page_position(request.state.world, _method(request), {"tenant": me.tenant_id}, token)
    except paging.BadPageToken:
        raise Invalid("This page token is of another list. Start without one.", "page_token") from None
    return int(seq)


def _token(request: Request, me: Operator, seq: int) -> str:
    return paging.page_token(request.state.world, _method(request), {"tenant": me.tenant_id}, [seq])


def _method(request: Request) -> str:
    return str(request.state.record.route)
