"""Claims, the people who made them, and how they left."""

from __future__ import annotations

from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk import rules
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.schema import Claimant, Event
from sites.claims_desk.store import claims as store
from sites.claims_desk.store import events as log
from sites.claims_desk.store import questionnaires
from sites.claims_desk.store.claims import ClaimFile, ClaimView
from sites.claims_desk.web.frame import Errors, Typed, Visit, errors_of, signed_in
from sites.claims_desk.web.listing import Read, fits, listed
from sites.claims_desk.web.words import deadline, done_words, last_day, name_of, status_words

_STATUSES = ("", "open", "protested", "won", "lost", "closed")


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/claims", claims),
        route("GET", "/claims/{id}", claim),
        route("POST", "/claims/{id}/questionnaires", open_questionnaire),
        route("GET", "/claimants", claimants),
        route("GET", "/claimants/{id}", claimant),
        route("GET", "/separations", separations),
    ]


@signed_in
async def claims(visit: Visit) -> Response:
    """Claims, by status and by what is looked for."""
    query, show = visit.asked("q"), visit.asked("show")

    def fit(view: ClaimView) -> bool:
        return fits(query, view.claim.number, view.claim.state, name_of(view.claimant))

    found = listed(visit, partial(store.claims, status=show), lambda view: view.claim.seq, fit)
    choices = [(status, status_words(status) if status else "All") for status in _STATUSES]
    return visit.page(
        "claims.html",
        "/claims",
        query=query,
        show=show,
        choices=choices,
        rows=found.rows,
        more=found.more,
    )


@signed_in
async def claim(visit: Visit) -> Response:
    """A claim with all that hangs on it."""
    return _claim(visit, {}, {})


def _claim(visit: Visit, typed: Typed, errors: Errors, status: int = 200) -> Response:
    file = store.claim(visit.world, visit.me, visit.id())
    today = visit.world.today()
    filed = {draft.notice_id for draft in file.drafts if draft.filed_at is not None}
    done = {notice.id: done_words(notice, protested=notice.id in filed) for notice in file.notices}
    who = file.claimant
    return visit.page(
        "claim.html",
        "/claims",
        status,
        file=file,
        claim=file.claim,
        who=who,
        notices=[(notice, deadline(last_day(notice), today, done[notice.id])) for notice in file.notices],
        events=_events(visit, file),
        categories=list(rules.CATEGORY_WORDS.items()),
        states=[(file.claim.state, rules.state_words(file.claim.state))],
        typed={"category": (who.separation_reason or "") if who else "", "state": file.claim.state} | typed,
        errors=errors,
        here=f"/claims/{file.claim.id}",
    )


def _events(visit: Visit, file: ClaimFile) -> list[Event]:
    """What the log says of the claim and of its papers."""
    ids = {file.claim.id} | {notice.id for notice in file.notices} | {draft.id for draft in file.drafts}
    ids |= {request.id for request in file.questionnaires}
    return log.about(visit.world, visit.me, ids)


@signed_in
async def open_questionnaire(visit: Visit) -> Response:
    """Opens a questionnaire about the claim, as a draft."""
    state, category = visit.form.get("state", ""), visit.form.get("category", "")
    try:
        made = questionnaires.open_fact_request(visit.world, visit.me, visit.id(), state, category)
    except NotFound:
        raise
    except DeskError as error:
        missing = {"category": "Choose what the separation was."} if not category else errors_of(error)
        return _claim(visit, {"state": state, "category": category}, missing, error.status)
    return visit.go(f"/questionnaires/{made.id}", "opened")


@signed_in
async def claimants(visit: Visit) -> Response:
    """Everybody who left and claimed, or may."""
    return _people(visit, "/claimants", "Claimants", "Former workers whom the desk knows.", store.claimants)


@signed_in
async def separations(visit: Visit) -> Response:
    """Those of whom the desk knows the day of separation."""
    sub = "When people left, and why, as far as it is known."
    return _people(visit, "/separations", "Separations", sub, store.separations)


def _people(visit: Visit, place: str, heading: str, sub: str, read: Read[Claimant]) -> Response:
    query = visit.asked("q")

    def fit(who: Claimant) -> bool:
        reason = rules.category_words(who.separation_reason)
        return fits(query, who.name, who.job_title, who.manager_name, who.state, reason)

    found = listed(visit, read, lambda who: who.seq, fit)
    return visit.page(
        "claimants.html",
        place,
        heading=heading,
        sub=sub,
        query=query,
        rows=found.rows,
        more=found.more,
    )


@signed_in
async def claimant(visit: Visit) -> Response:
    """One of them, with his or her claims."""
    who = store.claimant(visit.world, visit.me, visit.id())
    return visit.page(
        "claimant.html", "/claimants", who=who, claims=store.claims_of(visit.world, visit.me, who.id)
    )
