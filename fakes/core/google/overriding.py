"""Calls that come by POST and say another method: `X-HTTP-Method-Override`.

Clients do so where an address grows too long (google-api-python-client beyond 2,048 letters: a GET whose
query is the body, as a form) and where their HTTP has no PATCH (google-http-java-client).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.google.asked import asked, refusal
from fakes.core.google.errors import GoogleError, NotFound, RequestTooLarge
from fakes.core.google.receiving import body_of

Endpoint = Callable[[Request], Awaitable[Response]]
MOST_QUERY = 1024 * 1024
"""Bytes of a query that is a body; Google's bound is not published, this one is ours."""
_HEADER = "x-http-method-override"
_FORM = "application/x-www-form-urlencoded"


def overridable(endpoints: Mapping[str, Endpoint], path: str) -> Endpoint:
    """The endpoint of POST at a path with these endpoints, by their verbs: POST's, or what is said."""

    async def endpoint(request: Request) -> Response:
        verb = request.headers.get(_HEADER, "POST").upper()
        found = endpoints.get(verb)
        if found is None:
            return refusal(NotFound(), asked(request))
        try:
            meant = request if verb == "POST" else await _meant(request, verb, path)
        except GoogleError as error:
            return refusal(error, asked(request))
        return await found(meant)

    return endpoint


async def _meant(request: Request, verb: str, path: str) -> Request:
    """The request that was meant, and the log told so. Raises RequestTooLarge, BadRequest."""
    request.state.record.route = f"{verb} {path}"
    scope = {**request.scope, "method": verb}
    if verb == "GET" and request.headers.get("content-type", "").startswith(_FORM):
        query = [scope["query_string"], await body_of(request, MOST_QUERY, RequestTooLarge)]
        scope["query_string"] = b"&".join(filter(None, query))
    return Request(scope, request.receive)
