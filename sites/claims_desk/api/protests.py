"""Protests: drafts of letters to the agency."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.access import operator, writer
from sites.claims_desk.api.body import DraftBody, DraftChange, parse
from sites.claims_desk.api.reply import answering, listed, reply, shown
from sites.claims_desk.store import protests as store


def routes() -> list[BaseRoute]:
    """The protests' routes."""
    return [
        route("GET", "/api/drafts", drafts),
        route("POST", "/api/drafts", open_draft),
        route("GET", "/api/drafts/{id}", draft),
        route("PATCH", "/api/drafts/{id}", edit),
        route("POST", "/api/drafts/{id}/file", file),
    ]


@answering
async def drafts(request: Request) -> Response:
    """The tenant's protests."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "drafts", lambda page: store.drafts(world, me, page), shown, lambda row: row.seq
    )


@answering
async def draft(request: Request) -> Response:
    """One protest with its notice."""
    found = store.draft(request.state.world, operator(request), request.path_params["id"])
    return reply({**shown(found.draft), "notice": shown(found.about.notice)})


@answering
async def open_draft(request: Request) -> Response:
    """Opens a protest."""
    me = writer(request)
    given = await parse(request, DraftBody)
    return reply(
        shown(store.open_draft(request.state.world, me, given.notice_id, given.title, given.body)), 201
    )


@answering
async def edit(request: Request) -> Response:
    """Changes title, body or both."""
    me = writer(request)
    given = await parse(request, DraftChange)
    id = request.path_params["id"]
    return reply(shown(store.edit_draft(request.state.world, me, id, given.title, given.body)))


@answering
async def file(request: Request) -> Response:
    """Files a protest."""
    me = writer(request)
    return reply(shown(store.file_draft(request.state.world, me, request.path_params["id"])))
