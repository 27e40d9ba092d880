"""Claims, claimants and the desk's log."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.access import operator
from sites.claims_desk.api.reply import answering, listed, reply, shown, shown_or_none
from sites.claims_desk.schema import Claim, Claimant
from sites.claims_desk.store import claims as store
from sites.claims_desk.store import events as log
from sites.claims_desk.wire import showing


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/api/claims", claims),
        route("GET", "/api/claims/{id}", claim),
        route("GET", "/api/claimants", claimants),
        route("GET", "/api/claimants/{id}", claimant),
        route("GET", "/api/events", events),
    ]


@answering
async def claims(request: Request) -> Response:
    """The tenant's claims."""
    me, world = operator(request), request.state.world
    return listed(request, me, "claims", lambda page: store.claim_values(world, me, page), _shown_claim, _SEQ)


_SEQ = itemgetter(Claim.__table__.columns.index("seq"))
_CLAIMANT = len(Claim.__table__.columns)
_claim, _claimant = showing(Claim, 0), showing(Claimant, _CLAIMANT)


def _shown_claim(values: Sequence[Any]) -> dict[str, Any]:
    """A claim out of `claim_values`."""
    claim = _claim(values)
    claim["claimant"] = None if values[_CLAIMANT] is None else _claimant(values)
    claim["notice_count"], claim["questionnaire_count"] = values[-2:]
    return claim


@answering
async def claim(request: Request) -> Response:
    """One claim with its papers."""
    found = store.claim(request.state.world, operator(request), request.path_params["id"])
    return reply({
        **shown(found.claim),
        "claimant": shown_or_none(found.claimant),
        "notices": [shown(row) for row in found.notices],
        "fact_requests": [shown(row) for row in found.questionnaires],
        "drafts": [shown(row) for row in found.drafts],
        "statement_lines": [shown(row) for row in found.lines],
    })  # fmt: skip


@answering
async def claimants(request: Request) -> Response:
    """The tenant's former workers."""
    me, world = operator(request), request.state.world
    return listed(
        request,
        me,
        "claimants",
        lambda page: store.claimants(world, me, page),
        shown,
        lambda found: found.seq,
    )


@answering
async def claimant(request: Request) -> Response:
    """One of them, with his or her claims."""
    me, world = operator(request), request.state.world
    found = store.claimant(world, me, request.path_params["id"])
    return reply({**shown(found), "claims": [shown(row) for row in store.claims_of(world, me, found.id)]})


@answering
async def events(request: Request) -> Response:
    """The desk's log."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "events", lambda page: log.events(world, me, page), shown, lambda event: event.seq
    )
