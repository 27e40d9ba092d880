"""Webhooks: programs outside that are told of events, and what became of the telling."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.outbox import DeliveryView
from fakes.core.service import route
from sites.claims_desk.access import operator, writer
from sites.claims_desk.api.body import Body, Line, Word, parse
from sites.claims_desk.api.reply import answering, listed, reply, shown
from sites.claims_desk.schema import Webhook
from sites.claims_desk.store import webhooks as store
from sites.claims_desk.wire import instant


class WebhookBody(Body):
    """POST /api/webhooks."""

    url: Line
    events: list[Word]


def routes() -> list[BaseRoute]:
    """The webhooks' routes."""
    return [
        route("GET", "/api/webhooks", webhooks),
        route("POST", "/api/webhooks", add),
        route("GET", "/api/webhooks/{id}", webhook),
        route("DELETE", "/api/webhooks/{id}", remove),
        route("GET", "/api/webhooks/{id}/deliveries", deliveries),
        route("POST", "/api/webhooks/{id}/deliveries/{delivery}/resend", resend),
    ]


@answering
async def webhooks(request: Request) -> Response:
    """The tenant's webhooks; their secrets are not shown again."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "webhooks", lambda page: store.webhooks(world, me, page), _shown, lambda row: row.seq
    )


@answering
async def webhook(request: Request) -> Response:
    """One webhook."""
    return reply(_shown(store.webhook(request.state.world, operator(request), request.path_params["id"])))


@answering
async def add(request: Request) -> Response:
    """Makes a webhook; the answer has its secret, this once."""
    me, world = writer(request), request.state.world
    given = await parse(request, WebhookBody)
    made = store.add_webhook(world, me, given.url, given.events)
    return reply({**_shown(made), "secret": store.secret_of(world, made)}, 201)


@answering
async def remove(request: Request) -> Response:
    """Removes a webhook."""
    store.remove_webhook(request.state.world, writer(request), request.path_params["id"])
    return Response(status_code=204, headers={"Cache-Control": "no-store"})


@answering
async def deliveries(request: Request) -> Response:
    """What was put out for a webhook."""
    me, world, id = operator(request), request.state.world, request.path_params["id"]
    return listed(
        request,
        me,
        "deliveries",
        lambda page: store.deliveries(world, me, id, page),
        _shown_delivery,
        lambda view: view.outgoing.id,
    )


@answering
async def resend(request: Request) -> Response:
    """Has a delivery sent again."""
    me, path = writer(request), request.path_params
    again = store.send_again(request.state.world, me, path["id"], path["delivery"])
    return reply(_shown_delivery(again))


def _shown(row: Webhook) -> dict[str, Any]:
    return {**shown(row), "events": row.events.split()}


def _shown_delivery(view: DeliveryView) -> dict[str, Any]:
    """`at` is the run clock's; `sent_at` is the wall clock's, as in the signature."""
    attempts = [
        {
            "at": instant(attempt.at),
            "sent_at": instant(attempt.began_wall_ms),
            "status": attempt.status,
            "error": attempt.error,
            "answer": attempt.answer,
        }
        for attempt in view.attempts
    ]
    return {
        "number": view.outgoing.id,
        "id": view.stamp,
        "event": view.outgoing.payload.get("event"),
        "created_at": instant(view.outgoing.created_at),
        "state": view.state,
        "failures": view.failures,
        "why": view.why,
        "attempts": attempts,
    }
