from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from fakes.core.store import Row
from fakes.core.world import World
from fakes.core.worlds import Worlds
from sites.claims_desk.schema import TABLES, Operator
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import claims, events, ledger, notices, protests, questionnaires
from tests.sites.claims_desk.conftest import Api, Facts
from tests.sites.claims_desk.test_access import ROUTES, filled

BODIES: dict[str, dict[str, Any]] = {
    "/api/notices/{id}/flag": {"reason": "x"},
    "/api/fact-requests/{id}/answers": {"answers": [{"question_id": "x", "text": "x"}]},
    "/api/drafts/{id}": {"title": "x"},
}
LISTS = ["claims", "claimants", "documents", "statements", "notices", "fact_requests", "drafts", "events"]


def foreign_ids(world: World, desk: Desk) -> list[str]:
    """Every id of the neighbour's rows, slots included."""
    theirs = desk.neighbour
    slot = ledger.start_upload(world, theirs.operator, "x", "other", "text/plain")
    rows = (
        theirs.claimant,
        theirs.claim,
        theirs.document,
        theirs.notice,
        theirs.request,
        theirs.draft,
        theirs.statement,
    )
    return [*(row.id for row in rows), slot.id]


@pytest.mark.parametrize(("method", "path"), [(m, p) for m, p in ROUTES if "{" in p])
async def test_no_route_takes_an_id_of_another_tenant(
    api: Api, world: World, desk: Desk, method: str, path: str
) -> None:
    ids = foreign_ids(world, desk)
    before = world.state_hash()
    for id in ids:
        kwargs: dict[str, Any] = {"content": b"x"} if method == "PUT" else {"json": BODIES.get(path, {})}
        answer = await api.call(method, filled(path, id), **kwargs)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), (path, id)
        same = await api.call(method, filled(path, "nothing"), **kwargs)
        assert answer.text.replace(id, "nothing") == same.text
    assert world.state_hash() == before


async def test_no_body_takes_an_id_of_another_tenant(api: Api, world: World, desk: Desk) -> None:
    theirs = desk.neighbour
    slot = ledger.start_upload(world, theirs.operator, "x", "other", "text/plain")
    ledger.put_upload(world, theirs.operator, slot.id, b"x")
    before = world.state_hash()
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("/upload/confirm", {"object_id": slot.id, "kind": "other"}),
        ("/api/fact-requests", {"claim_id": theirs.claim.id, "state": "NY", "category": "lack_of_work"}),
        ("/api/drafts", {"notice_id": theirs.notice.id}),
        ("/api/notices", {"claim_id": desk.dana_claim.id, "type": "determination", "state": "NY",
                          "document_id": theirs.document.id}),
    ]  # fmt: skip
    for path, body in bodies:
        assert (await api.post(path, **body)).status_code == 404, path
    assert world.state_hash() == before


async def test_lists_hold_rows_of_ones_own_tenant_only(api: Api, outsider: Api, desk: Desk) -> None:
    for name in LISTS:
        path = f"/api/{name.replace('_', '-')}"
        ours, theirs = (await api.get(path, limit=200)).json(), (await outsider.get(path, limit=200)).json()
        ours_ids, their_ids = ({row["id"] for row in found[name]} for found in (ours, theirs))
        assert ours_ids and their_ids and not ours_ids & their_ids
        assert not any("tenant_id" in row for row in ours[name])


async def test_without_identifiers_only_the_own_tenants_claimants_are_looked_at(
    outsider: Api, world: World, desk: Desk
) -> None:
    slot = ledger.start_upload(world, desk.neighbour.operator, "x", "notice", "text/plain")
    text = ledger.text_of(world, desk.operators[0], desk.determination.id)
    ledger.put_upload(world, desk.neighbour.operator, slot.id, (text or "").encode())
    paper = ledger.confirm_upload(world, desk.neighbour.operator, slot.id, "notice")
    answer = await outsider.post("/api/notices", type="determination", state="NY", document_id=paper.id)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "claimant_unclear")


async def test_worlds_do_not_see_each_other(api: Api, worlds: Worlds, facts: Facts) -> None:
    other = worlds.get("other")
    before = other.state_hash()
    answer = await api.post(
        "/api/fact-requests", claim_id=facts.desk.dana_claim.id, state="NY", category="lack_of_work"
    )
    assert answer.status_code == 201 and other.state_hash() == before


async def test_reset_brings_the_pristine_desk_back(api: Api, world: World, desk: Desk) -> None:
    await api.post("/api/fact-requests", claim_id=desk.dana_claim.id, state="NY", category="lack_of_work")
    assert world.state_hash() != world.pristine_hash
    world.reset()
    assert world.state_hash() == world.pristine_hash


def test_every_table_is_the_services(world: World) -> None:
    assert {row.__table__.name for row in TABLES} <= set(world.tables)


def test_no_look_up_by_ids_finds_rows_of_another_tenant(world: World, desk: Desk, me: Operator) -> None:
    theirs = desk.neighbour
    with world.tx() as tx:
        events.by(tx, world, theirs.operator, "claim.opened", theirs.claim.id, "x")
    for who, sees in ((theirs.operator, True), (me, False)):
        assert bool(events.about(world, who, [theirs.claim.id])) is sees
        assert bool(notices.of_ids(world, who, [theirs.notice.id])) is sees
        assert bool(protests.of_notices(world, who, [theirs.draft.notice_id])) is sees
        assert bool(ledger.statements_of(world, who, [theirs.statement.document_id])) is sees
        assert bool(notices.recorded_from(world, who, [theirs.notice.document_id or ""])) is sees
        assert bool(claims.numbered(world, who, theirs.claim.number)) is sees
    mine: list[Row] = [view.notice for view in notices.wanted_by(world, me, date.max)]
    mine += [view.notice for view in notices.flagged(world, me)]
    mine += [line.request for line in questionnaires.unanswered(world, me)]
    mine += [*protests.unfiled(world, me), *ledger.unrecorded(world, me), *ledger.unaudited(world, me)]
    assert mine and {row.values()["tenant_id"] for row in mine} == {me.tenant_id}
