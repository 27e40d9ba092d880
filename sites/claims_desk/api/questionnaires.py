"""Questionnaires: opened and sent by operators, answered by managers through their link or by operators."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from fakes.core.auth import bearer_text
from fakes.core.service import route
from sites.claims_desk.access import link_holder, operator, writer
from sites.claims_desk.api.body import (
    AnswersBody,
    FactRequestBody,
    form_fields,
    is_form,
    json_field,
    parse,
    parsed,
    read,
)
from sites.claims_desk.api.reply import answering, listed, reply, shown, shown_or_none
from sites.claims_desk.errors import DeskError, Invalid, NotFound
from sites.claims_desk.store import questionnaires as store
from sites.claims_desk.store.questionnaires import Answerer, AnswerInput, RequestLine, RequestView

_ANSWER = "answer."


def routes() -> list[BaseRoute]:
    """The questionnaires' routes."""
    return [
        route("GET", "/api/fact-requests", fact_requests),
        route("POST", "/api/fact-requests", open_request),
        route("GET", "/api/fact-requests/{id}", fact_request),
        route("POST", "/api/fact-requests/{id}/send", send),
        route("POST", "/api/fact-requests/{id}/answers", answer),
    ]


@answering
async def fact_requests(request: Request) -> Response:
    """The tenant's questionnaires."""
    me, world = operator(request), request.state.world
    return listed(
        request, me, "fact_requests", lambda page: store.fact_requests(world, me, page), _shown_line,
        lambda line: line.request.seq,
    )  # fmt: skip


def _shown_line(line: RequestLine) -> dict[str, Any]:
    return {
        **shown(line.request),
        "claim_number": line.claim.number if line.claim else None,
        "claimant_name": line.claimant.name if line.claimant else None,
        "question_count": line.asked,
        "answered_count": line.answered,
    }


@answering
async def fact_request(request: Request) -> Response:
    """One questionnaire with questions and answers; a link shows its own, as the manager's page does."""
    token = bearer_text(request, "link")
    if token:
        return _shown_by_link(link_holder(request, token), request.path_params["id"])
    view = store.fact_request(request.state.world, operator(request), request.path_params["id"])
    return reply({
        **shown(view.request),
        "claim": shown_or_none(view.claim),
        "claimant": shown_or_none(view.claimant),
        "questions": [shown(question) for question in view.questions],
        "answers": [shown(given) for given in view.answers],
    })  # fmt: skip


def _shown_by_link(view: RequestView, id: str) -> Response:
    if view.request.id != id:
        raise NotFound("questionnaire", id)
    asked = shown(view.request)
    return reply({
        **{name: asked[name] for name in ("id", "state", "category", "due_at", "expires_at", "answered_at")},
        "claimant_name": view.claimant.name if view.claimant else None,
        "questions": [shown(question) for question in view.questions],
        "answers": [shown(given) for given in view.answers],
    })  # fmt: skip


@answering
async def open_request(request: Request) -> Response:
    """Opens a draft."""
    me, world = writer(request), request.state.world
    given = await parse(request, FactRequestBody)
    made = store.open_fact_request(world, me, given.claim_id, given.state, given.category)
    questions = store.fact_request(world, me, made.id).questions
    return reply({**shown(made), "questions": [shown(question) for question in questions]}, 201)


@answering
async def send(request: Request) -> Response:
    """Mails the manager the link."""
    me = writer(request)
    return reply(shown(store.send_fact_request(request.state.world, me, request.path_params["id"])))


@answering
async def answer(request: Request) -> Response:
    """Takes answers. The manager's page posts a form; a browser is sent back to that page."""
    raw = await read(request)
    if not is_form(request):
        by = _answerer(request, json_field(raw, "link"))
        return _answered(request, by, parsed(raw, AnswersBody).given())
    fields = form_fields(raw)
    link = fields.get("link", "")
    if not link:  # something else in a form's clothes: the log can't tell what in it is a secret
        request.state.record.body = f"[{len(raw)} bytes of a form without a link]"
    in_browser = bool(link) and "text/html" in request.headers.get("accept", "")
    try:
        by, given = _answerer(request, link), _of_form(fields)
        response = _answered(request, by, given)
    except DeskError as error:
        if not in_browser:
            raise
        return _back(request, link, f"?error={error.code}" if error.status in (409, 422) else "")
    return _back(request, link, f"?saved={len(given)}") if in_browser else response


def _answerer(request: Request, link: str | None) -> Answerer:
    """The manager whose link came with the request; without one, an operator."""
    token = bearer_text(request, "link") or link
    return store.manager_of(link_holder(request, token)) if token else writer(request)


def _answered(request: Request, by: Answerer, given: list[AnswerInput]) -> Response:
    made = store.answer(request.state.world, request.path_params["id"], given, by)
    done = store.is_answered(request.state.world, by, request.path_params["id"])
    return reply({"answers": [shown(row) for row in made], "all_answered": done}, 201)


def _of_form(fields: dict[str, str]) -> list[AnswerInput]:
    """The fields `answer.<question id>` that were filled in: a page saves what there is."""
    filled = [(name, text) for name, text in fields.items() if name.startswith(_ANSWER) and text.strip()]
    if not filled:
        raise Invalid("No question was answered. Answer at least one.", "answers")
    answers = [{"question_id": name.removeprefix(_ANSWER), "text": text} for name, text in filled]
    return parsed(orjson.dumps({"answers": answers}), AnswersBody).given()


def _back(request: Request, link: str, query: str = "") -> Response:
    return RedirectResponse(f"{request.scope['root_path']}/q/{quote(link, safe='')}{query}", 303)
