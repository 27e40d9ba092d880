"""The overview: what there is to do today; and the desk's log."""

from __future__ import annotations

from datetime import timedelta

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.store import events as log
from sites.claims_desk.store import ledger, notices, protests, questionnaires
from sites.claims_desk.store.notices import NoticeView
from sites.claims_desk.store.questionnaires import RequestLine
from sites.claims_desk.store.reading import Page
from sites.claims_desk.web.frame import Visit, signed_in
from sites.claims_desk.web.listing import AT_ONCE, listed
from sites.claims_desk.web.words import Deadline, deadline, due_day, last_day

HORIZON = 14
"""How many days ahead a deadline is near."""


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [route("GET", "/", overview), route("GET", "/events", events)]


@signed_in
async def overview(visit: Visit) -> Response:
    """What needs doing: deadlines, notices for a human, unanswered questionnaires, statements to audit."""
    world, me = visit.world, visit.me
    asked = questionnaires.unanswered(world, me)
    return visit.page(
        "overview.html",
        "/",
        today=world.today(),
        horizon=HORIZON,
        at_once=AT_ONCE,
        due=_near(visit),
        human=notices.flagged(world, me),
        waiting=_waiting(visit, [line for line in asked if line.request.sent_at is not None]),
        unsent=[line for line in asked if line.request.sent_at is None],
        unaudited=ledger.unaudited(world, me),
        open_drafts=protests.unfiled(world, me),
        recent=log.events(world, me, Page(8)),
    )


def _near(visit: Visit) -> list[tuple[NoticeView, Deadline]]:
    """Notices that still want an answer soon, or wanted one, the earliest first."""
    today = visit.world.today()
    wanted = notices.wanted_by(visit.world, visit.me, today + timedelta(days=HORIZON))
    dated = [(view, deadline(last_day(view.notice), today)) for view in wanted]
    near = [(view, due) for view, due in dated if due.left is not None and due.left <= HORIZON]
    return sorted(near, key=lambda pair: pair[1].left or 0)


def _waiting(visit: Visit, sent: list[RequestLine]) -> list[tuple[RequestLine, Deadline]]:
    today = visit.world.today()
    dated = [(line, deadline(due_day(visit.world, line.request), today)) for line in sent]
    return sorted(dated, key=lambda pair: pair[1].left or 0)


@signed_in
async def events(visit: Visit) -> Response:
    """Who did what."""
    found = listed(visit, log.events, lambda event: event.seq)
    return visit.page("events.html", "/events", rows=found.rows, more=found.more)
