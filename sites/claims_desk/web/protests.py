"""Protests: letters to the agencies, written and filed."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.store import notices
from sites.claims_desk.store import protests as store
from sites.claims_desk.web.frame import Errors, Visit, errors_of, signed_in
from sites.claims_desk.web.listing import listed
from sites.claims_desk.web.words import deadline, last_day


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/protests", protests),
        route("GET", "/protests/{id}", protest),
        route("POST", "/protests/{id}", edit),
    ]


@signed_in
async def protests(visit: Visit) -> Response:
    """Protests, the newest first."""
    found = listed(visit, store.drafts, lambda draft: draft.seq)
    notice_of = notices.of_ids(visit.world, visit.me, [draft.notice_id for draft in found.rows])
    return visit.page("protests.html", "/protests", notice_of=notice_of, rows=found.rows, more=found.more)


@signed_in
async def protest(visit: Visit) -> Response:
    """A protest: a letter to write, or the letter as it was filed."""
    return _protest(visit, {})


def _protest(visit: Visit, errors: Errors, status: int = 200) -> Response:
    found = store.draft(visit.world, visit.me, visit.id())
    draft = found.draft
    return visit.page(
        "protest.html",
        "/protests",
        status,
        draft=draft,
        view=found.about,
        deadline=deadline(last_day(found.about.notice), visit.world.today()),
        typed={"title": visit.form.get("title", draft.title), "body": visit.form.get("body", draft.body)},
        errors=errors,
        here=f"/protests/{draft.id}",
    )


@signed_in
async def edit(visit: Visit) -> Response:
    """Saves the letter and, by the second button, files it."""
    # Browsers send line ends as CR LF; the letter keeps one.
    body = visit.form.get("body", "").replace("\r\n", "\n")
    try:
        with visit.world.tx():
            store.edit_draft(visit.world, visit.me, visit.id(), visit.form.get("title", ""), body)
            if visit.form.get("do") == "file":
                store.file_draft(visit.world, visit.me, visit.id())
    except NotFound:
        raise
    except DeskError as error:
        return _protest(visit, errors_of(error), error.status)
    return visit.go(f"/protests/{visit.id()}", "filed" if visit.form.get("do") == "file" else "saved")
