"""The Gmail API, v1: a route for each of its 79 methods, faked or not.

`METHODS` is the vendor's list, `FAKED` has a row for each method that is faked.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from fakes.gmail.api import discovery
from fakes.gmail.api.calls import method, not_faked, refusal
from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS, USER
from fakes.gmail.errors import (
    BackendError,
    DeadlineExceeded,
    GoogleError,
    InvalidCredentials,
    NotFound,
    QuotaExceeded,
    RateLimited,
    TooLarge,
    Unavailable,
)

_BY_STATUS: dict[int, type[GoogleError]] = {
    401: InvalidCredentials, 403: QuotaExceeded, 413: TooLarge, 429: RateLimited, 503: Unavailable,
    504: DeadlineExceeded,
}  # fmt: skip
_BAD_GATEWAY = "<!doctype html><html lang=en><title>Error 502</title><h1>502</h1><p>Try again.</p>"


def routes() -> list[BaseRoute]:
    """Every method of the vendor's list; those that are not faked say so, with their name."""
    made: list[BaseRoute] = [route("GET", "/discovery/v1/apis/gmail/v1/rest", discovery.document)]
    faked_first = sorted(METHODS, key=lambda name: name not in FAKED)  # routes are tried in order
    for name in faked_first:
        verb, tail, uploads = METHODS[name]
        faked = FAKED.get(name)
        endpoint = method(faked) if faked else not_faked(name)
        made.append(route(verb, f"/{USER}{tail}", endpoint, name=name))
        if uploads:
            made.append(route(verb, f"/upload/{USER}{tail}", endpoint, name=f"{name} upload"))
            resumable = not_faked(f"{name} by resumable upload")
            made.append(route(verb, f"/resumable/upload/{USER}{tail}", resumable, name=f"{name} resumable"))
    made.append(route("POST", "/batch/gmail/v1", not_faked("The batch endpoint"), name="batch"))
    return made


def refuse(request: Request, error: HTTPException) -> Response:
    """What no endpoint answered, in Google's envelope: a path or verb that is none, a defect of ours, or what
    somebody planned. A 502 comes from in front of the API, so it is no JSON.
    """
    if error.status_code == 502:
        return HTMLResponse(_BAD_GATEWAY, 502)
    other = BackendError if error.status_code >= 500 else NotFound
    return refusal(_BY_STATUS.get(error.status_code, other)())
