"""Ohio's decision, and the protest of it that lies unfinished beside another one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from scenarios.claims_console.cases.desk import Bench, day_of
from scenarios.claims_console.drawing import account
from sites.claims_desk.schema import Claim, Claimant, Draft, Notice
from sites.claims_desk.seed import document, draft, notice, notice_paper

_WRITTEN = (
    "The decision leaves out the second written warning.",
    "The decision rests on a witness who was on leave that week.",
    "The decision takes a transfer of shifts for a suspension.",
    "The decision passes over the safety rule that was signed for.",
)


@dataclass(frozen=True)
class Ohio:
    """A decision whose paper prints another last day than the file; `other_draft` is unfinished too."""

    claimant: Claimant
    claim: Claim
    decision: Notice
    draft: Draft
    last_day: date
    left_on: date
    printed_day: date
    other_draft: Draft
    other_notice: Notice


def ohio(b: Bench) -> Ohio:
    """Lays it out. The other draft is the one that the desk has from before."""
    w = b.w
    gap, slip = b.draw.number(2, 4), b.draw.number(3, 8)
    who, claimed = b.left(b.draw.name(), "OH", "discharge_misconduct", b.draw.number(40, 47), gap=gap)
    last_day = day_of(who.last_day_worked)
    printed = last_day - timedelta(days=slip)
    body = (
        f"After a hearing by telephone the discharge was found to be without just cause. The claimant last "
        f"worked on {printed.isoformat()}."
    )
    with w.on(-11, "10:20"):
        text = notice_paper(
            b.tenant, who, "hearing", b.draw.reference("OH"), w.day(-13), body, account=account("OH"),
            claim_number=claimed.number,
        )  # fmt: skip
        surname = who.name.split()[-1].lower()
        decision = notice(
            w, b.mira, claimed, document(w, b.mira, "notice", f"oh-hearing-decision-{surname}.txt", text)
        )
    with w.on(-8, "16:40"):
        begun = draft(w, b.mira, decision, b.draw.pick(_WRITTEN))
    others = "WHERE tenant_id = ? AND status = 'draft' AND id <> ? ORDER BY seq"
    other = w.world.one(Draft, others, (b.tenant.id, begun.id))
    assert other is not None
    beside = w.world.one(
        Notice,
        "WHERE tenant_id = ? AND id NOT IN (SELECT notice_id FROM cd_drafts) ORDER BY seq",
        (b.tenant.id,),
    )
    assert beside is not None
    return Ohio(
        claimant=who, claim=claimed, decision=decision, draft=begun, last_day=last_day,
        left_on=day_of(who.separated_on), printed_day=printed, other_draft=other, other_notice=beside,
    )  # fmt: skip
