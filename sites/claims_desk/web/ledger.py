"""The ledger's pages: papers, uploads, audits and the statements that come of them."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.store import ledger, notices
from sites.claims_desk.web.frame import Visit, signed_in
from sites.claims_desk.web.listing import listed


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/ledger", ledger_page),
        route("GET", "/ledger/{id}", statement),
        route("GET", "/documents/{id}", document),
        route("GET", "/documents/{id}/content", content),
        route("POST", "/documents/{id}/audit", audit),
    ]


@signed_in
async def ledger_page(visit: Visit) -> Response:
    """Audited statements, papers, and the form to send one in."""
    statements = listed(visit, ledger.statements, lambda entry: entry.statement.seq)
    papers = listed(visit, ledger.documents, lambda document: document.seq)
    ids = [paper.id for paper in papers.rows]
    return visit.page(
        "ledger.html",
        "/ledger",
        statements=statements.rows,
        more_statements=statements.more,
        statement_of=ledger.statements_of(visit.world, visit.me, ids),
        recorded=notices.recorded_from(visit.world, visit.me, ids),
        copy_of=ledger.audited_copies(visit.world, visit.me),
        max_megabytes=ledger.MAX_BYTES // 1024**2,
        rows=papers.rows,
        more=papers.more,
    )


@signed_in
async def statement(visit: Visit) -> Response:
    """A statement: its headline, and the lines that add up to it."""
    entry = ledger.statement(visit.world, visit.me, visit.id())
    questionable = [line for line in entry.lines if line.mark == "questionable"]
    return visit.page("statement.html", "/ledger", entry=entry, questionable=questionable)


@signed_in
async def document(visit: Visit) -> Response:
    """A paper and its text."""
    return _document(visit)


def _document(visit: Visit, problem: str = "", status: int = 200) -> Response:
    paper = ledger.document(visit.world, visit.me, visit.id())
    return visit.page(
        "document.html",
        "/ledger",
        status,
        document=paper,
        text=ledger.text_of(visit.world, visit.me, paper.id),
        statement_id=ledger.statements_of(visit.world, visit.me, [paper.id]).get(paper.id),
        notice_id=notices.recorded_from(visit.world, visit.me, [paper.id]).get(paper.id),
        copy_of=ledger.audited_copies(visit.world, visit.me).get(paper.id),
        problem=problem,
        here=f"/documents/{paper.id}",
    )


@signed_in
async def content(visit: Visit) -> Response:
    """A paper's bytes, to be kept: whatever was uploaded never runs as a page of the desk."""
    stored = ledger.content(visit.world, visit.me, visit.id())
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(stored.name)}",
        "Content-Security-Policy": "sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return Response(stored.content, media_type="application/octet-stream", headers=headers)


@signed_in
async def audit(visit: Visit) -> Response:
    """Audits a statement and shows it; where that can't be, the paper says why."""
    try:
        made = ledger.start_audit(visit.world, visit.me, visit.id())
    except NotFound:
        raise
    except DeskError as error:
        return _document(visit, error.sentence, error.status)
    return visit.go(f"/ledger/{made.id}", "audited")
