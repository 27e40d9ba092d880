"""Questionnaires: what managers are asked, what they said, and what they said on the telephone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starlette.responses import Response
from starlette.routing import BaseRoute

from fakes.core.service import route
from sites.claims_desk.errors import DeskError, NotFound
from sites.claims_desk.schema import FactAnswer, FactQuestion
from sites.claims_desk.store import chases
from sites.claims_desk.store import questionnaires as store
from sites.claims_desk.store.questionnaires import AnswerInput, RequestLine, RequestView
from sites.claims_desk.web.frame import Errors, Visit, errors_of, signed_in
from sites.claims_desk.web.listing import fits, listed
from sites.claims_desk.web.words import deadline, due_day, name_of, status_words

ANSWER = "answer."
"""A form's field for an answer: this and the question's id."""
_STATUSES = ("", "draft", "sent", "answered")


def routes() -> list[BaseRoute]:
    """The routes of this module."""
    return [
        route("GET", "/questionnaires", questionnaires),
        route("GET", "/questionnaires/{id}", questionnaire),
        route("POST", "/questionnaires/{id}/send", send),
        route("POST", "/questionnaires/{id}/answers", take_answers),
    ]


@signed_in
async def questionnaires(visit: Visit) -> Response:
    """Questionnaires, by status and by what is looked for."""
    query, show = visit.asked("q"), visit.asked("show")
    today = visit.world.today()

    def fit(line: RequestLine) -> bool:
        return fits(query, name_of(line.claimant), line.request.manager_name, line.request.manager_email)

    found = listed(visit, partial(store.fact_requests, status=show), lambda line: line.request.seq, fit)
    choices = [(status, status_words(status) if status else "All") for status in _STATUSES]
    return visit.page(
        "questionnaires.html",
        "/questionnaires",
        query=query,
        show=show,
        choices=choices,
        rows=[(line, deadline(due_day(visit.world, line.request), today)) for line in found.rows],
        more=found.more,
    )


def pairs_of(view: RequestView) -> list[tuple[FactQuestion, Sequence[FactAnswer]]]:
    """Each question with what was answered to it."""
    return [(q, [a for a in view.answers if a.question_id == q.id]) for q in view.questions]


def missing_in(view: RequestView) -> list[FactQuestion]:
    """The questions without an answer."""
    return [question for question, given in pairs_of(view) if not given]


@signed_in
async def questionnaire(visit: Visit) -> Response:
    """A questionnaire with its questions and answers."""
    return _questionnaire(visit, {})


def _questionnaire(visit: Visit, errors: Errors, status: int = 200) -> Response:
    view = store.fact_request(visit.world, visit.me, visit.id())
    return visit.page(
        "questionnaire.html",
        "/questionnaires",
        status,
        view=view,
        ask=view.request,
        pairs=pairs_of(view),
        missing=missing_in(view),
        deadline=deadline(due_day(visit.world, view.request), visit.world.today()),
        reminders=chases.of_request(visit.world, visit.me, view.request.id),
        typed=visit.form,
        errors=errors,
        here=f"/questionnaires/{view.request.id}",
    )


@signed_in
async def send(visit: Visit) -> Response:
    """Mails the manager the link."""
    try:
        store.send_fact_request(visit.world, visit.me, visit.id())
    except NotFound:
        raise
    except DeskError as error:
        return _questionnaire(visit, {"": error.sentence}, error.status)
    return visit.go(f"/questionnaires/{visit.id()}", "sent")


@signed_in
async def take_answers(visit: Visit) -> Response:
    """Records what the manager said on the telephone; what was left empty stays unanswered."""
    filled = [
        (name.removeprefix(ANSWER), text)
        for name, text in visit.form.items()
        if name.startswith(ANSWER) and text.strip()
    ]
    try:
        if not filled:
            return _nothing_typed(visit)
        store.answer(visit.world, visit.id(), [AnswerInput(id, text) for id, text in filled], visit.me)
    except NotFound:
        raise
    except DeskError as error:
        return _questionnaire(visit, _beside(error, [id for id, _ in filled]), error.status)
    return visit.go(f"/questionnaires/{visit.id()}", "taken")


def _nothing_typed(visit: Visit) -> Response:
    """The form again, at its first question."""
    sentence = "Nothing was typed. Take down at least one answer."
    open_ones = missing_in(store.fact_request(visit.world, visit.me, visit.id()))
    errors = {ANSWER + question.id: sentence for question in open_ones[:1]}
    return _questionnaire(visit, {**errors, "": sentence}, 422)


def _beside(error: DeskError, ids: list[str]) -> Errors:
    """The store names an answer by its place in the list; the page by its question."""
    parts = (error.field or "").split(".")
    if len(parts) == 3 and parts[1].isdecimal() and int(parts[1]) < len(ids):
        return {ANSWER + ids[int(parts[1])]: error.sentence, "": error.sentence}
    return errors_of(error) if not error.field else {"": error.sentence}
