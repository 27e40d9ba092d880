from __future__ import annotations

import pytest

from fakes.core.world import World
from sites.claims_desk.schema import Claim, Operator
from sites.claims_desk.seed import Desk
from tests.sites.claims_desk.conftest import Api


async def test_pages_hold_every_claim_once_newest_first(api: Api, world: World, me: Operator) -> None:
    found: list[str] = []
    token = ""
    while True:
        page = (await api.get("/api/claims", limit=5, page_token=token)).json()
        found += [claim["id"] for claim in page["claims"]]
        token = page["next_page_token"]
        if token is None:
            break
    expected = world.all(Claim, "WHERE tenant_id = ? ORDER BY seq DESC", (me.tenant_id,))
    assert found == [claim.id for claim in expected] and len(found) > 5


async def test_rows_that_arrive_meanwhile_do_not_shift_the_pages(api: Api, world: World, desk: Desk) -> None:
    first = (await api.get("/api/events", limit=3)).json()
    await api.post("/api/fact-requests", claim_id=desk.dana_claim.id, state="NY", category="lack_of_work")
    second = (await api.get("/api/events", limit=3, page_token=first["next_page_token"])).json()
    assert not {row["id"] for row in first["events"]} & {row["id"] for row in second["events"]}


async def test_a_token_of_another_list_or_tenant_or_nobody_is_refused(api: Api, outsider: Api) -> None:
    token = (await api.get("/api/claims", limit=1)).json()["next_page_token"]
    for caller, path, given in (
        (api, "/api/notices", token),
        (outsider, "/api/claims", token),
        (api, "/api/claims", "abc"),
        (api, "/api/claims", "é"),
    ):
        answer = await caller.get(path, page_token=given)
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, "page_token")


async def test_a_list_shows_each_notice_as_its_own_answer_does(api: Api, world: World) -> None:
    with world.tx() as tx:  # rows that nothing of ours writes: lists show them all the same
        first, second = tx.execute("SELECT id FROM cd_notices ORDER BY seq LIMIT 2")
        tx.execute(
            "UPDATE cd_notices SET claimant_id = NULL, claim_id = 'none', needs_human = 7, mail_date = ''"
            " WHERE id = ?",
            first,
        )
        tx.execute("UPDATE cd_notices SET document_id = NULL, answered_at = 0 WHERE id = ?", second)
    listed = (await api.get("/api/notices")).json()["notices"]
    assert len(listed) > 2
    for shown in listed:
        assert (await api.get(f"/api/notices/{shown['id']}")).json() == shown


async def test_a_list_shows_each_claim_as_its_own_answer_does(api: Api, world: World) -> None:
    with world.tx() as tx:
        tx.execute("UPDATE cd_claims SET claimant_id = NULL WHERE seq = (SELECT min(seq) FROM cd_claims)")
    for shown in (await api.get("/api/claims")).json()["claims"]:
        whole = (await api.get(f"/api/claims/{shown['id']}")).json()
        assert shown.pop("notice_count") == len(whole["notices"])
        assert shown.pop("questionnaire_count") == len(whole["fact_requests"])
        assert shown == {name: whole[name] for name in shown}


@pytest.mark.parametrize("limit", ["0", "201", "-1", "x", "1.5", "²", "", "9" * 5000])
async def test_a_limit_that_can_not_be_is_refused(api: Api, limit: str) -> None:
    answer = await api.get("/api/claims", limit=limit)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "limit")


async def test_a_claim_shows_its_papers(api: Api, desk: Desk) -> None:
    shown = (await api.get(f"/api/claims/{desk.lindqvist_claim.id}")).json()
    assert (
        shown["claimant"]["name"] == "Astrid Lindqvist" and shown["claimant"]["hired_on"] < shown["filed_on"]
    )
    assert [row["id"] for row in shown["fact_requests"]] == [desk.request.id]
    assert len(shown["notices"]) == 1 and shown["opened_at"].endswith("Z")
    of_whom = (await api.get(f"/api/claimants/{desk.lindqvist.id}")).json()
    assert [claim["number"] for claim in of_whom["claims"]] == [desk.lindqvist_claim.number]
