"""The mailbox that people see: log-in, folders, search, conversations, writing. Its name is Postbox."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from fakes.gmail.web import confirming, settings, visits
from fakes.gmail.web.routes import list_routes, mail_routes
from fakes.gmail.web.visits import pages, signed_in

_TITLES = {403: "This form is out of date", 404: "There is no such page here"}
_AGAIN = "Try again in a moment."
_UNCERTAIN = "It may have been done all the same: look under Sent before you try again."


def routes() -> list[BaseRoute]:
    """The pages."""
    return [
        *list_routes(),
        *mail_routes(),
        *settings.routes(),
        route("GET", "/gmail/confirm/{token}", confirming.ask, name="confirm-page"),
        route("POST", "/gmail/confirm/{token}", confirming.agree, name="confirm"),
        route("GET", "/sign-in", visits.sign_in_page, name="sign-in-page"),
        route("POST", "/sign-in", visits.sign_in, name="sign-in"),
        route("POST", "/sign-out", signed_in(visits.sign_out), name="sign-out"),
        pages.static(),
    ]


def refuse(request: Request, error: HTTPException) -> Response:
    """The page for what is not there, or went wrong."""
    title = _TITLES.get(error.status_code, "That did not work")
    sentence = ""
    if error.status_code == 429:
        sentence = _AGAIN
    elif error.status_code >= 500:
        sentence = _AGAIN if request.method == "GET" else _UNCERTAIN
    return pages.response(request, "refusal.html", error.status_code, title=title, sentence=sentence)
