"""The Gmail API, v1: a route for each of its 79 methods, faked or not.

`METHODS` is the vendor's list, `FAKED` has a row for each method that is faked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from fakes.core.google import batch
from fakes.core.google.asked import asked, refusal
from fakes.core.google.overriding import Endpoint, overridable
from fakes.core.google.resuming import Resumable
from fakes.core.service import route
from fakes.gmail.api import discovery
from fakes.gmail.api.calls import SERVICE, admit, method, not_faked
from fakes.gmail.api.faked import FAKED
from fakes.gmail.api.methods import METHODS
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
BATCHES = ("/batch", "/batch/gmail/v1")
UPLOADS = ("/upload", "/resumable/upload")
_OFTEN = ("users.messages.get", "users.messages.list", "users.threads.get", "users.threads.list")
_BAD_GATEWAY = "<!doctype html><html lang=en><title>Error 502</title><h1>502</h1><p>Try again.</p>"


def routes() -> list[BaseRoute]:
    """Every method of the vendor's list; those that are not faked say so, with their name."""
    made: list[BaseRoute] = [route("GET", "/discovery/v1/apis/gmail/v1/rest", discovery.document)]
    at_path: dict[str, dict[str, Endpoint]] = {}
    for name in sorted(METHODS, key=lambda name: name not in _OFTEN):  # routes are tried in order
        verb, path = METHODS[name].verb, f"/{METHODS[name].path}"
        faked = FAKED.get(name)
        endpoint = method(name, faked) if faked else not_faked(name)
        verbs = at_path.setdefault(path, {})
        verbs[verb] = endpoint
        made.append(route(verb, path, overridable(verbs, path) if verb == "POST" else endpoint, name=name))
        made += _uploads(name, endpoint)
    posts = (path for path, verbs in at_path.items() if "POST" not in verbs)
    made += [route("POST", path, overridable(at_path[path], path)) for path in posts]
    made += [route("POST", path, batch.endpoint("/gmail/v1/"), name="batch") for path in BATCHES]
    return made


def _uploads(name: str, endpoint: Endpoint) -> Iterator[BaseRoute]:
    """Where a method's uploads go, if it takes any."""
    described = METHODS[name]
    if described.most:
        uploaded = Resumable(SERVICE, name, endpoint, admit(name), described.most, TooLarge)
        verbs = dict.fromkeys((described.verb, "PUT", "DELETE"))  # bytes come by PUT, whatever began it
        for verb, at in product(verbs, UPLOADS):
            yield route(verb, f"{at}/{described.path}", uploaded.answer, name=f"{verb} {at} {name}")


def refuse(request: Request, error: HTTPException) -> Response:
    """What no endpoint answered, in Google's envelope: a path or verb that is none, a defect of ours, or what
    somebody planned. A 502 comes from in front of the API, so it is no JSON.
    """
    if error.status_code == 502:
        return HTMLResponse(_BAD_GATEWAY, 502)
    other = BackendError if error.status_code >= 500 else NotFound
    return refusal(_BY_STATUS.get(error.status_code, other)(), asked(request))
