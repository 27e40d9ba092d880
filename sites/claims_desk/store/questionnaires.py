"""Questionnaires about a separation: opened as drafts, mailed as a link, answered there or by telephone.

Of a link only the digest is stored; see `letters`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from fakes.core.ids import digest
from fakes.core.journal import Tx
from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.errors import (
    AlreadyAnswered,
    AlreadySent,
    IdentifiersDisagree,
    Invalid,
    LinkExpired,
    LinkUnknown,
    NoManager,
    NotFound,
)
from sites.claims_desk.schema import Claim, Claimant, FactAnswer, FactQuestion, FactRequest, Operator
from sites.claims_desk.store import chases, events, letters, webhooks
from sites.claims_desk.store.claims import claimant_of
from sites.claims_desk.store.mailing import mail
from sites.claims_desk.store.reading import FIRST, Page, columns, own, split

DAYS_TO_ANSWER = 10
_END_OF_DAY = "23:59"

_SELECT = f"""
SELECT {columns(FactRequest, "r")}, {columns(Claim, "c")}, {columns(Claimant, "p")},
  (SELECT count(*) FROM cd_fact_questions q WHERE q.request_id = r.id),
  (SELECT count(DISTINCT a.question_id) FROM cd_fact_answers a
   WHERE a.request_id = r.id AND trim(a.text) <> '')
FROM cd_fact_requests r
LEFT JOIN cd_claims c ON c.id = r.claim_id AND c.tenant_id = r.tenant_id
LEFT JOIN cd_claimants p ON p.id = c.claimant_id AND p.tenant_id = r.tenant_id
WHERE r.tenant_id = ?"""


@dataclass(frozen=True)
class RequestLine:
    """A questionnaire in a list: how many questions it has and how many of them are answered."""

    request: FactRequest
    claim: Claim | None
    claimant: Claimant | None
    asked: int
    answered: int


@dataclass(frozen=True)
class RequestView:
    """A questionnaire with its questions in the order of asking and the answers in the order they came."""

    request: FactRequest
    claim: Claim | None
    claimant: Claimant | None
    questions: tuple[FactQuestion, ...]
    answers: tuple[FactAnswer, ...]

    @property
    def asked(self) -> int:
        """How many questions there are."""
        return len(self.questions)

    @property
    def answered(self) -> int:
        """How many of them have an answer that says something."""
        return len({answer.question_id for answer in self.answers if (answer.text or "").strip()})


@dataclass(frozen=True)
class AnswerInput:
    """An answer to one question."""

    question_id: str
    text: str


@dataclass(frozen=True)
class Manager:
    """Who answers through the public link of the questionnaire `request_id`."""

    request_id: str
    tenant_id: str
    email: str


Answerer = Manager | Operator


def fact_requests(world: World, me: Operator, page: Page = FIRST, status: str = "") -> list[RequestLine]:
    """The tenant's questionnaires, newest first; of one status if that is given."""
    sql = f"{_SELECT} AND r.seq < ? AND ? IN ('', r.status) ORDER BY r.seq DESC LIMIT ?"
    return [_line(values) for values in world.select(sql, (me.tenant_id, page.end, status, page.limit))]


def unanswered(world: World, me: Operator) -> list[RequestLine]:
    """The questionnaires that lack answers, sent or not, newest first."""
    sql = f"{_SELECT} AND r.answered_at IS NULL ORDER BY +r.seq DESC"
    return [_line(values) for values in world.select(sql, (me.tenant_id,))]


def _line(values: tuple[object, ...]) -> RequestLine:
    (request, claim, claimant), (asked, answered) = split(values, (FactRequest, Claim, Claimant))
    return RequestLine(request, claim, claimant, asked, answered)


def fact_request(world: World, me: Operator, id: str) -> RequestView:
    """One questionnaire. Raises NotFound."""
    return _view(world, own(world, FactRequest, me, "questionnaire", id))


def by_link(world: World, token: str) -> RequestView:
    """The questionnaire that a manager's link opens. Raises LinkUnknown, LinkExpired."""
    found = world.one(FactRequest, "WHERE link_digest = ? AND sent_at IS NOT NULL", (digest(token),))
    if found is None:
        raise LinkUnknown
    if found.expires_at is not None and found.expires_at < world.now():
        raise LinkExpired("The time to answer is over. Ask the desk for a new questionnaire.")
    return _view(world, found)


def manager_of(view: RequestView) -> Manager:
    """The person to whom this questionnaire's link was mailed."""
    return Manager(view.request.id, view.request.tenant_id, view.request.manager_email or "")


def _view(world: World, request: FactRequest) -> RequestView:
    claim = world.one(Claim, "WHERE id = ? AND tenant_id = ?", (request.claim_id, request.tenant_id))
    of = "WHERE id = ? AND tenant_id = ?"
    claimant = world.one(Claimant, of, (claim.claimant_id, request.tenant_id)) if claim else None
    questions = world.all(FactQuestion, "WHERE request_id = ? ORDER BY position", (request.id,))
    answers = world.all(FactAnswer, "WHERE request_id = ? ORDER BY seq", (request.id,))
    return RequestView(request, claim, claimant, tuple(questions), tuple(answers))


# opening and sending


def open_fact_request(world: World, me: Operator, claim_id: str, state: str, category: str) -> FactRequest:
    """Opens a draft with the whole question set of the state and category.

    `due_at` and `expires_at` are one instant, the end of the day ten days ahead. Raises NotFound, Invalid,
    IdentifiersDisagree.
    """
    claim = own(world, Claim, me, "claim", claim_id, "claim_id")
    questions = _question_set(state, category)
    if claim.state != state:
        raise IdentifiersDisagree(
            f"Claim {claim.number} is a claim in {claim.state}. Use that state's questions.", "state"
        )
    claimant = claimant_of(world, me, claim.claimant_id)
    due_at = world.instant(world.today() + timedelta(days=DAYS_TO_ANSWER), _END_OF_DAY)
    with world.tx() as tx:
        id = tx.new_id("cd_fact_request", prefix="fcr_")
        made = tx.insert(FactRequest(
            id=id, seq=tx.seq("cd_fact_request"), tenant_id=me.tenant_id, claim_id=claim.id, state=state,
            category=category, status="draft", manager_name=claimant.manager_name if claimant else None,
            manager_email=claimant.manager_email if claimant else None,
            link_digest=digest(letters.link_token(world, id)), due_at=due_at, expires_at=due_at, sent_at=None,
            message_id=None, answered_at=None, created_at=world.now(), created_by=me.email,
        ))  # fmt: skip
        for position, question in enumerate(questions, start=1):
            tx.insert(_question(tx, made, position, question))
        about = rules.category_words(category).lower()
        asked = f"{rules.state_words(state)}'s {len(questions)} questions"
        summary = f"Questionnaire about {about} opened on claim {claim.number}: {asked}"
        events.by(tx, world, me, "questionnaire.opened", made.id, summary)
    return made


def _question_set(state: str, category: str) -> tuple[rules.Question, ...]:
    try:
        return rules.question_set(state, category)
    except rules.UnknownState as error:
        raise Invalid(str(error), "state") from None
    except rules.UnknownCategory as error:
        raise Invalid(str(error), "category") from None


def _question(tx: Tx, request: FactRequest, position: int, question: rules.Question) -> FactQuestion:
    return FactQuestion(
        id=tx.new_id("cd_fact_question", prefix="fcq_"), seq=tx.seq("cd_fact_question"),
        tenant_id=request.tenant_id, request_id=request.id, position=position, code=question.code,
        text=question.text, kind=question.kind,
    )  # fmt: skip


def send_fact_request(world: World, me: Operator, id: str) -> FactRequest:
    """Mails the manager the public link and plans the reminders; only an accepted mail stamps `sent_at`.

    Raises NotFound, AlreadySent, AlreadyAnswered, LinkExpired, NoManager, MailNotTaken.
    """
    request = own(world, FactRequest, me, "questionnaire", id)
    if request.sent_at is not None:
        raise AlreadySent("This questionnaire was sent already. Open another one to ask again.")
    if request.answered_at is not None:
        raise AlreadyAnswered("Every question is answered already. There is nothing to send.")
    if request.expires_at is not None and request.expires_at < world.now():
        raise LinkExpired("The time to answer is over. Open a new questionnaire and send that.")
    if not request.manager_email:
        raise NoManager("No manager is known for this claimant, so there is nobody to send it to.")
    with world.tx() as tx:
        letter = letters.invitation(world, request, request.manager_email)
        message_id = mail(world, letter.employer, letter.to, letter.subject, letter.text)
        sent = tx.update(request, status="sent", sent_at=world.now(), message_id=message_id)
        chases.plan(tx, world, sent)
        summary = f"Questionnaire mailed to {request.manager_email}"
        events.by(tx, world, me, "questionnaire.sent", request.id, summary)
        webhooks.tell(tx, world, me.tenant_id, "questionnaire.sent", sent)
    return sent


# answering


def answer(world: World, id: str, answers: Sequence[AnswerInput], by: Answerer) -> list[FactAnswer]:
    """Writes answers, some or all; when every question has one, the questionnaire is marked answered.

    A manager answers through the link until it expires, an operator takes answers by telephone. A question is
    answered once. Raises NotFound, LinkExpired, AlreadyAnswered, Invalid; nothing is written then.
    """
    request = world.one(FactRequest, "WHERE id = ? AND tenant_id = ?", (id, by.tenant_id))
    if request is None or (isinstance(by, Manager) and by.request_id != request.id):
        raise NotFound("questionnaire", id)
    if isinstance(by, Manager) and request.expires_at is not None and request.expires_at < world.now():
        raise LinkExpired("The time to answer is over. Ask the desk for a new questionnaire.")
    view = _view(world, request)
    _check(view, answers)
    with world.tx() as tx:
        made = [tx.insert(_answer(tx, world, request, given, by)) for given in answers]
        answered = _mark_if_complete(tx, world, view, made)
        how = "through the link" if isinstance(by, Manager) else "by telephone"
        summary = f"{len(made)} of {view.asked} questions answered {how}"
        events.note(tx, world, request.tenant_id, by.email, "questionnaire.answered", request.id, summary)
        told = {"asked": view.asked, "answered_now": len(made), "answered_by": by.email}
        webhooks.tell(tx, world, request.tenant_id, "questionnaire.answered", answered, **told)
    return made


def is_answered(world: World, by: Answerer, id: str) -> bool:
    """Whether every question of the questionnaire has its answer."""
    request = world.one(FactRequest, "WHERE id = ? AND tenant_id = ?", (id, by.tenant_id))
    return request is not None and request.answered_at is not None


def _check(view: RequestView, answers: Sequence[AnswerInput]) -> None:
    known = {question.id: question for question in view.questions}
    done = {answer.question_id for answer in view.answers}
    if not answers:
        raise Invalid("There are no answers here. Give at least one.", "answers")
    for n, given in enumerate(answers):
        if given.question_id not in known:
            raise Invalid(
                f"This questionnaire has no question {given.question_id!r}. Take the ids from its questions.",
                f"answers.{n}.question_id",
            )
        if not given.text.strip():
            raise Invalid(
                "An answer can't be blank. Leave the question out until there is one.", f"answers.{n}.text"
            )
        if given.question_id in done:
            position = known[given.question_id].position
            raise AlreadyAnswered(
                f"Question {position} is answered already, and answers stay.", f"answers.{n}.question_id"
            )
        done.add(given.question_id)


def _answer(tx: Tx, world: World, request: FactRequest, given: AnswerInput, by: Answerer) -> FactAnswer:
    return FactAnswer(
        id=tx.new_id("cd_fact_answer", prefix="fca_"), seq=tx.seq("cd_fact_answer"),
        tenant_id=request.tenant_id, request_id=request.id, question_id=given.question_id,
        text=given.text.strip(), answered_by=by.email, via="link" if isinstance(by, Manager) else "desk",
        answered_at=world.now(),
    )  # fmt: skip


def _mark_if_complete(tx: Tx, world: World, view: RequestView, made: Sequence[FactAnswer]) -> FactRequest:
    said = {answer.question_id for answer in (*view.answers, *made) if (answer.text or "").strip()}
    if view.request.answered_at is None and said >= {question.id for question in view.questions}:
        return tx.update(view.request, status="answered", answered_at=world.now())
    return view.request
