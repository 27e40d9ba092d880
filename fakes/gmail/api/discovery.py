"""The discovery document: all of the API's methods, those that are not faked too."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from fakes.core.google.asked import answer
from fakes.core.google.discovery import document as described
from fakes.gmail.api.vendor import API


async def document(request: Request) -> Response:
    """The document, its URLs those that this client came by; it needs no log-in."""
    return answer(described(API, request))
