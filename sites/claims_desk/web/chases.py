"""Reminders: which are due, which are planned, which were sent; and who sends them."""

from __future__ import annotations

from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.store import chases as store
from sites.claims_desk.store.chases import ChaseLine
from sites.claims_desk.web.frame import Visit, signed_in
from sites.claims_desk.web.listing import fits, listed
from sites.claims_desk.web.words import STATUSES, name_of

_STATES = ("", *store.STATES)


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/chases", chases),
        route("POST", "/chases/send-due", send_due),
        route("POST", "/chases/sending", set_sending),
        route("POST", "/chases/{id}/send", send),
    ]


@signed_in
async def chases(visit: Visit) -> Response:
    """Reminders, by how they stand and by what is looked for."""
    return _chases(visit, ())


def _chases(visit: Visit, problems: tuple[str, ...], status: int = 200) -> Response:
    query, show = visit.asked("q"), visit.asked("show")

    def fit(line: ChaseLine) -> bool:
        return fits(query, name_of(line.claimant), line.request.manager_name, line.request.manager_email)

    found = listed(visit, partial(store.chases, state=show), lambda line: line.chase.seq, fit)
    return visit.page(
        "chases.html",
        "/chases",
        status,
        query=query,
        show=show,
        choices=[(state, STATUSES[state][0] if state else "All") for state in _STATES],
        rows=found.rows,
        more=found.more,
        due=store.count_due(visit.world, visit.me),
        by_hand=store.by_hand(visit.world, visit.me),
        problems=problems,
        here="/chases",
    )


@signed_in
async def send_due(visit: Visit) -> Response:
    """Mails those that are due; says of which the mail was refused."""
    done = store.send_due(visit.world, visit.me)
    if done.refused:
        return _chases(visit, tuple(sentence for _, sentence in done.refused), 409)
    return visit.go("/chases", "due-sent" if done.sent else "")


@signed_in
async def send(visit: Visit) -> Response:
    """Mails one."""
    try:
        store.send(visit.world, visit.me, visit.id())
    except NotFound:
        raise
    except DeskError as error:
        return _chases(visit, (error.sentence,), error.status)
    return visit.go("/chases", "chased")


@signed_in
async def set_sending(visit: Visit) -> Response:
    """Says who sends reminders from now on."""
    by_hand = visit.form.get("by_hand") == "yes"
    store.set_by_hand(visit.world, visit.me, by_hand)
    return visit.go("/chases", "by-hand" if by_hand else "by-itself")
