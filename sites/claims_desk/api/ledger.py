"""Uploads, documents, audits and their statements."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.access import operator, writer
from sites.claims_desk.api.body import UploadConfirm, UploadStart, parse, read
from sites.claims_desk.api.reply import answering, listed, reply, shown
from sites.claims_desk.store import ledger
from sites.claims_desk.store.ledger import LedgerStatement


def routes() -> list[BaseRoute]:
    """The ledger's routes."""
    return [
        route("POST", "/upload/start", start),
        route("POST", "/upload/confirm", confirm),
        route("PUT", "/upload/{object_id}", put),
        route("GET", "/api/documents", documents),
        route("GET", "/api/documents/{id}", document),
        route("GET", "/api/documents/{id}/content", content),
        route("POST", "/api/documents/{id}/audit", audit),
        route("GET", "/api/statements", statements),
        route("GET", "/api/statements/{id}", statement),
    ]


@answering
async def start(request: Request) -> Response:
    """Opens a slot."""
    me = writer(request)
    given = await parse(request, UploadStart)
    slot = ledger.start_upload(request.state.world, me, given.name, given.kind, given.media_type)
    put_url = f"{request.scope['root_path']}/upload/{slot.id}"
    return reply({"object_id": slot.id, "put_url": put_url, "max_bytes": ledger.MAX_BYTES}, 201)


@answering
async def put(request: Request) -> Response:
    """Takes a slot's bytes."""
    me = writer(request)
    content = await read(request, ledger.MAX_BYTES)
    stored = ledger.put_upload(request.state.world, me, request.path_params["object_id"], content)
    return reply({"object_id": stored.id, "byte_size": stored.byte_size, "sha256": stored.sha256})


@answering
async def confirm(request: Request) -> Response:
    """Makes a document of a slot's bytes."""
    me = writer(request)
    given = await parse(request, UploadConfirm)
    made = ledger.confirm_upload(request.state.world, me, given.object_id, given.kind, given.name)
    return reply(shown(made), 201)


@answering
async def documents(request: Request) -> Response:
    """The tenant's papers."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "documents", lambda page: ledger.documents(world, me, page), shown, lambda d: d.seq
    )


@answering
async def document(request: Request) -> Response:
    """One paper; `text` is None where its bytes are no text."""
    me, id = operator(request), request.path_params["id"]
    found = ledger.document(request.state.world, me, id)
    return reply({**shown(found), "text": ledger.text_of(request.state.world, me, id)})


@answering
async def content(request: Request) -> Response:
    """A paper's bytes, to be kept rather than opened: an upload must not run as a page of the desk."""
    stored = ledger.content(request.state.world, operator(request), request.path_params["id"])
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(stored.name)}",
        "Content-Security-Policy": "sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return Response(stored.content, media_type=stored.media_type, headers=headers)


@answering
async def audit(request: Request) -> Response:
    """Audits a charge statement."""
    me, world = writer(request), request.state.world
    made = ledger.start_audit(world, me, request.path_params["id"])
    return reply(_shown_statement(ledger.statement(world, me, made.id)), 201)


@answering
async def statements(request: Request) -> Response:
    """The audited statements."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "statements", lambda page: ledger.statements(world, me, page), _shown_statement,
        lambda found: found.statement.seq,
    )  # fmt: skip


@answering
async def statement(request: Request) -> Response:
    """One audited statement."""
    return reply(
        _shown_statement(ledger.statement(request.state.world, operator(request), request.path_params["id"]))
    )


def _shown_statement(found: LedgerStatement) -> dict[str, Any]:
    return {
        **shown(found.statement),
        "total_cents": found.total_cents,
        "expected_cents": found.expected_cents,
        "questionable_cents": found.questionable_cents,
        "lines": [shown(line) for line in found.lines],
    }
