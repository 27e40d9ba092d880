"""The desk's pages: an operator's console, and the page that a manager's public link opens.

`frame` who visits and the frame around every page · `words` how rows are said · `listing` lists · a module
for each area: `signing_in`, `today`, `ledger`, `claims`, `notices`, `questionnaires`, `chases`, `protests`,
`webhooks`, `manager`.
"""

from __future__ import annotations

from starlette.routing import BaseRoute

from sites.claims_desk.web import (
    chases,
    claims,
    ledger,
    manager,
    notices,
    protests,
    questionnaires,
    signing_in,
    today,
    webhooks,
)
from sites.claims_desk.web.frame import pages, refuse


def routes() -> list[BaseRoute]:
    """Every page and form, and the static files."""
    areas = (signing_in, today, ledger, claims, notices, questionnaires, chases, protests, webhooks, manager)
    return [pages.static(), *(route for area in areas for route in area.routes())]


__all__ = ["refuse", "routes"]
