"""Forms before there is a session to bind a token to, and the paths that they may lead on to."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request


def is_own_form(request: Request) -> bool:
    """Whether a form was sent from a page of this very host, as far as browsers tell.

    A log-in form has no session whose token it could carry, and services of a world are same-site, so
    SameSite does not help: the Origin header decides. Programs send none.
    """
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host", "")


def local_path(text: str) -> str:
    """`text` if it is a path of this host, else "/": nobody is sent elsewhere by a crafted link.

    Browsers read a backslash as a slash and skip control characters, so neither may stand in it.
    """
    good = text.startswith("/") and not text.startswith("//") and "\\" not in text and text.isprintable()
    return text if good else "/"
