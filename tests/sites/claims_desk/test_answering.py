from __future__ import annotations

from typing import Any

import httpx
import pytest

from fakes.core.requests import LoggedRequest
from fakes.core.world import World
from sites.claims_desk.schema import FactAnswer, FactQuestion, FactRequest, Operator
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import questionnaires
from tests.sites.claims_desk.conftest import Api, Facts, link_in, mails


@pytest.fixture
def token(world: World, facts: Facts) -> str:
    """The link that the manager got by mail."""
    return link_in(mails(world, facts.manager.email)[0])


@pytest.fixture
def manager(nobody: Api, token: str) -> Api:
    """The manager's program, with the link as its credential."""
    return nobody.with_link(token)


@pytest.fixture
def questions(world: World, desk: Desk) -> list[FactQuestion]:
    """The questions of the open questionnaire."""
    return world.all(FactQuestion, "WHERE request_id = ? ORDER BY position", (desk.request.id,))


def said(questions: list[FactQuestion], text: str = "Yes.") -> list[dict[str, Any]]:
    """An answer to each."""
    return [{"question_id": question.id, "text": text} for question in questions]


async def send(caller: Api, desk: Desk, answers: Any, **more: Any) -> httpx.Response:
    """Posts answers to the open questionnaire."""
    return await caller.post(f"/api/fact-requests/{desk.request.id}/answers", answers=answers, **more)


def stored(world: World, desk: Desk) -> list[FactAnswer]:
    """The answers to the open questionnaire."""
    return world.all(FactAnswer, "WHERE request_id = ? ORDER BY seq", (desk.request.id,))


async def test_the_manager_answers_every_question_through_the_link(
    manager: Api, world: World, facts: Facts, questions: list[FactQuestion]
) -> None:
    answer = await send(manager, facts.desk, said(questions))
    assert answer.status_code == 201 and answer.json()["all_answered"] is True
    rows = stored(world, facts.desk)
    assert {(row.answered_by, row.via) for row in rows} == {(facts.manager.email, "link")}
    assert [row.question_id for row in rows] == [question.id for question in questions]
    request = world.get(FactRequest, facts.desk.request.id)
    assert request is not None and (request.status, request.answered_at) == ("answered", world.now())


async def test_the_request_log_names_the_link_and_never_its_text(
    manager: Api, nobody: Api, world: World, facts: Facts, questions: list[FactQuestion], token: str
) -> None:
    await send(manager, facts.desk, said(questions[:1]))
    await send(nobody, facts.desk, said(questions[1:2]), link=token)
    form = {"link": token, f"answer.{questions[2].id}": "No"}
    await nobody.call("POST", f"/api/fact-requests/{facts.desk.request.id}/answers", data=form)
    logged: list[LoggedRequest] = world.log.rows()[-3:]
    in_disguise = {
        "content": f'{{"link": "{token}"}}',
        "headers": {"Content-Type": "application/x-www-form-urlencoded"},
    }
    await nobody.call("POST", f"/api/fact-requests/{facts.desk.request.id}/answers", **in_disguise)
    world.log.flush()
    assert {(row.credential, row.person) for row in logged} == {
        (f"link:{facts.desk.request.id}", facts.manager.email)
    }
    assert [row.status for row in logged] == [201, 201, 201]
    assert token not in repr(world.select("SELECT * FROM requests")) + repr(
        world.select("SELECT * FROM cd_events")
    )


async def test_eight_of_eleven_are_kept_and_leave_it_unanswered(
    manager: Api, world: World, desk: Desk, questions: list[FactQuestion]
) -> None:
    answer = await send(manager, desk, said(questions[:8]))
    assert answer.status_code == 201 and answer.json()["all_answered"] is False
    request = world.get(FactRequest, desk.request.id)
    assert request is not None and (request.status, request.answered_at) == ("sent", None)
    await send(manager, desk, said(questions[8:]))
    request = world.get(FactRequest, desk.request.id)
    assert request is not None and request.answered_at == world.now()


async def test_the_desk_answers_by_telephone_under_its_own_address(
    api: Api, world: World, desk: Desk, questions: list[FactQuestion], me: Operator
) -> None:
    await send(api, desk, said(questions[:2]))
    assert {(row.answered_by, row.via) for row in stored(world, desk)} == {(me.email, "desk")}


async def test_a_question_is_answered_once(
    manager: Api, api: Api, world: World, desk: Desk, questions: list[FactQuestion]
) -> None:
    await send(manager, desk, said(questions[:1]))
    for caller, answers in ((manager, said(questions[:2])), (api, said(questions[:1]))):
        answer = await send(caller, desk, answers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_answered")
    assert len(stored(world, desk)) == 1


async def test_bad_answers_are_refused_whole(
    manager: Api, world: World, desk: Desk, questions: list[FactQuestion]
) -> None:
    good = said(questions[:1])
    foreign = world.one(FactQuestion, "WHERE request_id <> ?", (desk.request.id,))
    assert foreign is not None
    wrong: list[tuple[Any, int, str]] = [
        ([], 422, "answers"),
        ("yes", 422, "answers"),
        ([*good, {"question_id": questions[1].id, "text": " \n"}], 422, "answers.1.text"),
        ([*good, {"question_id": "fcq_none", "text": "x"}], 422, "answers.1.question_id"),
        ([*good, {"question_id": foreign.id, "text": "x"}], 422, "answers.1.question_id"),
        ([*good, *good], 409, "answers.1.question_id"),
        ([{"question_id": questions[0].id}], 422, "answers.0.text"),
        ([{"question_id": questions[0].id, "text": "x", "answered_by": "y"}], 422, "answers.0.answered_by"),
    ]
    for answers, status, field in wrong:
        answer = await send(manager, desk, answers)
        assert (answer.status_code, answer.json()["error"]["field"]) == (status, field)
    assert not stored(world, desk)


async def test_the_link_takes_answers_until_it_expires(
    manager: Api, api: Api, world: World, desk: Desk, questions: list[FactQuestion]
) -> None:
    assert desk.request.expires_at is not None
    world.advance(desk.request.expires_at)
    assert (await send(manager, desk, said(questions[:1]))).status_code == 201
    world.advance(desk.request.expires_at + 1)
    answer = await send(manager, desk, said(questions[1:2]))
    assert (answer.status_code, answer.json()["error"]["code"]) == (410, "link_expired")


async def test_a_link_that_is_none_is_no_credential(
    nobody: Api, desk: Desk, questions: list[FactQuestion]
) -> None:
    for caller, more in (
        (nobody.with_link("wrong"), {}),
        (nobody, {"link": "wrong"}),
        (nobody, {"link": ""}),
    ):
        answer = await send(caller, desk, said(questions[:1]), **more)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "not_signed_in")


async def test_a_link_opens_only_its_own_questionnaire(
    manager: Api, world: World, desk: Desk, me: Operator
) -> None:
    other = questionnaires.open_fact_request(world, me, desk.lindqvist_claim.id, "PA", "lack_of_work")
    answer = await manager.post(
        f"/api/fact-requests/{other.id}/answers", answers=[{"question_id": "x", "text": "x"}]
    )
    assert answer.status_code == 404


async def test_the_link_of_a_draft_opens_nothing(nobody: Api, world: World, desk: Desk, me: Operator) -> None:
    from sites.claims_desk.store.letters import link_token

    draft = questionnaires.open_fact_request(world, me, desk.lindqvist_claim.id, "PA", "lack_of_work")
    caller = nobody.with_link(link_token(world, draft.id))
    answer = await caller.post(
        f"/api/fact-requests/{draft.id}/answers", answers=[{"question_id": "x", "text": "x"}]
    )
    assert answer.status_code == 401


async def test_a_link_is_no_way_into_the_rest_of_the_api(manager: Api, desk: Desk) -> None:
    for path in (
        "/api/fact-requests",
        "/api/claims",
        f"/api/claims/{desk.lindqvist_claim.id}",
        "/api/events",
    ):
        assert (await manager.get(path)).status_code == 401
    assert (await manager.post(f"/api/fact-requests/{desk.request.id}/send")).status_code == 401


async def test_a_link_reads_the_questions_of_its_own_questionnaire_and_no_more(
    manager: Api, desk: Desk, questions: list[FactQuestion]
) -> None:
    shown = (await manager.get(f"/api/fact-requests/{desk.request.id}")).json()
    assert [question["id"] for question in shown["questions"]] == [question.id for question in questions]
    assert shown["claimant_name"] == desk.lindqvist.name and "ssn_last4" not in repr(shown)
    assert (await manager.get(f"/api/fact-requests/{desk.neighbour.request.id}")).status_code == 404


# the manager's page


async def submit(nobody: Api, desk: Desk, fields: dict[str, str]) -> httpx.Response:
    """What a browser sends for the manager's form."""
    return await nobody.call(
        "POST", f"/api/fact-requests/{desk.request.id}/answers", data=fields,
        headers={"Accept": "text/html,*/*"}, follow_redirects=False,
    )  # fmt: skip


async def test_the_form_saves_what_is_filled_in_and_goes_back_to_the_page(
    nobody: Api, world: World, desk: Desk, questions: list[FactQuestion], token: str
) -> None:
    fields = {"link": token, f"answer.{questions[0].id}": " Late. ", f"answer.{questions[1].id}": "  "}
    answer = await submit(nobody, desk, fields)
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        f"/w/main/sites/claims_desk/q/{token}?saved=1",
    )
    assert [(row.question_id, row.text) for row in stored(world, desk)] == [(questions[0].id, "Late.")]


async def test_a_form_that_is_refused_goes_back_with_the_reason(
    nobody: Api, world: World, desk: Desk, questions: list[FactQuestion], token: str
) -> None:
    page = f"/w/main/sites/claims_desk/q/{token}"
    assert (await submit(nobody, desk, {"link": token})).headers["location"] == f"{page}?error=invalid"
    fields = {"link": token, f"answer.{questions[0].id}": "x"}
    await submit(nobody, desk, fields)
    assert (await submit(nobody, desk, fields)).headers["location"] == f"{page}?error=already_answered"
    long = {"link": token, f"answer.{'x' * 500}": "x"}
    assert (await submit(nobody, desk, long)).headers["location"] == f"{page}?error=invalid"


async def test_a_form_with_a_link_that_is_none_goes_to_that_links_page(nobody: Api, desk: Desk) -> None:
    answer = await submit(nobody, desk, {"link": "a/b?c", "answer.x": "x"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/w/main/sites/claims_desk/q/a%2Fb%3Fc")
