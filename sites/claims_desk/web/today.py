"""The overview: what there is to do today; and the desk's log."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.schema import Draft
from sites.claims_desk.store import events as log
from sites.claims_desk.store import ledger, notices, protests, questionnaires
from sites.claims_desk.store.notices import NoticeView
from sites.claims_desk.store.questionnaires import RequestLine
from sites.claims_desk.store.reading import Page
from sites.claims_desk.web.frame import Visit, signed_in
from sites.claims_desk.web.listing import every, shown
from sites.claims_desk.web.words import Deadline, deadline, due_day, last_day

HORIZON = 14
"""How many days ahead a deadline is near."""
_OVER = frozenset({"closed", "lost", "won"})


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [route("GET", "/", overview), route("GET", "/events", events)]


@signed_in
async def overview(visit: Visit) -> Response:
    """What needs doing: deadlines, notices for a human, unanswered questionnaires, statements to audit."""
    found = every(visit, notices.notices, lambda view: view.notice.seq)
    drafts = every(visit, protests.drafts, lambda draft: draft.seq)
    asked = every(visit, questionnaires.fact_requests, lambda line: line.request.seq)
    return visit.page(
        "overview.html",
        "/",
        today=visit.world.today(),
        horizon=HORIZON,
        due=_near(visit, found, drafts),
        human=[view for view in found if view.notice.needs_human],
        waiting=_waiting(visit, asked),
        unsent=[line for line in asked if line.request.sent_at is None and line.request.answered_at is None],
        unaudited=ledger.unaudited(visit.world, visit.me),
        open_drafts=[draft for draft in drafts if draft.filed_at is None],
        recent=log.events(visit.world, visit.me, Page(8)),
    )


def _near(visit: Visit, found: list[NoticeView], drafts: list[Draft]) -> list[tuple[NoticeView, Deadline]]:
    """Notices that still want an answer soon, or wanted one, the earliest first."""
    done = {draft.notice_id for draft in drafts if draft.filed_at is not None}
    done |= {view.notice.id for view in found if view.notice.answered_at is not None}
    open_ones = (v for v in found if v.notice.id not in done and not (v.claim and v.claim.status in _OVER))
    dated = [(view, deadline(last_day(view.notice), visit.world.today())) for view in open_ones]
    near = [(view, due) for view, due in dated if due.left is not None and due.left <= HORIZON]
    return sorted(near, key=lambda pair: pair[1].left or 0)


def _waiting(visit: Visit, asked: list[RequestLine]) -> list[tuple[RequestLine, Deadline]]:
    today = visit.world.today()
    sent = [line for line in asked if line.request.sent_at is not None and line.request.answered_at is None]
    dated = [(line, deadline(due_day(visit.world, line.request), today)) for line in sent]
    return sorted(dated, key=lambda pair: pair[1].left or 0)


@signed_in
async def events(visit: Visit) -> Response:
    """Who did what."""
    return visit.page(
        "events.html", "/events", **shown(visit, every(visit, log.events, lambda event: event.seq))
    )
