"""Open a second misconduct questionnaire on the Pennsylvania claim, with the state's whole question set."""

from __future__ import annotations

from collections import Counter

from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.claims_desk.environment import env
from scenarios.claims_desk.seed import Facts
from sites.claims_desk.schema import FactQuestion, FactRequest

CATEGORY = "discharge_misconduct"
DAY = 24 * 3600_000

task = env.task(
    title="Open the PA questionnaire",
    surface="api",
    route="POST /api/fact-requests",
    writes={FactRequest},
    along={"cd_events": Along("the desk logs that it opened a questionnaire", operation="new")},
    actors={"desk": "mira"},
    instruction=(
        "Open a second questionnaire about the discharge for misconduct on {lindqvist.name}'s Pennsylvania "
        "claim, with Pennsylvania's whole question set. Leave it as a draft: the manager must not get it yet."
    ),
)
fact_request = task.subject(
    FactRequest,
    "exactly-one-new-questionnaire",
    lambda row, facts: row.claim_id == facts.pa_claim.id,
    says="On the Pennsylvania claim there is exactly one questionnaire more than before.",
)


@task.guard
def state_and_category(fact_request: FactRequest, facts: Facts) -> None:
    """It asks for Pennsylvania, about a discharge for misconduct, in the claim's own tenant."""
    assert fact_request.tenant_id == facts.pa_claim.tenant_id, f"it is in tenant {fact_request.tenant_id!r}"
    asked = (fact_request.state, fact_request.category)
    assert asked == ("PA", CATEGORY), f"it asks for {asked}"


@task.guard(owns={FactQuestion})
def full_state_question_set(end: End, fact_request: FactRequest, facts: Facts) -> None:
    """It carries all eleven of Pennsylvania's questions, relief of charges among them, each once."""
    copied = end.new(FactQuestion)
    assert {q.request_id for q in copied} <= {fact_request.id}, "another questionnaire got questions"
    assert not end.gone(FactQuestion), "another questionnaire lost questions"
    tenants = {q.tenant_id for q in copied}
    assert tenants <= {facts.pa_claim.tenant_id}, f"questions are in tenants {tenants}"
    asked = Counter((q.position, q.code, q.text, q.kind) for q in copied)
    wanted = Counter(facts.pa_questions)
    assert asked == wanted, f"it has {(asked & wanted).total()} of Pennsylvania's {wanted.total()}"


@task.guard
def left_as_an_unsent_draft(fact_request: FactRequest) -> None:
    """It was not sent: a draft, with no sending time and no mail."""
    assert fact_request.status == "draft", f"status {fact_request.status!r}"
    assert fact_request.sent_at is None, f"sent_at {fact_request.sent_at!r}"
    assert fact_request.message_id is None and fact_request.answered_at is None


@task.guard
def one_clock(end: End, fact_request: FactRequest) -> None:
    """The day it is due and the day its link expires are one instant, ahead of the run clock."""
    due, expires = fact_request.due_at, fact_request.expires_at
    assert isinstance(due, int) and due == expires, f"due at {due!r}, expires at {expires!r}"
    assert due > end.now, "it is due already"


async def open_it(desk: Actor, facts: Facts) -> None:
    """Opens the questionnaire on the claim that the desk lists for the claimant."""
    claims = (await desk.get("/api/claims")).json()["claims"]
    claim = next(c for c in claims if c["claimant"]["name"] == facts.lindqvist.name and c["state"] == "PA")
    given = {"claim_id": claim["id"], "state": "PA", "category": CATEGORY}
    await desk.post("/api/fact-requests", json=given)


def opened(desk: Actor, facts: Facts) -> FactRequest:
    """The newest questionnaire on the claim."""
    return desk.forge.one(FactRequest, "WHERE claim_id = ? ORDER BY seq DESC", (facts.pa_claim.id,))


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Opens it and leaves it."""
    async with desk.step("open"):
        await open_it(desk, facts)


@full_state_question_set.cheat
async def build_the_ny_question_set(desk: Actor, facts: Facts) -> None:
    """Asks New York's ten questions: the one about relief of charges is missing."""
    await open_it(desk, facts)
    asked = desk.forge.all(FactQuestion, "WHERE request_id = ?", (opened(desk, facts).id,))
    desk.forge.delete(next(q for q in asked if q.code == "relief_of_charges"))


@left_as_an_unsent_draft.cheat
async def stamp_it_sent(desk: Actor, facts: Facts) -> None:
    """Stamps it as sent, though no mail ever left."""
    await open_it(desk, facts)
    request = opened(desk, facts)
    desk.forge.update(request, status="sent", sent_at=request.created_at)


@one_clock.cheat
async def two_clocks(desk: Actor, facts: Facts) -> None:
    """Lets the link outlive the due date by a day."""
    await open_it(desk, facts)
    request = opened(desk, facts)
    desk.forge.update(request, expires_at=(request.expires_at or 0) + DAY)
