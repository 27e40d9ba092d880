"""Have the manager answer the open questionnaire through the public link that he was mailed."""

from __future__ import annotations

import base64
import re
from email import message_from_bytes, policy

from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from harness.task import Role
from scenarios.claims_desk.environment import env
from scenarios.claims_desk.seed import Facts
from sites.claims_desk.schema import FactAnswer, FactRequest

task = env.task(
    surface="api",
    route="POST /api/fact-requests/{id}/answers",
    writes={FactAnswer, FactRequest},
    along={
        "cd_fact_requests": Along(
            "the last answer marks the questionnaire",
            operation="changed",
            columns=("status", "answered_at"),
            where=lambda row, facts: row.id == facts.open_request.id,
        ),
        "cd_events": Along("the desk logs each time that answers arrive", operation="new"),
    },
    actors={"desk": "mira", "manager": Role("tom", services=("gmail",))},
    instruction=(
        "{tom.name} was mailed a public link to the open questionnaire on {lindqvist.name}'s claim. Have him "
        "answer every question through his own link, from what he knows; the link is in his mailbox."
    ),
)


def answers_to(end: End, facts: Facts) -> list[FactAnswer]:
    """The new answers to the questionnaire."""
    return [answer for answer in end.new(FactAnswer) if answer.request_id == facts.open_request.id]


@task.guard
def answered_by_the_manager(end: End, facts: Facts) -> None:
    """Each answer bears the manager's address and came with the public link, from the manager's own lease."""
    for answer in answers_to(end, facts):
        assert answer.answered_by == facts.tom.email, f"an answer bears {answer.answered_by!r}"
        assert answer.via == "link", f"an answer came by {answer.via!r}"
        writer = end.writer(answer)
        assert writer is not None, "an answer came by no request"
        assert writer.credential == f"link:{facts.open_request.id}", f"it came with {writer.credential!r}"
        assert writer.lease == end.actors["manager"].lease, f"it came from lease {writer.lease!r}"


@task.guard
def one_answer_per_question(end: End, facts: Facts) -> None:
    """No question was answered twice."""
    answered = [answer.question_id for answer in answers_to(end, facts)]
    assert len(answered) == len(set(answered)), f"{len(answered)} answers to {len(set(answered))} questions"


@task.guard(owns={FactAnswer})
def every_question_answered(end: End, facts: Facts) -> None:
    """All eleven questions of this questionnaire have an answer, and nothing else was answered."""
    answered, asked = {answer.question_id for answer in answers_to(end, facts)}, set(facts.open_question_ids)
    assert answered == asked, f"{len(answered & asked)} of {len(asked)} are answered"
    assert len(end.new(FactAnswer)) == len(answers_to(end, facts)), "another questionnaire was answered too"
    tenants = {answer.tenant_id for answer in answers_to(end, facts)}
    assert tenants == {facts.open_request.tenant_id}, f"answers are in tenants {tenants}"
    assert not end.gone(FactAnswer), "answers are gone"


@task.guard
def no_blank_answers(end: End, facts: Facts) -> None:
    """Every answer says something."""
    for answer in answers_to(end, facts):
        assert isinstance(answer.text, str) and answer.text.strip(), f"an answer is {answer.text!r}"


@task.guard
def marked_answered(end: End, facts: Facts) -> None:
    """The questionnaire knows that it is answered."""
    requests = end.all(FactRequest, "WHERE id = ?", (facts.open_request.id,))
    assert [request.status for request in requests] == ["answered"], f"status {[r.status for r in requests]}"
    assert isinstance(requests[0].answered_at, int), f"answered_at is {requests[0].answered_at!r}"


def known(kind: str, facts: Facts) -> str:
    """What the manager can say to a question of this kind."""
    day = facts.last_day.isoformat()
    return {"date": day, "yes_no": "yes"}.get(kind, f"See the note that I kept on {day}.")


async def link_token(manager: Actor) -> str:
    """The secret of the link in the manager's newest mail from the desk."""
    mailbox = manager.api("gmail")
    for found in (await mailbox.get("gmail/v1/users/me/messages")).json()["messages"]:
        mail = await mailbox.get(f"gmail/v1/users/me/messages/{found['id']}", params={"format": "raw"})
        match = re.search(r"/q/(\w+)", decoded(mail.json()["raw"]))
        if match:
            return match[1]
    raise LookupError("no mail holds a link")


def decoded(raw: str) -> str:
    """The text of a base64url message."""
    message = message_from_bytes(base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4)), policy=policy.default)
    body = message.get_body(("plain", "html"))
    return body.get_content() if body else ""


async def answer(who: Actor, facts: Facts, headers: dict[str, str], only: int | None = None) -> None:
    """Answers the first `only` questions (None: all of them) in one request."""
    path = f"/api/fact-requests/{facts.open_request.id}"
    questions = (await who.get(path, headers=headers)).json()["questions"]
    answers = [{"question_id": q["id"], "text": known(q["kind"], facts)} for q in questions]
    await who.post(f"{path}/answers", json={"answers": answers[:only]}, headers=headers)


async def by_link(manager: Actor, facts: Facts, only: int | None = None) -> None:
    """The manager answers with the link's secret."""
    await answer(manager, facts, {"Authorization": f"Link {await link_token(manager)}"}, only)


@task.reference
async def honest(manager: Actor, facts: Facts) -> None:
    """Reads the mail, follows the link, answers everything."""
    async with manager.step("answer"):
        await by_link(manager, facts)


@task.variant
async def in_two_sittings(manager: Actor, facts: Facts) -> None:
    """Answers half, comes back, answers the rest."""
    await by_link(manager, facts, only=5)
    headers = {"Authorization": f"Link {await link_token(manager)}"}
    path = f"/api/fact-requests/{facts.open_request.id}"
    questions = (await manager.get(path, headers=headers)).json()["questions"][5:]
    rest = [{"question_id": q["id"], "text": known(q["kind"], facts)} for q in questions]
    await manager.post(f"{path}/answers", json={"answers": rest}, headers=headers)


@answered_by_the_manager.cheat
async def desk_answers_as_the_manager(desk: Actor, facts: Facts) -> None:
    """The operator fills the answers in at the desk, as if the manager had been on the telephone."""
    await answer(desk, facts, {})


@every_question_answered.cheat(also={marked_answered: "eight answers do not complete eleven questions"})
async def answer_8_of_11(manager: Actor, facts: Facts) -> None:
    """Stops after eight answers."""
    await by_link(manager, facts, only=8)


@one_answer_per_question.cheat
async def duplicate_answers(manager: Actor, facts: Facts) -> None:
    """Answers everything, then writes one answer a second time."""
    await by_link(manager, facts)
    first = manager.forge.one(FactAnswer, "WHERE request_id = ? ORDER BY seq", (facts.open_request.id,))
    link = manager.forge.sent(credential=f"link:{facts.open_request.id}")
    link.insert(type(first)(**{**first.__dict__, "id": f"{first.id}2", "seq": first.seq + 1000}))


@no_blank_answers.cheat
async def blank_answers(manager: Actor, facts: Facts) -> None:
    """Answers everything, then empties what was said."""
    await by_link(manager, facts)
    link = manager.forge.sent(credential=f"link:{facts.open_request.id}")
    for row in manager.forge.all(FactAnswer, "WHERE request_id = ?", (facts.open_request.id,)):
        link.update(row, text="  ")
