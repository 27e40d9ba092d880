"""Notices with their deadlines: read, recorded, flagged, protested."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk import rules
from sites.claims_desk.errors import AlreadyDrafted, DeskError, Invalid, NotFound
from sites.claims_desk.schema import Draft, Notice
from sites.claims_desk.store import claims, ledger, protests
from sites.claims_desk.store import notices as store
from sites.claims_desk.store.notices import NoticeInput, NoticeView
from sites.claims_desk.web.frame import Errors, Typed, Visit, errors_of, signed_in
from sites.claims_desk.web.listing import every, fits, listed
from sites.claims_desk.web.words import Deadline, deadline, done_words, last_day, name_of, number_of

_SHOW = (("", "All"), ("human", "Needs a human"), ("disagree", "Dates disagree"), *rules.TYPE_WORDS.items())
_FIELDS = ("document_id", "claim_id", "state", "type", "notice_date", "mail_date", "printed_due")
_DATES = ("notice_date", "mail_date", "printed_due")
_NEEDED = {
    "document_id": "Choose the paper that the notice is on.",
    "state": "Choose the state.",
    "type": "Choose the type.",
}


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/notices", notices),
        route("GET", "/notices/new", new_notice),
        route("POST", "/notices/new", record),
        route("GET", "/notices/{id}", notice),
        route("POST", "/notices/{id}/flag", flag),
        route("POST", "/notices/{id}/clear", clear),
        route("POST", "/notices/{id}/answered", answered),
        route("POST", "/notices/{id}/protest", protest),
    ]


@signed_in
async def notices(visit: Visit) -> Response:
    """Notices, by kind and by what is looked for."""
    query, show = visit.asked("q"), visit.asked("show")

    def fit(view: NoticeView) -> bool:
        return fits(query, name_of(view.claimant), number_of(view.claim), view.notice.state)

    found = listed(visit, partial(store.notices, show=show), lambda view: view.notice.seq, fit)
    drafts = protests.of_notices(visit.world, visit.me, [view.notice.id for view in found.rows])
    rows = [(view, _deadline(visit, view.notice, drafts.get(view.notice.id))) for view in found.rows]
    return visit.page(
        "notices.html",
        "/notices",
        query=query,
        show=show,
        choices=_SHOW,
        rows=rows,
        more=found.more,
    )


def _draft(visit: Visit, notice_id: str) -> Draft | None:
    """The protest of a notice."""
    return protests.of_notices(visit.world, visit.me, [notice_id]).get(notice_id)


def _deadline(visit: Visit, notice: Notice, draft: Draft | None) -> Deadline:
    filed = draft is not None and draft.filed_at is not None
    return deadline(last_day(notice), visit.world.today(), done_words(notice, protested=filed))


# one notice


@signed_in
async def notice(visit: Visit) -> Response:
    """A notice: its deadline, the record, and the paper beside it."""
    return _notice(visit, {})


def _notice(visit: Visit, errors: Errors, status: int = 200) -> Response:
    view = store.notice(visit.world, visit.me, visit.id())
    draft = _draft(visit, view.notice.id)
    return visit.page(
        "notice.html",
        "/notices",
        status,
        view=view,
        notice=view.notice,
        draft=draft,
        deadline=_deadline(visit, view.notice, draft),
        text=ledger.text_of(visit.world, visit.me, view.document.id) if view.document else None,
        typed={"reason": visit.form.get("reason", "")},
        errors=errors,
        here=f"/notices/{view.notice.id}",
    )


@signed_in
async def flag(visit: Visit) -> Response:
    """Flags the notice for a human, with the reason."""
    try:
        store.flag_for_human(visit.world, visit.me, visit.id(), visit.form.get("reason", ""))
    except Invalid as error:
        return _notice(visit, errors_of(error), error.status)
    return visit.go(f"/notices/{visit.id()}", "flagged")


@signed_in
async def clear(visit: Visit) -> Response:
    """Takes the flag down."""
    store.clear_flag(visit.world, visit.me, visit.id())
    return visit.go(f"/notices/{visit.id()}", "cleared")


@signed_in
async def answered(visit: Visit) -> Response:
    """Marks the notice as answered."""
    store.mark_answered(visit.world, visit.me, visit.id())
    return visit.go(f"/notices/{visit.id()}", "answered")


@signed_in
async def protest(visit: Visit) -> Response:
    """Opens the notice's protest; where there is one already, shows that."""
    try:
        made = protests.open_draft(visit.world, visit.me, visit.id())
    except AlreadyDrafted:
        known = _draft(visit, visit.id())
        return visit.go(f"/protests/{known.id}" if known else f"/notices/{visit.id()}")
    return visit.go(f"/protests/{made.id}", "protest")


# a new one


@signed_in
async def new_notice(visit: Visit) -> Response:
    """The form, filled with what the address says; with `fill` with what the paper prints."""
    typed = {name: visit.asked(name) for name in _FIELDS}
    if visit.asked("fill"):
        typed |= _printed(visit, typed["document_id"])
    return _form(visit, typed, {})


@signed_in
async def record(visit: Visit) -> Response:
    """Records what the form says."""
    typed = {name: visit.form.get(name, "").strip() for name in _FIELDS}
    if errors := _mistyped(typed):
        return _form(visit, typed, errors, 422)
    try:
        made = store.record_notice(visit.world, visit.me, _given(typed))
    except DeskError as error:
        status = 422 if isinstance(error, NotFound) else error.status
        return _form(visit, typed, _beside(error), status)
    return visit.go(f"/notices/{made.id}", "recorded")


def _mistyped(typed: Typed) -> Errors:
    """What is missing, and what is no date: all of it at once, in the order of the form."""
    errors = {name: sentence for name, sentence in _NEEDED.items() if not typed[name]}
    for name in _DATES:
        try:
            _date(typed, name)
        except Invalid as error:
            errors |= errors_of(error)
    return errors


def _given(typed: Typed) -> NoticeInput:
    return NoticeInput(
        type=typed["type"],
        state=typed["state"],
        document_id=typed["document_id"],
        notice_date=_date(typed, "notice_date"),
        mail_date=_date(typed, "mail_date"),
        printed_due=_date(typed, "printed_due"),
        claim_id=typed["claim_id"] or None,
    )


def _date(typed: Typed, name: str) -> date | None:
    try:
        return date.fromisoformat(typed[name]) if typed[name] else None
    except ValueError:
        raise Invalid(f"{typed[name]!r} is no date. Write it as 2025-10-21.", name) from None


def _beside(error: DeskError) -> Errors:
    """Errors about fields that the page does not have stand beside the claim."""
    field = error.field if error.field in _FIELDS else "claim_id" if error.field else ""
    return {field: error.sentence}


def _form(visit: Visit, typed: Typed, errors: Errors, status: int = 200) -> Response:
    text, readable = _paper(visit, typed["document_id"])
    return visit.page(
        "notice_new.html",
        "/notices",
        status,
        typed=typed,
        errors=errors,
        count=_count(typed),
        text=text,
        readable=readable,
        here="/notices/new",
        **_choices(visit, typed["document_id"]),
    )


def _choices(visit: Visit, document_id: str) -> dict[str, Any]:
    papers = [(paper.id, paper.name) for paper in ledger.unrecorded(visit.world, visit.me)]
    if document_id and document_id not in dict(papers):
        papers = _chosen(visit, document_id) + papers
    return {
        "documents": papers,
        "claims": [
            (view.claim.id, f"{view.claim.number}, {view.claimant.name if view.claimant else 'no claimant'}")
            for view in every(visit, claims.claims, lambda view: view.claim.seq)
        ],
        "states": sorted(((code, f"{code} {name}") for code, name in rules.STATE_NAMES.items())),
        "types": list(rules.TYPE_WORDS.items()),
    }


def _chosen(visit: Visit, document_id: str) -> list[tuple[str, str]]:
    """The choice of a paper that would not be offered; none where there is no such paper."""
    try:
        paper = ledger.document(visit.world, visit.me, document_id)
    except NotFound:
        return []
    return [(paper.id, paper.name)]


def _paper(visit: Visit, document_id: str) -> tuple[str | None, bool]:
    """A paper's text, and whether the desk can read it as a notice."""
    if not document_id:
        return None, False
    try:
        text = ledger.text_of(visit.world, visit.me, document_id)
    except NotFound:
        return None, False
    return text, _facts(text) is not None


def _facts(text: str | None) -> rules.NoticeFacts | None:
    try:
        return rules.read_notice(text or "")
    except rules.NotANotice:
        return None


def _printed(visit: Visit, document_id: str) -> Typed:
    """The form's fields as the paper prints them; the claim only where its number is printed and on file."""
    facts = _facts(_paper(visit, document_id)[0])
    if facts is None:
        return {}
    numbered = claims.numbered(visit.world, visit.me, facts.claim_number) if facts.claim_number else []
    claim_id = numbered[0].id if len(numbered) == 1 else ""
    dates = {name: (getattr(facts, name).isoformat() if getattr(facts, name) else "") for name in _DATES}
    return {"state": facts.state, "type": facts.type, "claim_id": claim_id, **dates}


def _count(typed: Typed) -> dict[str, str] | None:
    """What the rules give for what was typed so far, to be seen before anything is recorded."""
    if not (typed["state"] and typed["type"] and (typed["notice_date"] or typed["mail_date"])):
        return None
    try:
        notice_date, mail_date, printed = (_date(typed, name) for name in _DATES)
        due = store.deadline(typed["state"], typed["type"], notice_date, mail_date, printed)
    except Invalid:
        return None
    if due.computed is None:
        return {"tone": "", "title": "No deadline can be counted", "text": due.reason or ""}
    title = f"Due by {due.computed.isoformat()} as the desk counts"
    return {"tone": "" if due.reason else "calm", "title": title, "text": due.reason or due.rule or ""}
