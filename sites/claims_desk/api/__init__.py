"""The desk's JSON API. Operators come with a bearer token or the session's cookie and `X-CSRF`; a manager
answers with `Authorization: Link …`, or with the link as a field of the body.

Lists are newest first and paged: `?limit=` (1 to 200) and `?page_token=`. Instants are RFC 3339 in UTC, dates
ISO, money whole cents. Refusals are `{"error": {"code", "message", "field"?}}`.
"""

from __future__ import annotations

from starlette.routing import BaseRoute

from sites.claims_desk.api import chases, claims, ledger, notices, protests, questionnaires, webhooks
from sites.claims_desk.api.reply import is_api, refuse


def routes() -> list[BaseRoute]:
    """Every route of the API."""
    return [
        *ledger.routes(),
        *claims.routes(),
        *notices.routes(),
        *questionnaires.routes(),
        *chases.routes(),
        *protests.routes(),
        *webhooks.routes(),
    ]


__all__ = ["is_api", "refuse", "routes"]
