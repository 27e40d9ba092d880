from __future__ import annotations

import pytest

from fakes.core.world import World
from sites.claims_desk.errors import NotFlagged
from sites.claims_desk.schema import Claim, Draft, Event, Notice, Operator
from sites.claims_desk.store import notices
from tests.sites.claims_desk.conftest import Api


@pytest.fixture
def notice(world: World, me: Operator) -> Notice:
    """A notice that nobody has protested."""
    sql = "WHERE tenant_id = ? AND id NOT IN (SELECT notice_id FROM cd_drafts) ORDER BY seq DESC"
    found = world.one(Notice, sql, (me.tenant_id,))
    assert found is not None
    return found


async def test_a_protest_is_opened_edited_and_filed(
    api: Api, world: World, notice: Notice, me: Operator
) -> None:
    opened = await api.post("/api/drafts", notice_id=notice.id)
    title = "Protest of the request for information from Pennsylvania, "
    assert opened.status_code == 201 and opened.json()["title"].startswith(title)
    id = opened.json()["id"]
    edited = await api.call("PATCH", f"/api/drafts/{id}", json={"body": "For three reasons."})
    assert (edited.json()["body"], edited.json()["title"]) == ("For three reasons.", opened.json()["title"])
    filed = await api.post(f"/api/drafts/{id}/file")
    assert filed.json()["status"] == "filed" and filed.json()["filed_by"] == me.email
    row, claim = world.get(Draft, id), world.get(Claim, notice.claim_id)
    assert row is not None and row.filed_at == world.now()
    assert claim is not None and claim.status == "protested"
    kinds = [event.kind for event in world.all(Event, "ORDER BY seq DESC LIMIT 3")]
    assert kinds == ["protest.filed", "protest.edited", "protest.opened"]


async def test_a_filed_protest_stays_as_it_is(api: Api, notice: Notice) -> None:
    id = (await api.post("/api/drafts", notice_id=notice.id)).json()["id"]
    await api.post(f"/api/drafts/{id}/file")
    edit, again = (
        await api.call("PATCH", f"/api/drafts/{id}", json={"body": "x"}),
        await api.post(f"/api/drafts/{id}/file"),
    )
    assert [answer.json()["error"]["code"] for answer in (edit, again)] == ["already_filed", "already_filed"]


async def test_a_notice_has_one_protest(api: Api, notice: Notice) -> None:
    await api.post("/api/drafts", notice_id=notice.id)
    again = await api.post("/api/drafts", notice_id=notice.id)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_drafted")


async def test_blank_titles_and_blank_bodies_are_refused(api: Api, notice: Notice) -> None:
    refused = await api.post("/api/drafts", notice_id=notice.id, title=" ")
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "title")
    id = (await api.post("/api/drafts", notice_id=notice.id, body="")).json()["id"]
    refused = await api.post(f"/api/drafts/{id}/file")
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "body")
    assert (await api.call("PATCH", f"/api/drafts/{id}", json={})).status_code == 422


async def test_a_protest_filed_after_the_last_day_says_so_in_the_log(
    api: Api, world: World, notice: Notice
) -> None:
    id = (await api.post("/api/drafts", notice_id=notice.id)).json()["id"]
    assert notice.due_computed is not None
    world.advance(world.now() + 60 * 86_400_000)
    token = api.with_token(world.person("mira@harborlight.example"))  # type: ignore[arg-type]
    await token.post(f"/api/drafts/{id}/file")
    event = world.one(Event, "WHERE kind = 'protest.filed' ORDER BY seq DESC")
    assert event is not None and event.summary.endswith(
        f"after the last day {notice.due_computed.isoformat()}"
    )


def test_a_flag_and_its_reason_come_down_together(world: World, me: Operator, notice: Notice) -> None:
    notices.flag_for_human(world, me, notice.id, "Who signed it?")
    cleared = notices.clear_flag(world, me, notice.id)
    assert (cleared.needs_human, cleared.needs_human_reason, cleared.flagged_by) == (False, None, None)
    with pytest.raises(NotFlagged):
        notices.clear_flag(world, me, notice.id)
