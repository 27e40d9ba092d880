"""Reminders: what is due, who sends it, and that it goes out once."""

from __future__ import annotations

from datetime import timedelta

from fakes.core.clock import civil
from fakes.core.world import World
from sites.claims_desk.schema import Chase, Event, FactRequest, Operator, Tenant
from sites.claims_desk.seed import Desk
from sites.claims_desk.store import chases, questionnaires
from sites.claims_desk.store.questionnaires import AnswerInput
from tests.sites.claims_desk.conftest import Api, Facts, mails
from tests.sites.claims_desk.test_web_pages import mira as mira
from tests.sites.claims_desk.test_web_pages import post

DAY = 86_400_000


def by_hand(world: World, me: Operator) -> None:
    chases.set_by_hand(world, me, True)


def at(world: World, request: FactRequest, days_before: int, time: str = "09:00") -> int:
    assert request.due_at is not None
    last_day = civil(request.due_at, world.zone).date()
    return world.instant(last_day - timedelta(days=days_before), time)


def stands(world: World, me: Operator, request: FactRequest) -> list[str]:
    """How the questionnaire's two reminders stand, the earlier first."""
    return [line.state for line in chases.of_request(world, me, request.id)]


def sent_about(world: World) -> list[Event]:
    return world.all(Event, "WHERE kind = 'questionnaire.chased' ORDER BY seq")


def answer_all(world: World, me: Operator, request: FactRequest) -> None:
    view = questionnaires.fact_request(world, me, request.id)
    questionnaires.answer(world, request.id, [AnswerInput(q.id, "yes") for q in view.questions], me)


def test_sending_a_questionnaire_plans_two_reminders(world: World, desk: Desk, me: Operator) -> None:
    lines = chases.of_request(world, me, desk.request.id)
    planned = [(line.chase.days_before, line.chase.due_at, line.state) for line in lines]
    assert planned == [
        (3, at(world, desk.request, 3), "planned"),
        (1, at(world, desk.request, 1), "planned"),
    ]


def test_the_desk_sends_by_itself_and_stamps_it(world: World, desk: Desk, me: Operator, facts: Facts) -> None:
    world.advance(at(world, desk.request, 3))
    first = chases.of_request(world, me, desk.request.id)[0].chase
    reminder = mails(world, facts.manager.email)[-1]
    assert (first.sent_at, first.sent_by, first.message_id) == (world.now(), None, reminder.id)
    assert stands(world, me, desk.request) == ["sent", "planned"]


def test_by_hand_the_clock_sends_nothing_and_they_become_due(world: World, desk: Desk, me: Operator) -> None:
    by_hand(world, me)
    world.advance(at(world, desk.request, 3, "08:59"))
    assert stands(world, me, desk.request) == ["planned", "planned"] and chases.count_due(world, me) == 0
    world.advance(at(world, desk.request, 3))
    assert stands(world, me, desk.request) == ["due", "planned"] and chases.count_due(world, me) == 1
    world.advance(at(world, desk.request, 1))
    assert stands(world, me, desk.request) == ["overtaken", "due"] and not sent_about(world)


async def test_send_due_mails_each_once(
    api: Api, world: World, desk: Desk, me: Operator, facts: Facts
) -> None:
    by_hand(world, me)
    world.advance(at(world, desk.request, 1, "14:00"))
    answer = (await api.post("/api/chases/send-due")).json()
    assert ([row["sent_by"] for row in answer["sent"]], answer["refused"]) == ([me.email], [])
    assert "1 day is left" in mails(world, facts.manager.email)[-1].text
    count = len(mails(world))
    again = (await api.post("/api/chases/send-due")).json()
    assert (again["sent"], len(mails(world))) == ([], count)
    assert [event.actor for event in sent_about(world)] == [me.email]


async def test_one_may_go_before_its_time_and_then_no_more(
    api: Api, world: World, desk: Desk, me: Operator, facts: Facts
) -> None:
    early, late = chases.of_request(world, me, desk.request.id)
    answer = await api.post(f"/api/chases/{late.chase.id}/send")
    assert (answer.status_code, answer.json()["state"]) == (200, "sent")
    assert "7 days are left" in mails(world, facts.manager.email)[-1].text
    for line, code in ((late, "already_sent"), (early, "not_needed")):
        refused = await api.post(f"/api/chases/{line.chase.id}/send")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, code)
    count = len(mails(world))
    world.advance(world.now() + 20 * DAY)
    assert len(mails(world)) == count


async def test_what_is_answered_or_over_is_not_chased(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    by_hand(world, me)
    first = chases.of_request(world, me, desk.request.id)[0].chase
    world.advance((desk.request.due_at or 0) + 1)
    over = await api.post(f"/api/chases/{first.id}/send")
    assert (over.status_code, over.json()["error"]["code"]) == (410, "link_expired")
    answer_all(world, me, desk.request)
    answered = await api.post(f"/api/chases/{first.id}/send")
    assert (answered.status_code, answered.json()["error"]["code"]) == (409, "already_answered")
    assert stands(world, me, desk.request) == ["answered", "answered"] and not chases.due(world, me)


def asked_of_nobody(world: World, desk: Desk, me: Operator) -> FactRequest:
    """A second questionnaire that was sent, and whose manager takes no mail since."""
    made = questionnaires.open_fact_request(world, me, desk.dana_claim.id, "NY", "voluntary_quit")
    sent = questionnaires.send_fact_request(world, me, made.id)
    with world.tx() as tx:
        return tx.update(sent, manager_email="gone@refused.example", due_at=desk.request.due_at)


def due_too(world: World, desk: Desk, me: Operator) -> FactRequest:
    """The same with its first reminder due when that of the open questionnaire is."""
    other = asked_of_nobody(world, desk, me)
    with world.tx() as tx:
        first = chases.of_request(world, me, other.id)[0].chase
        tx.update(first, due_at=at(world, desk.request, 3))
    return other


async def test_a_refused_mail_stays_due_and_keeps_no_other_from_going(
    api: Api, world: World, desk: Desk, me: Operator
) -> None:
    by_hand(world, me)
    other = due_too(world, desk, me)
    world.advance(at(world, desk.request, 3))
    answer = (await api.post("/api/chases/send-due")).json()
    assert [row["request_id"] for row in answer["sent"]] == [desk.request.id]
    assert len(answer["refused"]) == 1 and "no such mailbox" in answer["refused"][0]["message"]
    assert [line.request.id for line in chases.due(world, me)] == [other.id]


async def test_lists_are_by_state_and_of_ones_own_tenant(
    api: Api, outsider: Api, world: World, desk: Desk, me: Operator
) -> None:
    by_hand(world, me)
    world.advance(at(world, desk.request, 3))
    listed = (await api.get("/api/chases", state="due")).json()["chases"]
    assert [(row["claimant_name"], row["days_before"]) for row in listed] == [(desk.lindqvist.name, 3)]
    assert len((await api.get("/api/chases")).json()["chases"]) == 2
    assert (await outsider.get("/api/chases")).json()["chases"] == []
    assert (await outsider.get(f"/api/chases/{listed[0]['id']}")).status_code == 404
    assert (await outsider.post("/api/chases/send-due")).json() == {"sent": [], "refused": []}
    wrong = await api.get("/api/chases", state="soon")
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "state")


async def test_who_sends_them_is_the_tenants_to_say(
    api: Api, outsider: Api, world: World, desk: Desk, me: Operator
) -> None:
    assert (await api.get("/api/chases/sending")).json() == {"by_hand": False}
    for _ in range(2):
        assert (await api.post("/api/chases/sending", by_hand=True)).json() == {"by_hand": True}
    assert world.count(Event, "WHERE kind = 'chases.changed'") == 1
    assert (await outsider.get("/api/chases/sending")).json() == {"by_hand": False}
    theirs = world.get(Tenant, desk.neighbour.tenant.id)
    assert theirs is not None and theirs.chases_by_hand is False


# the page


async def test_the_page_sends_what_is_due(
    nobody: Api, world: World, desk: Desk, me: Operator, facts: Facts
) -> None:
    by_hand(world, me)
    assert "No reminder is due." in (await nobody.with_cookie(facts.mira).get("/chases")).text
    world.advance(at(world, desk.request, 3))
    mira = nobody.with_cookie(facts.mira)  # the session of three days ago is over
    assert "Send the 1 reminder due" in (await mira.get("/chases")).text
    assert (await post(mira, "/chases/send-due"))[:2] == (303, "/chases?done=due-sent")
    page = (await mira.get("/chases")).text
    assert "No reminder is due." in page and me.email in page
    assert (await post(mira, "/chases/send-due"))[:2] == (303, "/chases")


async def test_the_page_sends_one_early(mira: Api, world: World, desk: Desk, me: Operator) -> None:
    late = chases.of_request(world, me, desk.request.id)[1].chase
    assert (await post(mira, f"/chases/{late.id}/send"))[:2] == (303, "/chases?done=chased")
    status, _, page = await post(mira, f"/chases/{late.id}/send")
    assert status == 409 and "sent already" in page
    assert (await post(mira, "/chases/nothing/send"))[0] == 404


async def test_the_page_says_of_which_the_mail_was_refused(
    nobody: Api, world: World, desk: Desk, me: Operator, facts: Facts
) -> None:
    by_hand(world, me)
    due_too(world, desk, me)
    world.advance(at(world, desk.request, 3))
    mira = nobody.with_cookie(facts.mira)
    status, _, page = await post(mira, "/chases/send-due")
    assert status == 409 and "gone@refused.example was refused" in page
    assert "Send the 1 reminder due" in page


async def test_the_page_switches_who_sends_them(mira: Api, world: World, me: Operator) -> None:
    assert "The desk sends each reminder by itself" in (await mira.get("/chases")).text
    assert (await post(mira, "/chases/sending", by_hand="yes"))[:2] == (303, "/chases?done=by-hand")
    assert chases.by_hand(world, me)
    assert "wait for an operator" in (await mira.get("/chases")).text
    await post(mira, "/chases/sending", by_hand="no")
    assert not chases.by_hand(world, me)


async def test_a_questionnaire_shows_its_reminders(mira: Api, world: World, desk: Desk, me: Operator) -> None:
    page = (await mira.get(f"/questionnaires/{desk.request.id}")).text
    assert page.count("Planned") == 2
    assert world.count(Chase, "WHERE request_id = ?", (desk.request.id,)) == 2
