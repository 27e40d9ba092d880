"""Chases: reminders of questionnaires that lack answers."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.access import operator, writer
from sites.claims_desk.api.body import ChasingBody, parse
from sites.claims_desk.api.reply import answering, listed, reply, shown
from sites.claims_desk.errors import Invalid
from sites.claims_desk.store import chases as store
from sites.claims_desk.store.chases import ChaseLine


def routes() -> list[BaseRoute]:
    """The chases' routes."""
    return [
        route("GET", "/api/chases", chases),
        route("POST", "/api/chases/send-due", send_due),
        route("GET", "/api/chases/sending", sending),
        route("POST", "/api/chases/sending", set_sending),
        route("GET", "/api/chases/{id}", chase),
        route("POST", "/api/chases/{id}/send", send),
    ]


@answering
async def chases(request: Request) -> Response:
    """The tenant's reminders, of one state if asked."""
    me, world = operator(request), request.state.world
    state = request.query_params.get("state", "")
    if state not in ("", *store.STATES):
        raise Invalid(f"There is no state {state[:20]!r}. Use one of {', '.join(store.STATES)}.", "state")
    return listed(
        request, me, "chases", lambda page: store.chases(world, me, page, state), _shown_line,
        lambda line: line.chase.seq,
    )  # fmt: skip


@answering
async def chase(request: Request) -> Response:
    """One reminder."""
    found = store.chase(request.state.world, operator(request), request.path_params["id"])
    return reply(_shown_line(found))


@answering
async def send(request: Request) -> Response:
    """Mails one."""
    me, world = writer(request), request.state.world
    made = store.send(world, me, request.path_params["id"])
    return reply(_shown_line(store.chase(world, me, made.id)))


@answering
async def send_due(request: Request) -> Response:
    """Mails those that are due; what was refused is told beside what was sent."""
    done = store.send_due(request.state.world, writer(request))
    refused = [{"id": chase.id, "message": sentence} for chase, sentence in done.refused]
    return reply({"sent": [shown(chase) for chase in done.sent], "refused": refused})


@answering
async def sending(request: Request) -> Response:
    """Who sends reminders."""
    return reply({"by_hand": store.by_hand(request.state.world, operator(request))})


@answering
async def set_sending(request: Request) -> Response:
    """Says who sends them from now on."""
    me = writer(request)
    given = await parse(request, ChasingBody)
    return reply({"by_hand": store.set_by_hand(request.state.world, me, given.by_hand)})


def _shown_line(line: ChaseLine) -> dict[str, Any]:
    return {
        **shown(line.chase),
        "state": line.state,
        "manager_name": line.request.manager_name,
        "manager_email": line.request.manager_email,
        "answers_due_at": shown(line.request)["due_at"],
        "claim_number": line.claim.number if line.claim else None,
        "claimant_name": line.claimant.name if line.claimant else None,
    }
