"""Webhooks: what is told to whom, in the transaction of what happened, signed, and sent again when asked."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import date

import orjson
import pytest

from fakes.core import delivering, outbox
from fakes.core.delivering import Outcome
from fakes.core.outbox import NotSendable, Outgoing, Stamp
from fakes.core.world import World
from sites.claims_desk.errors import DeskError, Invalid, NotFound, TooManyWebhooks
from sites.claims_desk.schema import Operator, Webhook
from sites.claims_desk.store import events, ledger, notices, protests, questionnaires, webhooks
from sites.claims_desk.store.notices import NoticeInput
from sites.claims_desk.store.questionnaires import AnswerInput
from tests.sites.claims_desk.conftest import Api, Desk, Facts

URL = "http://127.0.0.1:3000/hooks"
PLACE = "/settings/webhooks"


@pytest.fixture
def hook(world: World, me: Operator) -> Webhook:
    """A webhook that wants everything."""
    return webhooks.add_webhook(world, me, URL, webhooks.EVENTS)


@pytest.fixture
def mira(nobody: Api, facts: Facts) -> Api:
    """Mira in a browser that is logged in."""
    return nobody.with_cookie(facts.mira)


def told(world: World) -> list[Outgoing]:
    return world.all(Outgoing, "WHERE kind = 'webhook' ORDER BY id")


def recorded(world: World, me: Operator, desk: Desk) -> str:
    given = NoticeInput(
        "determination", "NY", desk.determination.id, date(2025, 10, 14), date(2025, 10, 15),
        claim_id=desk.dana_claim.id,
    )  # fmt: skip
    return notices.record_notice(world, me, given).id


def given_up(world: World, id: int) -> None:
    for _ in range(len(delivering.DELAYS) + 1):
        claimed = delivering.claim(world, id, 1_700_000_000_123, lambda url: None)
        assert claimed is not None
        delivering.record(world, claimed, Outcome(False, 503, "Answered 503.", "<b>busy</b>"), 2)


# what is told


def test_each_event_is_told_with_the_row_that_it_is_about(
    world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    notice = recorded(world, me, desk)
    notices.flag_for_human(world, me, notice, "Look.")
    asked = questionnaires.open_fact_request(world, me, desk.lindqvist_claim.id, "PA", "discharge_misconduct")
    questionnaires.send_fact_request(world, me, asked.id)
    question = questionnaires.fact_request(world, me, asked.id).questions[0]
    questionnaires.answer(world, asked.id, [AnswerInput(question.id, "a secret")], me)
    draft = protests.open_draft(world, me, notice)
    protests.file_draft(world, me, draft.id)
    slot = ledger.start_upload(world, me, "q3.txt", "statement", "text/plain")
    ledger.put_upload(world, me, slot.id, desk.q3_text.encode())
    audit = ledger.start_audit(world, me, ledger.confirm_upload(world, me, slot.id, "statement").id)
    rows = told(world)
    subjects = [(row.payload["event"], row.payload["data"]["id"]) for row in rows]
    assert subjects == [
        ("notice.recorded", notice), ("notice.flagged", notice), ("questionnaire.sent", asked.id),
        ("questionnaire.answered", asked.id), ("protest.filed", draft.id), ("statement.audited", audit.id),
    ]  # fmt: skip
    assert {event for event, _ in subjects} == set(webhooks.EVENTS)
    assert [row.topic for row in rows] == [f"{hook.id} {id}" for _, id in subjects]
    whole = " ".join(row.payload_json for row in rows)
    assert "a secret" not in whole and "link_digest" not in whole and "tenant_id" not in whole
    assert rows[0].payload["data"]["recorded_at"] == rows[0].payload["occurred_at"]
    assert rows[3].payload["data"]["answered_now"] == 1 and rows[5].payload["data"]["lines"] == 6


def test_a_notice_that_is_flagged_as_it_is_recorded_is_told_as_flagged_too(
    world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    made = notices.record_notice(world, me, NoticeInput(
        type="determination", state="NY", document_id=desk.determination.id, claim_id=desk.dana_claim.id,
        notice_date=desk.printed.notice_date, mail_date=desk.printed.mail_date,
        printed_due=desk.printed.printed_due,
    ))  # fmt: skip
    assert made.needs_human
    assert [row.payload["event"] for row in told(world)] == ["notice.recorded", "notice.flagged"]


def test_only_what_is_wanted_is_told_and_only_to_the_own_tenant(
    world: World, me: Operator, desk: Desk, facts: Facts
) -> None:
    theirs = desk.neighbour.operator
    webhooks.add_webhook(world, theirs, URL, webhooks.EVENTS)
    webhooks.add_webhook(world, me, URL, ["protest.filed"])
    notice = recorded(world, me, desk)
    assert told(world) == []
    protests.file_draft(world, me, protests.open_draft(world, me, notice).id)
    assert [row.payload["event"] for row in told(world)] == ["protest.filed"]


def test_what_is_refused_or_undone_is_not_told(world: World, me: Operator, desk: Desk, hook: Webhook) -> None:
    notice = recorded(world, me, desk)
    count = len(told(world))
    with pytest.raises(DeskError):
        recorded(world, me, desk)
    with pytest.raises(Invalid):
        notices.flag_for_human(world, me, notice, " ")
    with pytest.raises(RuntimeError), world.tx():
        notices.flag_for_human(world, me, notice, "Look.")
        raise RuntimeError
    assert len(told(world)) == count


def test_seeds_have_no_webhooks_and_worlds_without_any_no_outgoing_rows(
    world: World, me: Operator, desk: Desk
) -> None:
    assert world.count(Webhook) == 0
    recorded(world, me, desk)
    assert told(world) == []


# how it is sent


def test_a_delivery_is_signed_over_the_wall_clock_and_the_body(
    world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    recorded(world, me, desk)
    post = webhooks.to_send(world, told(world)[0], Stamp("dlv", 1_700_000_000_123))
    assert post.url == URL and post.headers["Ferry-Delivery"] == "dlv"
    assert post.headers["Ferry-Event"] == "notice.recorded"
    assert post.headers["Ferry-Timestamp"] == "1700000000"
    key = webhooks.secret_of(world, hook).encode()
    wanted = hmac.new(key, b"1700000000." + post.content, hashlib.sha256).hexdigest()
    assert post.headers["Ferry-Signature"] == f"v1={wanted}"
    body = orjson.loads(post.content)
    assert body.keys() == {"id", "event", "occurred_at", "data"} and body["id"] == "dlv"


def test_what_was_not_sent_when_its_webhook_went_is_kept(
    world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    recorded(world, me, desk)
    webhooks.remove_webhook(world, me, hook.id)
    with pytest.raises(NotSendable, match="was removed"):
        webhooks.to_send(world, told(world)[0], Stamp("dlv", 1))
    assert delivering.claim(world, told(world)[0].id, 1, lambda url: None) is None
    assert outbox.view(world, told(world)[0].id).state == "kept"


# the API


async def test_a_webhook_is_made_listed_and_removed_and_its_secret_shown_once(
    api: Api, world: World, me: Operator
) -> None:
    made = (await api.post("/api/webhooks", url=URL, events=["protest.filed", "notice.recorded"])).json()
    assert made["secret"].startswith("whsec_") and made["events"] == ["notice.recorded", "protest.filed"]
    shown = (await api.get("/api/webhooks")).json()["webhooks"]
    assert shown == [{name: value for name, value in made.items() if name != "secret"}]
    assert (await api.get(f"/api/webhooks/{made['id']}")).json() == shown[0]
    assert made["secret"].encode() not in world.image()
    assert (await api.call("DELETE", f"/api/webhooks/{made['id']}")).status_code == 204
    assert (await api.get("/api/webhooks")).json()["webhooks"] == []
    assert [event.kind for event in events.events(world, me)[:2]] == ["webhook.removed", "webhook.added"]


@pytest.mark.parametrize(
    ("url", "wanted", "field", "said"),
    [
        ("http://example.com/hooks", ["protest.filed"], "url", "PARACOSM_CALLBACKS=example.com:80"),
        ("http://10.0.0.1/", ["protest.filed"], "url", "not this machine"),
        ("hooks", ["protest.filed"], "url", "no URL"),
        (URL, [], "events", "at least one event"),
        (URL, ["protest.lost"], "events", "'protest.lost'"),
    ],
)
async def test_what_can_not_be_told_is_refused(
    api: Api, world: World, url: str, wanted: list[str], field: str, said: str
) -> None:
    answer = await api.post("/api/webhooks", url=url, events=wanted)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["field"]) == (422, "invalid", field)
    assert said in error["message"] and world.count(Webhook) == 0


async def test_a_listed_host_is_taken(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARACOSM_CALLBACKS", "app:3000")
    answer = await api.post("/api/webhooks", url="http://app:3000/hooks", events=["protest.filed"])
    assert answer.status_code == 201


def test_a_desk_has_a_handful(world: World, me: Operator) -> None:
    for _ in range(webhooks.MOST):
        webhooks.add_webhook(world, me, URL, ["protest.filed"])
    with pytest.raises(TooManyWebhooks):
        webhooks.add_webhook(world, me, URL, ["protest.filed"])


async def test_deliveries_are_listed_and_sent_again(
    api: Api, outsider: Api, world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    recorded(world, me, desk)
    id = told(world)[0].id
    given_up(world, id)
    path = f"/api/webhooks/{hook.id}/deliveries"
    (one,) = (await api.get(path)).json()["deliveries"]
    assert (one["number"], one["event"], one["state"]) == (id, "notice.recorded", "dead")
    assert one["why"] == "Answered 503." and len(one["attempts"]) == len(delivering.DELAYS) + 1
    assert one["attempts"][0]["sent_at"] == "2023-11-14T22:13:20.123000Z"
    assert (await outsider.get(path)).status_code == 404
    assert (await outsider.call("POST", f"{path}/{id}/resend")).status_code == 404
    again = (await api.call("POST", f"{path}/{id}/resend")).json()
    assert (again["state"], again["id"]) == ("waiting", one["id"])
    claimed = delivering.claim(world, id, 3, lambda url: None)
    assert claimed is not None and claimed.post.headers["Ferry-Delivery"] == one["id"]
    busy = await api.call("POST", f"{path}/{id}/resend")
    assert (busy.status_code, busy.json()["error"]["code"]) == (409, "being_sent")
    for missing in ("0", "99", "x", "9" * 30):
        assert (await api.call("POST", f"{path}/{missing}/resend")).status_code == 404


def test_a_delivery_of_another_webhook_is_not_found(
    world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    other = webhooks.add_webhook(world, me, URL, ["protest.filed"])
    recorded(world, me, desk)
    assert [view.outgoing.id for view in webhooks.deliveries(world, me, hook.id)] == [told(world)[0].id]
    assert webhooks.deliveries(world, me, other.id) == []
    with pytest.raises(NotFound):
        webhooks.send_again(world, me, other.id, str(told(world)[0].id))


# the pages


async def test_the_settings_page_makes_a_webhook_and_shows_its_secret_once(mira: Api, world: World) -> None:
    form = {"csrf": mira.headers["X-CSRF"], "url": URL, "notice.recorded": "1"}
    page = (await mira.call("POST", PLACE, data=form)).text
    secret = re.search(r"whsec_\w+", page)
    made = world.one(Webhook)
    assert secret is not None and made is not None and made.events == "notice.recorded"
    assert secret[0] == webhooks.secret_of(world, made)
    for path in (PLACE, f"{PLACE}/{made.id}"):
        text = (await mira.get(path)).text
        assert URL in text and secret[0] not in text


async def test_a_form_that_is_refused_comes_back_as_it_was_typed(mira: Api, world: World) -> None:
    form = {"csrf": mira.headers["X-CSRF"], "url": "http://example.com/x", "notice.recorded": "1"}
    answer = await mira.call("POST", PLACE, data=form)
    assert answer.status_code == 422 and "PARACOSM_CALLBACKS" in answer.text
    assert (
        'value="http://example.com/x"' in answer.text
        and 'name="notice.recorded" value="1" checked' in answer.text
    )
    assert world.count(Webhook) == 0


async def test_the_page_tells_what_became_of_deliveries_and_sends_again(
    mira: Api, world: World, me: Operator, desk: Desk, hook: Webhook
) -> None:
    recorded(world, me, desk)
    id = told(world)[0].id
    given_up(world, id)
    text = (await mira.get(f"{PLACE}/{hook.id}")).text
    assert "Given up" in text and "Answered 503." in text and "&lt;b&gt;busy" in text
    assert "Nothing is sent from this world" in text
    world.turn_pump(True)
    assert "Nothing is sent from this world" not in (await mira.get(f"{PLACE}/{hook.id}")).text
    path, form = f"{PLACE}/{hook.id}/deliveries/{id}/resend", {"csrf": mira.headers["X-CSRF"]}
    assert (await mira.call("POST", path, data=form)).status_code == 303
    assert outbox.view(world, id).state == "waiting"
    assert (await mira.call("POST", path.replace(f"/{id}/", "/x/"), data=form)).status_code == 404
    assert (await mira.call("POST", f"{PLACE}/{hook.id}/remove", data=form)).status_code == 303
    assert world.count(Webhook) == 0 and (await mira.get(f"{PLACE}/{hook.id}")).status_code == 404
