from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from fakes.core.agenda import Planned
from fakes.core.clock import civil
from fakes.core.ids import digest
from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.schema import Claimant, Event, FactQuestion, FactRequest, Operator
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import questionnaires
from sites.claims_desk.store.questionnaires import AnswerInput
from tests.sites.claims_desk.conftest import Api, Facts, link_in, mails


async def test_a_new_questionnaire_is_an_unsent_draft_on_one_clock(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    answer = await api.post(
        "/api/fact-requests", claim_id=desk.lindqvist_claim.id, state="PA", category="discharge_misconduct"
    )
    assert answer.status_code == 201
    made = world.get(FactRequest, answer.json()["id"])
    assert made is not None and (made.status, made.sent_at, made.message_id) == ("draft", None, None)
    assert made.due_at is not None and made.due_at == made.expires_at
    due = civil(made.due_at, world.zone)
    assert due.date() == world.today() + timedelta(days=10) and (due.hour, due.minute) == (23, 59)
    assert made.created_by == me.email


@pytest.mark.parametrize(("state", "count"), [("PA", 11), ("NY", 10)])
async def test_the_states_whole_question_set_is_copied(
    api: Api, world: World, desk: Desk, state: str, count: int
) -> None:
    claim = desk.lindqvist_claim if state == "PA" else desk.dana_claim
    made = (
        await api.post("/api/fact-requests", claim_id=claim.id, state=state, category="discharge_misconduct")
    ).json()
    rows = world.all(FactQuestion, "WHERE request_id = ? ORDER BY position", (made["id"],))
    expected = [
        (n, q.code, q.text, q.kind)
        for n, q in enumerate(rules.question_set(state, "discharge_misconduct"), 1)
    ]
    assert [(row.position, row.code, row.text, row.kind) for row in rows] == expected and len(rows) == count
    assert [question["id"] for question in made["questions"]] == [row.id for row in rows]


@pytest.mark.parametrize(
    ("change", "status", "field"),
    [
        ({"category": "theft"}, 422, "category"),
        ({"state": "XX"}, 422, "state"),
        ({"state": "NY"}, 422, "state"),
        ({"claim_id": "clm_none"}, 404, "claim_id"),
        ({"sent_at": 5}, 422, "sent_at"),
        ({"state": None}, 422, "state"),
    ],
)
async def test_a_bad_request_names_its_field_and_changes_nothing(
    api: Api, world: World, desk: Desk, change: dict[str, Any], status: int, field: str
) -> None:
    body = {"claim_id": desk.lindqvist_claim.id, "state": "PA", "category": "voluntary_quit", **change}
    before = world.state_hash()
    answer = await api.post("/api/fact-requests", **body)
    assert (answer.status_code, answer.json()["error"]["field"]) == (status, field)
    assert world.state_hash() == before


async def test_sending_mails_the_link_and_stamps_the_request(
    api: Api, world: World, facts: Facts, me: Operator
) -> None:
    draft = questionnaires.open_fact_request(
        world, me, facts.desk.lindqvist_claim.id, "PA", "discharge_misconduct"
    )
    answer = await api.post(f"/api/fact-requests/{draft.id}/send")
    assert answer.status_code == 200 and answer.json()["status"] == "sent"
    mail = mails(world, facts.manager.email)[-1]
    sent = world.get(FactRequest, draft.id)
    assert sent is not None and (sent.sent_at, sent.message_id) == (world.now(), mail.id)
    assert digest(link_in(mail)) == sent.link_digest
    assert mail.sender == "claims@harborlight.example" and "Astrid Lindqvist" in mail.subject


async def test_a_refused_mail_leaves_the_request_unsent(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    with world.tx() as tx:
        tx.update(desk.lindqvist, manager_email="gone@refused.example")
    draft = questionnaires.open_fact_request(world, me, desk.lindqvist_claim.id, "PA", "voluntary_quit")
    before = world.state_hash()
    answer = await api.post(f"/api/fact-requests/{draft.id}/send")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "mail_refused")
    assert "no such mailbox" in answer.json()["error"]["message"]
    assert world.state_hash() == before and not mails(world, "gone@refused.example")


async def test_a_questionnaire_is_sent_once(api: Api, desk: Desk) -> None:
    answer = await api.post(f"/api/fact-requests/{desk.request.id}/send")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_sent")


async def test_without_a_manager_nothing_is_sent(api: Api, world: World, desk: Desk, me: Operator) -> None:
    with world.tx() as tx:
        tx.update(desk.lindqvist, manager_email=None)
    draft = questionnaires.open_fact_request(world, me, desk.lindqvist_claim.id, "PA", "voluntary_quit")
    answer = await api.post(f"/api/fact-requests/{draft.id}/send")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_manager")


async def test_the_link_is_in_no_row_of_the_desk_and_in_no_answer_of_the_api(
    api: Api, world: World, desk: Desk, facts: Facts
) -> None:
    token = link_in(mails(world, facts.manager.email)[0])
    for path in (f"/api/fact-requests/{desk.request.id}", "/api/fact-requests", "/api/events"):
        assert token not in (await api.get(path)).text
    for table in (row for row in world.tables if row.startswith("cd_")):
        assert token not in repr(world.select(f"SELECT * FROM {table}"))
    assert desk.request.link_digest not in (await api.get(f"/api/fact-requests/{desk.request.id}")).text


# chases


def chased(world: World) -> list[Event]:
    """Reminders that the desk logged."""
    return world.all(Event, "WHERE kind = 'questionnaire.chased' ORDER BY seq")


def test_reminders_are_mailed_three_days_and_one_day_before_once_each(world: World, facts: Facts) -> None:
    request = facts.desk.request
    assert request.due_at is not None
    last_day = civil(request.due_at, world.zone).date()
    world.advance(world.instant(last_day - timedelta(days=3), "08:59"))
    assert not chased(world)
    world.advance(world.instant(last_day - timedelta(days=3), "09:00"))
    assert len(chased(world)) == 1
    world.advance(world.instant(last_day - timedelta(days=1), "09:00"))
    world.advance(request.due_at + 1)
    assert [event.actor for event in chased(world)] == [None, None]
    invited, *reminders = mails(world, facts.manager.email)
    assert [mail.subject.startswith("Reminder: ") for mail in reminders] == [True, True]
    assert ["3 days are left" in reminders[0].text, "1 day is left" in reminders[1].text] == [True, True]
    assert {link_in(mail) for mail in reminders} == {link_in(invited)}


def test_an_answered_questionnaire_is_not_chased(world: World, facts: Facts, me: Operator) -> None:
    view = questionnaires.fact_request(world, me, facts.desk.request.id)
    questionnaires.answer(world, view.request.id, [AnswerInput(q.id, "Yes") for q in view.questions], me)
    world.advance(world.now() + 20 * 86_400_000)
    assert len(mails(world, facts.manager.email)) == 1 and not chased(world)


def test_a_half_answered_one_is_chased(world: World, facts: Facts, me: Operator) -> None:
    view = questionnaires.fact_request(world, me, facts.desk.request.id)
    questionnaires.answer(world, view.request.id, [AnswerInput(q.id, "Yes") for q in view.questions[:8]], me)
    world.advance(world.now() + 20 * 86_400_000)
    assert len(chased(world)) == 2


def test_a_refused_reminder_is_kept_as_an_error_and_not_logged_as_sent(world: World, desk: Desk) -> None:
    with world.tx() as tx:
        tx.update(desk.request, manager_email="gone@refused.example")
    world.advance(world.now() + 20 * 86_400_000)
    planned = world.all(Planned, "WHERE ref = ?", (desk.request.id,))
    assert [(row.error or "").startswith("MailNotTaken") for row in planned] == [True, True]
    assert not chased(world)


def test_drafts_are_never_chased(world: World, desk: Desk, me: Operator) -> None:
    draft = questionnaires.open_fact_request(world, me, desk.lindqvist_claim.id, "PA", "lack_of_work")
    assert not world.count(Planned, "WHERE ref = ?", (draft.id,))
    assert world.get(Claimant, desk.lindqvist.id) is not None
