from __future__ import annotations

import pytest

from fakes.core.world import World
from sites.claims_desk import rules
from sites.claims_desk.schema import Document, Operator, Statement, StatementLine
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import ledger
from tests.sites.claims_desk.conftest import Api


def stored(world: World, me: Operator, text: str | bytes, kind: str = "statement") -> Document:
    """A document with these bytes."""
    slot = ledger.start_upload(world, me, "paper.txt", kind, "text/plain")
    ledger.put_upload(world, me, slot.id, text if isinstance(text, bytes) else text.encode())
    return ledger.confirm_upload(world, me, slot.id, kind)


async def test_an_audit_makes_the_statement_with_marked_lines(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    paper = stored(world, me, desk.q3_text)
    answer = await api.post(f"/api/documents/{paper.id}/audit")
    assert answer.status_code == 201
    assert (answer.json()["state"], answer.json()["quarter"]) == ("NY", f"Q3 {rules.q3_year(world.today())}")
    lines = answer.json()["lines"]
    marks = [(line["claimant_name"], line["mark"]) for line in lines]
    assert marks == [
        ("Rosa Delgado", "expected"), ("Howard Pruitt", "questionable"), ("Yusuf Adeyemi", "expected"),
        ("Terrence Boyd", "questionable"), ("Ines Calloway", "questionable"),
        ("Rosa Delgado", "questionable"),
    ]  # fmt: skip
    assert all(line["reason"].endswith(".") for line in lines)
    audited = world.get(Document, paper.id)
    assert audited is not None and audited.audit_started_at == world.now()


async def test_headline_and_body_are_sums_over_the_same_rows(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    made = ledger.start_audit(world, me, stored(world, me, desk.q3_text).id)
    line = world.all(StatementLine, "WHERE statement_id = ? ORDER BY seq", (made.id,))[0]
    with world.tx() as tx:
        tx.update(line, amount_cents=1)
    shown = (await api.get(f"/api/statements/{made.id}")).json()
    listed = (await api.get("/api/statements")).json()["statements"][0]
    assert shown == listed
    assert shown["total_cents"] == sum(line["amount_cents"] for line in shown["lines"])
    assert shown["total_cents"] == shown["expected_cents"] + shown["questionable_cents"]


def test_lines_point_at_the_claims_that_they_were_held_against(
    world: World, desk: Desk, me: Operator
) -> None:
    made = ledger.start_audit(world, me, stored(world, me, desk.q3_text).id)
    lines = ledger.statement(world, me, made.id).lines
    assert [line.claim_id is not None for line in lines] == [True, True, True, True, False, True]


@pytest.mark.parametrize("kind", ["notice", "other"])
async def test_only_statements_are_audited(
    api: Api, world: World, desk: Desk, me: Operator, kind: str
) -> None:
    paper = stored(world, me, desk.q3_text, kind)
    answer = await api.post(f"/api/documents/{paper.id}/audit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_auditable")


async def test_a_document_is_audited_once(api: Api, world: World, desk: Desk, me: Operator) -> None:
    paper = stored(world, me, desk.q3_text)
    await api.post(f"/api/documents/{paper.id}/audit")
    answer = await api.post(f"/api/documents/{paper.id}/audit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_audited")
    assert world.count(Statement, "WHERE document_id = ?", (paper.id,)) == 1


async def test_the_same_bytes_are_a_second_document_but_no_second_audit(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    first = stored(world, me, desk.q3_text)
    waiting = len(ledger.unaudited(world, me))
    again = stored(world, me, desk.q3_text)
    assert len(ledger.unaudited(world, me)) == waiting + 1, "before the audit nobody can tell which counts"
    assert (await api.post(f"/api/documents/{first.id}/audit")).status_code == 201
    answer = await api.post(f"/api/documents/{again.id}/audit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already_audited")
    assert first.id in answer.json()["error"]["message"]
    assert world.count(Statement, "WHERE document_id = ?", (again.id,)) == 0
    assert ledger.audited_copies(world, me) == {again.id: first.id}
    assert len(ledger.unaudited(world, me)) == waiting - 1


def test_the_same_bytes_at_another_employer_are_another_paper(world: World, desk: Desk, me: Operator) -> None:
    ledger.start_audit(world, me, stored(world, me, desk.q3_text).id)
    theirs = desk.neighbour.operator
    made = ledger.start_audit(world, theirs, stored(world, theirs, desk.q3_text).id)
    assert made.tenant_id == theirs.tenant_id


@pytest.mark.parametrize("content", ["no statement at all", b"\xff\xfe", "a\nSTATEMENT OF BENEFIT CHARGES\n"])
async def test_a_paper_that_can_not_be_read_changes_nothing(
    api: Api, world: World, me: Operator, content: str | bytes
) -> None:
    paper = stored(world, me, content)
    before = world.state_hash()
    answer = await api.post(f"/api/documents/{paper.id}/audit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unreadable_paper")
    assert world.state_hash() == before
