"""The desk's settings: webhooks, and what became of what was told to them."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.store import webhooks as store
from sites.claims_desk.web.frame import Errors, Visit, errors_of, signed_in
from sites.claims_desk.web.listing import listed

_PLACE = "/settings/webhooks"
_STATES = {
    "waiting": ("Waiting", "amber"),
    "sending": ("Being sent", "teal"),
    "delivered": ("Delivered", "green"),
    "dead": ("Given up", "red"),
    "kept": ("Not sent", "line"),
}
EVENT_WORDS = {
    "notice.recorded": "A notice was recorded",
    "notice.flagged": "A notice was flagged for a human",
    "questionnaire.sent": "A questionnaire was sent",
    "questionnaire.answered": "Questions were answered",
    "protest.filed": "A protest was filed",
    "statement.audited": "A statement was audited",
}


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", _PLACE, webhooks),
        route("POST", _PLACE, add),
        route("GET", f"{_PLACE}/{{id}}", webhook),
        route("POST", f"{_PLACE}/{{id}}/remove", remove),
        route("POST", f"{_PLACE}/{{id}}/deliveries/{{delivery}}/resend", resend),
    ]


@signed_in
async def webhooks(visit: Visit) -> Response:
    """The webhooks, and the form that makes one."""
    return _webhooks(visit, "", [], {})


def _webhooks(visit: Visit, url: str, events: list[str], errors: Errors, status: int = 200) -> Response:
    found = listed(visit, store.webhooks, lambda row: row.seq)
    return visit.page(
        "webhooks.html",
        _PLACE,
        status,
        rows=found.rows,
        more=found.more,
        event_words=EVENT_WORDS,
        typed={"url": url, "events": events},
        errors=errors,
        here=_PLACE,
    )


@signed_in
async def add(visit: Visit) -> Response:
    """Makes a webhook; the page that answers shows its secret, which no other page does."""
    url = visit.form.get("url", "")
    events = [event for event in store.EVENTS if visit.form.get(event)]
    try:
        made = store.add_webhook(visit.world, visit.me, url, events)
    except DeskError as error:
        return _webhooks(visit, url, events, errors_of(error), error.status)
    return _webhook(visit, made.id, secret=store.secret_of(visit.world, made))


@signed_in
async def webhook(visit: Visit) -> Response:
    """A webhook with its latest deliveries."""
    return _webhook(visit, visit.id())


def _webhook(
    visit: Visit, id: str, secret: str = "", errors: Errors | None = None, status: int = 200
) -> Response:
    found = store.webhook(visit.world, visit.me, id)
    sent = listed(
        visit, lambda world, me, page: store.deliveries(world, me, id, page), lambda view: view.outgoing.id
    )
    return visit.page(
        "webhook.html",
        _PLACE,
        status,
        hook=found,
        secret=secret,
        rows=sent.rows,
        more=sent.more,
        event_words=EVENT_WORDS,
        states=_STATES,
        pump_on=visit.world.pump_on,
        errors=errors or {},
        here=f"{_PLACE}/{id}",
    )


@signed_in
async def remove(visit: Visit) -> Response:
    """Removes a webhook."""
    store.remove_webhook(visit.world, visit.me, visit.id())
    return visit.go(_PLACE, "removed")


@signed_in
async def resend(visit: Visit) -> Response:
    """Sends a delivery again."""
    try:
        store.send_again(visit.world, visit.me, visit.id(), visit.id("delivery"))
    except NotFound:
        raise
    except DeskError as error:
        return _webhook(visit, visit.id(), errors=errors_of(error), status=error.status)
    return visit.go(f"{_PLACE}/{visit.id()}", "resent")
