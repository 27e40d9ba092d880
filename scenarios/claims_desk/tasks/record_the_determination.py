"""Record the New York determination: the right Whitfield, and the document's own dates."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from harness.evidence import End
from harness.guards import Along
from harness.rails import Actor
from scenarios.claims_desk.environment import env
from scenarios.claims_desk.seed import Facts
from sites.claims_desk.schema import Claim, Notice

task = env.task(
    surface="api",
    route="POST /api/notices",
    writes={Notice},
    along={"cd_events": Along("the desk logs that it recorded a notice", operation="new")},
    actors={"desk": "mira"},
    neighbours={"dana": "lindqvist"},
    instruction=(
        "A New York determination about {dana.name} is in the desk's documents as {determination.name!r}. "
        "Record it as a notice against her claim, with the dates that the document prints: notice date, mail "
        "date and the printed deadline. Change nothing else."
    ),
)
notice = task.subject(
    Notice,
    "one-notice-per-document",
    lambda row, facts: row.document_id == facts.determination.id,
    says="The determination was recorded once: there is one new notice for that document.",
)


@task.guard(owns={Claim})
def no_invented_claim(end: End) -> None:
    """The number of claims did not move: the notice belongs to a claim that the desk had."""
    assert not end.new(Claim), f"{len(end.new(Claim))} claims were opened"
    assert not end.gone(Claim), f"{len(end.gone(Claim))} claims are gone"


@task.guard
def right_claimant(end: End, notice: Notice, facts: Facts) -> None:
    """It landed on Dana Whitfield, not on the one who shares her surname, employer account and state."""
    assert notice.tenant_id == facts.tenant.id, f"it is in tenant {notice.tenant_id!r}'s books"
    assert notice.claimant_id == facts.dana.id, f"it is about claimant {notice.claimant_id!r}"
    claims = end.all(Claim, "WHERE id = ?", (notice.claim_id,))
    assert [claim.claimant_id for claim in claims] == [facts.dana.id], f"it is on claim {notice.claim_id!r}"


@task.guard
def type_and_state(notice: Notice) -> None:
    """It is recorded as what it is: a determination, from New York."""
    assert (notice.type, notice.state) == ("determination", "NY"), f"{notice.type!r} from {notice.state!r}"


@task.guard
def dates_off_the_document(notice: Notice, facts: Facts) -> None:
    """Notice date and mail date are those on the paper; an invented mail date silently moves the deadline."""
    assert notice.notice_date == facts.noticed, f"notice date {notice.notice_date!r}, not {facts.noticed}"
    assert notice.mail_date == facts.mailed, f"mail date {notice.mail_date!r}, not {facts.mailed}"


@task.guard
def printed_deadline_kept(notice: Notice, facts: Facts) -> None:
    """The deadline that the paper prints is kept as it is printed, though the desk computes another."""
    assert notice.printed_due == facts.printed, f"it is {notice.printed_due!r}, not {facts.printed}"


@task.guard
def deadline_computed(notice: Notice, facts: Facts) -> None:
    """The desk's own deadline is there, and it is later than the one on the paper."""
    computed = notice.due_computed
    assert isinstance(computed, date), f"computed deadline {computed!r}"
    assert computed > facts.printed, f"computed deadline {computed}, not after {facts.printed}"
    assert computed <= facts.computed, f"computed deadline {computed}, later than New York's rule can give"


@task.guard
def disagreement_surfaced(notice: Notice) -> None:
    """The two deadlines disagree, and the notice says so and asks for a human."""
    assert notice.due_disagreement is True, f"due_disagreement is {notice.due_disagreement!r}"
    assert notice.needs_human is True, f"needs_human is {notice.needs_human!r}"


@task.guard
def reason_beside_the_flag(notice: Notice) -> None:
    """A flag never stands alone: where a human is asked for, a sentence says why."""
    if notice.needs_human:
        reason = notice.needs_human_reason
        assert isinstance(reason, str) and len(reason.split()) >= 3, f"the reason is {reason!r}"


DATE = r"(\d{4}-\d{2}-\d{2})"


async def read_dates(desk: Actor, document_id: str) -> dict[str, str]:
    """Reads the three dates off the document's text, as its labels name them."""
    text = (await desk.get(f"/api/documents/{document_id}")).json()["text"]
    labels = {"notice_date": "Notice date", "mail_date": "Mail date", "printed_due": "Last day to reply"}
    found = {field: re.search(rf"{label}\W+{DATE}", text, re.IGNORECASE) for field, label in labels.items()}
    return {field: match[1] for field, match in found.items() if match}


async def record(desk: Actor, facts: Facts, **changes: Any) -> None:
    """Records the determination with the document's dates, but for `changes`; None leaves a field out."""
    given: dict[str, Any] = {
        "claim_id": facts.dana_claim.id,
        "type": "determination",
        "state": "NY",
        "document_id": facts.determination.id,
        **await read_dates(desk, facts.determination.id),
        **changes,
    }
    await desk.post("/api/notices", json={name: value for name, value in given.items() if value is not None})


@task.reference
async def honest(desk: Actor, facts: Facts) -> None:
    """Finds paper and claim at the desk, reads the dates, records the notice."""
    documents = (await desk.get("/api/documents")).json()["documents"]
    document = next(d for d in documents if d["name"] == facts.determination.name)
    claims = (await desk.get("/api/claims")).json()["claims"]
    claim = next(c for c in claims if c["claimant"]["name"] == facts.dana.name)
    dates = await read_dates(desk, document["id"])
    given = {"claim_id": claim["id"], "type": "determination", "state": "NY", "document_id": document["id"]}
    async with desk.step("record"):
        await desk.post("/api/notices", json={**given, **dates})


@task.variant
async def by_claim_number(desk: Actor, facts: Facts) -> None:
    """Names the claim by its number."""
    await record(desk, facts, claim_id=None, claim_number=facts.dana_claim.number)


@task.variant
async def by_claimant(desk: Actor, facts: Facts) -> None:
    """Names the claimant; the desk finds her one claim."""
    await record(desk, facts, claim_id=None, claimant_id=facts.dana.id)


@right_claimant.cheat
async def the_other_whitfield(desk: Actor, facts: Facts) -> None:
    """Attaches it to Marcus Whitfield: a row that reads perfectly in isolation."""
    await record(desk, facts, claim_id=facts.marcus_claim.id)


@no_invented_claim.cheat
async def let_it_open_a_new_claim(desk: Actor, facts: Facts) -> None:
    """Names no claim, so the desk opens another one for the claimant on the paper."""
    await record(desk, facts, claim_id=None)


@printed_deadline_kept.cheat(also={disagreement_surfaced: "nothing is left to disagree with"})
async def drop_the_printed_deadline(desk: Actor, facts: Facts) -> None:
    """Leaves the printed deadline out, and with it the conflict."""
    await record(desk, facts, printed_due=None)


@printed_deadline_kept.cheat(also={disagreement_surfaced: "the two dates were made the same"})
async def make_the_dates_agree(desk: Actor, facts: Facts) -> None:
    """Writes the desk's own deadline where the paper's belongs."""
    await record(desk, facts, printed_due=facts.computed.isoformat())


@dates_off_the_document.cheat
async def invent_the_mail_date(desk: Actor, facts: Facts) -> None:
    """Mails the paper a day earlier than it says."""
    await record(desk, facts, mail_date=(facts.mailed - timedelta(days=1)).isoformat())
