"""What a call may ask of every method: the form of the answer, part of it, and which form of errors.

Measured: github.com/brekkylab/backlot, pulls 202 and 220, issues 305, 306 and 309. `$.xgafv` is read from its
last repeat, the others from their first; an `alt` is matched in any case, and empty ones are none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from fakes.core.google.errors import (
    BadRequest,
    GoogleError,
    InvalidCallback,
    InvalidSystemParameter,
)

NAMES = frozenset({
    "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
    "upload_protocol",
})  # fmt: skip
OF_UPLOADS = frozenset({"uploadType", "upload_id"})
_CALLBACK = re.compile(r"[A-Za-z0-9_$.\[\]]+")
_REALM = 'Bearer realm="https://accounts.google.com/"'
_INDENTED = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
_JSON = "application/json; charset=UTF-8"


@dataclass(frozen=True)
class Asked:
    """What was asked, as it was said."""

    xgafv: str | None = None
    alt: str = ""
    callback: str = ""
    fields: str = ""
    indented: bool = False

    def check(self) -> None:
        """Raises InvalidSystemParameter, InvalidCallback, BadRequest."""
        if self.xgafv not in (None, "1", "2"):
            raise InvalidSystemParameter("$.xgafv", self.xgafv[:80])
        if self.callback and not _CALLBACK.fullmatch(self.callback):
            raise InvalidCallback(self.callback[:80])
        if (alt := self.alt.lower()) in ("media", "proto"):
            raise BadRequest(f'Unsupported alt type "{alt}" for non byte stream request.')
        if alt not in ("", "json"):
            raise BadRequest(f"Invalid value \"{self.alt[:80]}\" for query parameter 'alt'")

    @property
    def script(self) -> str:
        """The function that an answer is given to as a script; "" where it is plain JSON."""
        is_script = self.alt.lower() in ("", "json") and _CALLBACK.fullmatch(self.callback)
        return self.callback if is_script else ""


PLAIN = Asked()


def asked(request: Request) -> Asked:
    """What a request asks; nothing of it is checked."""
    query = request.query_params
    if NAMES.isdisjoint(query):
        return PLAIN
    return Asked(
        xgafv=query.get("$.xgafv"),
        alt=_first(query, "alt"),
        callback=_first(query, "callback") if request.method == "GET" else "",
        fields=_first(query, "fields"),
        indented=_first(query, "prettyPrint").lower() == "true",
    )


def _first(query: QueryParams, name: str) -> str:
    return query.getlist(name)[0] if name in query else ""


def answer(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None, form: Asked = PLAIN
) -> Response:
    """A JSON answer, or a script that calls a function with it, which always comes with 200."""
    sent = {"Content-Type": _JSON, "Cache-Control": "private", **(headers or {})}
    told = orjson.dumps(body, option=_INDENTED if form.indented else None)
    if form.script:
        sent["Content-Type"] = "text/javascript; charset=UTF-8"
        return Response(f"// API callback\n{form.script}({told.decode()});", headers=sent)
    return Response(told, status, headers=sent)


def refusal(error: GoogleError, form: Asked = PLAIN) -> Response:
    """An error in Google's envelope."""
    headers = {}
    if error.challenge is not None:
        headers["WWW-Authenticate"] = _REALM + error.challenge
    return answer(error.envelope(listed=form.xgafv != "2"), error.status, headers, form)
