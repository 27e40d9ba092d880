"""Notices: what state agencies mailed."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.access import operator, writer
from sites.claims_desk.api.body import FlagBody, NoticeBody, parse
from sites.claims_desk.api.reply import answering, listed, reply, shown, shown_or_none
from sites.claims_desk.schema import Claimant, Notice
from sites.claims_desk.store import notices as store
from sites.claims_desk.store.notices import NoticeView
from sites.claims_desk.wire import showing


def routes() -> list[BaseRoute]:
    """The notices' routes."""
    return [
        route("GET", "/api/notices", notices),
        route("POST", "/api/notices", record),
        route("GET", "/api/notices/{id}", notice),
        route("POST", "/api/notices/{id}/flag", flag),
        route("POST", "/api/notices/{id}/answered", answered),
    ]


@answering
async def notices(request: Request) -> Response:
    """The tenant's notices."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "notices", lambda page: store.notice_values(world, me, page), _shown_values, _SEQ
    )


@answering
async def notice(request: Request) -> Response:
    """One notice."""
    return reply(
        _shown_notice(store.notice(request.state.world, operator(request), request.path_params["id"]))
    )


@answering
async def record(request: Request) -> Response:
    """Records a paper."""
    me = writer(request)
    given = await parse(request, NoticeBody)
    return reply(shown(store.record_notice(request.state.world, me, given.given())), 201)


@answering
async def flag(request: Request) -> Response:
    """Marks a notice for a person."""
    me = writer(request)
    given = await parse(request, FlagBody)
    return reply(
        shown(store.flag_for_human(request.state.world, me, request.path_params["id"], given.reason))
    )


@answering
async def answered(request: Request) -> Response:
    """Notes that the agency has its answer."""
    me = writer(request)
    return reply(shown(store.mark_answered(request.state.world, me, request.path_params["id"])))


_SEQ = itemgetter(Notice.__table__.columns.index("seq"))
_CLAIMANT = len(Notice.__table__.columns)
_AFTER = _CLAIMANT + len(Claimant.__table__.columns)
_notice, _claimant = showing(Notice, 0), showing(Claimant, _CLAIMANT)


def _shown_values(values: Sequence[Any]) -> dict[str, Any]:
    """As `_shown_notice`, out of `notice_values`."""
    notice = _notice(values)
    notice["claim_number"] = values[_AFTER]
    notice["claimant"] = None if values[_CLAIMANT] is None else _claimant(values)
    notice["document_name"] = values[_AFTER + 1]
    return notice


def _shown_notice(view: NoticeView) -> dict[str, Any]:
    return {
        **shown(view.notice),
        "claim_number": view.claim.number if view.claim else None,
        "claimant": shown_or_none(view.claimant),
        "document_name": view.document.name if view.document else None,
    }
