from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.schema import Claim, Event, Notice, Operator
from sites.claims_desk.seed import Desk
from tests.sites.claims_desk.conftest import Api, Facts
from tests.sites.claims_desk.test_ledger import stored


@pytest.fixture
def given(desk: Desk) -> dict[str, Any]:
    """Dana's determination as its paper prints it."""
    printed = desk.printed
    assert printed.mail_date is not None and printed.printed_due is not None
    return {
        "claim_id": desk.dana_claim.id,
        "type": "determination",
        "state": "NY",
        "notice_date": printed.notice_date.isoformat(),
        "mail_date": printed.mail_date.isoformat(),
        "printed_due": printed.printed_due.isoformat(),
        "document_id": desk.determination.id,
    }


async def test_a_determination_is_recorded_with_its_deadline_and_disagreement(
    api: Api, world: World, desk: Desk, given: dict[str, Any], me: Operator
) -> None:
    answer = await api.post("/api/notices", **given)
    assert answer.status_code == 201
    notice = world.get(Notice, answer.json()["id"])
    assert notice is not None and notice.claimant_id == desk.dana.id and notice.recorded_by == me.email
    due = rules.compute("NY", "determination", desk.printed.notice_date, desk.printed.mail_date)
    assert notice.due_computed == due.date and "Labor Law § 620" in (notice.due_rule or "")
    assert notice.printed_due == desk.printed.printed_due and due.date > desk.printed.printed_due  # type: ignore[operator]
    assert notice.due_disagreement is True and notice.needs_human is True
    assert notice.needs_human_reason and notice.needs_human_reason.startswith("The paper prints")


async def test_dates_that_agree_raise_no_flag(api: Api, desk: Desk, given: dict[str, Any]) -> None:
    due = rules.compute("NY", "determination", desk.printed.notice_date, desk.printed.mail_date)
    notice = (await api.post("/api/notices", **{**given, "printed_due": due.date.isoformat()})).json()
    assert (notice["due_disagreement"], notice["needs_human"], notice["needs_human_reason"]) == (
        False,
        False,
        None,
    )


async def test_a_date_that_the_rule_needs_but_the_paper_lacks_is_for_a_person(
    api: Api, given: dict[str, Any]
) -> None:
    notice = (await api.post("/api/notices", **{**given, "mail_date": None})).json()
    assert (notice["due_computed"], notice["due_disagreement"], notice["needs_human"]) == (None, None, True)
    assert "mail date" in notice["needs_human_reason"]


@pytest.mark.parametrize("by", ["claim_number", "claimant_id", "both", "all"])
async def test_any_identifier_finds_the_claim(api: Api, desk: Desk, given: dict[str, Any], by: str) -> None:
    ways = {
        "claim_number": {"claim_number": desk.dana_claim.number},
        "claimant_id": {"claimant_id": desk.dana.id},
        "both": {"claim_id": desk.dana_claim.id, "claimant_id": desk.dana.id},
    }
    ways["all"] = {**ways["claim_number"], **ways["both"]}
    body = {name: value for name, value in given.items() if name != "claim_id"} | ways[by]
    notice = (await api.post("/api/notices", **body)).json()
    assert (notice["claim_id"], notice["claimant_id"]) == (desk.dana_claim.id, desk.dana.id)


async def test_without_identifiers_a_new_claim_is_opened_for_whom_the_document_names(
    api: Api, world: World, desk: Desk, given: dict[str, Any]
) -> None:
    before = world.count(Claim)
    del given["claim_id"]
    notice = (await api.post("/api/notices", **given)).json()
    assert notice["claimant_id"] == desk.dana.id and notice["claim_id"] != desk.dana_claim.id
    opened = world.get(Claim, notice["claim_id"])
    assert world.count(Claim) == before + 1 and opened is not None
    assert (opened.status, opened.state, opened.claimant_id) == ("open", "NY", desk.dana.id)
    kinds = [event.kind for event in world.all(Event, "ORDER BY seq DESC LIMIT 2")]
    assert kinds == ["notice.recorded", "claim.opened"]


@pytest.mark.parametrize("text", ["a letter", b"\xff"])
async def test_without_identifiers_a_paper_that_names_nobody_is_refused(
    api: Api, world: World, me: Operator, given: dict[str, Any], text: str | bytes
) -> None:
    del given["claim_id"]
    body = {**given, "document_id": stored(world, me, text, "notice").id}
    before = world.state_hash()
    answer = await api.post("/api/notices", **body)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "document_id")
    assert world.state_hash() == before


async def test_a_document_that_names_a_stranger_is_refused(
    api: Api, world: World, me: Operator, desk: Desk, given: dict[str, Any]
) -> None:
    text = rules.notice(rules.NoticeFacts(**{**desk.printed.__dict__, "claimant_name": "Nobody Here"}))
    del given["claim_id"]
    answer = await api.post("/api/notices", **{**given, "document_id": stored(world, me, text, "notice").id})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "claimant_unclear")


async def test_two_claims_of_one_claimant_are_not_guessed_between(
    api: Api, world: World, desk: Desk, given: dict[str, Any]
) -> None:
    del given["claim_id"]
    await api.post("/api/notices", **given)  # opens the second claim
    paper = stored(world, desk.operators[0], "x", "notice")
    answer = await api.post("/api/notices", **{**given, "claimant_id": desk.dana.id, "document_id": paper.id})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "claimant_unclear")
    assert desk.dana_claim.number in answer.json()["error"]["message"]


async def test_identifiers_that_contradict_each_other_are_refused(
    api: Api, desk: Desk, given: dict[str, Any]
) -> None:
    contradictions = [
        ({"claimant_id": desk.marcus.id}, "claimant_id"),
        ({"claim_number": desk.marcus_claim.number}, "claim_number"),
        ({"state": "PA"}, "state"),
    ]
    for wrong, field in contradictions:
        answer = await api.post("/api/notices", **{**given, **wrong})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


async def test_ids_of_another_tenant_are_not_found(api: Api, facts: Facts, given: dict[str, Any]) -> None:
    theirs = facts.desk.neighbour
    foreign = {
        "claim_id": theirs.claim.id, "claim_number": theirs.claim.number, "claimant_id": theirs.claimant.id,
        "document_id": theirs.document.id,
    }  # fmt: skip
    for field, value in foreign.items():
        body = {name: kept for name, kept in given.items() if name != "claim_id"} | {field: value}
        answer = await api.post("/api/notices", **body)
        assert (answer.status_code, answer.json()["error"]["field"]) == (404, field)


async def test_a_paper_is_recorded_as_one_notice(api: Api, world: World, given: dict[str, Any]) -> None:
    await api.post("/api/notices", **given)
    answer = await api.post("/api/notices", **given)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_recorded")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("type", "invoice"), ("type", 5), ("state", "New York"), ("state", "ny"), ("mail_date", "yesterday"),
        ("mail_date", "2025-13-01"), ("mail_date", "2025-10-16T00:00:00"), ("mail_date", 20251016),
        ("mail_date", ""),
        ("mail_date", "0001-01-01"), ("notice_date", "16.10.2025"), ("printed_due", True),
        ("document_id", None),
        ("claim_id", ["x"]), ("colour", "red"),
    ],
)  # fmt: skip
async def test_a_bad_field_is_named_and_nothing_changes(
    api: Api, world: World, given: dict[str, Any], field: str, value: object
) -> None:
    before = world.state_hash()
    answer = await api.post("/api/notices", **{**given, field: value})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    assert world.state_hash() == before


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"[" * 5000, b'{"type": "\\ud800"}'])
async def test_a_body_that_is_no_json_is_a_bad_request(api: Api, raw: bytes) -> None:
    answer = await api.call("POST", "/api/notices", content=raw)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


async def test_a_flag_needs_a_reason_and_keeps_the_one_that_stands(
    api: Api, world: World, given: dict[str, Any]
) -> None:
    id = (await api.post("/api/notices", **given)).json()["id"]
    assert (await api.post(f"/api/notices/{id}/flag", reason="  ")).json()["error"]["field"] == "reason"
    flagged = (await api.post(f"/api/notices/{id}/flag", reason="Ask the agency.")).json()
    assert flagged["needs_human"] is True and flagged["flagged_by"] == "mira@harborlight.example"
    assert flagged["needs_human_reason"].startswith("The paper prints")
    assert flagged["needs_human_reason"].endswith("Ask the agency.")


async def test_a_notice_is_marked_as_answered_once(
    api: Api, world: World, me: Operator, given: dict[str, Any]
) -> None:
    id = (await api.post("/api/notices", **given)).json()["id"]
    answered = await api.post(f"/api/notices/{id}/answered")
    assert answered.status_code == 200 and answered.json()["answered_at"].startswith("2025-10-21T")
    told = world.one(Event, "ORDER BY seq DESC")
    assert told is not None and (told.kind, told.subject_id, told.actor) == ("notice.answered", id, me.email)
    again = await api.post(f"/api/notices/{id}/answered")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_answered")


async def test_the_log_says_what_was_recorded_in_words(
    api: Api, world: World, desk: Desk, given: dict[str, Any]
) -> None:
    await api.post("/api/notices", **given)
    told = world.one(Event, "ORDER BY seq DESC")
    number = desk.dana_claim.number
    assert told and told.summary == f"Determination from New York recorded on Dana Whitfield's claim {number}"


def test_no_summary_of_the_log_holds_a_code(world: World) -> None:
    codes = (*rules.NOTICE_TYPES, *rules.CATEGORIES)
    named = [code for code in codes if "_" in code]
    summaries = [event.summary for event in world.all(Event)]
    assert named and not [text for text in summaries if any(code in text for code in named)]


async def test_a_state_without_rules_is_for_a_person(
    api: Api, world: World, me: Operator, desk: Desk, given: dict[str, Any]
) -> None:
    del given["claim_id"]
    body = {**given, "state": "VT", "claimant_id": desk.dana.id}
    notice = (await api.post("/api/notices", **body)).json()
    assert notice["due_computed"] is None and "'VT'" in notice["needs_human_reason"]


async def test_the_due_date_follows_the_mail_date(api: Api, desk: Desk, given: dict[str, Any]) -> None:
    assert desk.printed.mail_date is not None
    later = desk.printed.mail_date + timedelta(days=3)
    notice = (await api.post("/api/notices", **{**given, "mail_date": later.isoformat()})).json()
    assert notice["due_computed"] == rules.compute("NY", "determination", None, later).date.isoformat()
