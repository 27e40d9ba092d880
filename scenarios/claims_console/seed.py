"""The console's world: Harborlight's desk, where a protest of an Ohio decision lies unfinished."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fakes.core.people import Person
from fakes.core.seeding import Seed
from scenarios.office.people import company
from sites.claims_desk.schema import Claimant, Draft, Notice
from sites.claims_desk.seed import harborlight_desk


@dataclass(frozen=True)
class Facts:
    """What texts, guards and plays are made from."""

    mira: Person
    nadia: Person
    draft: Draft
    decision: Notice
    other_notice: Notice
    ostrowski: Claimant
    last_day: date


def seed(w: Seed) -> Facts:
    """Fills the world."""
    staff = company(w)
    outsider = w.person("noor@cobblestone.example", "Noor Haddad", "Claims coordinator")
    desk = harborlight_desk(w, operators=(staff.mira, staff.nadia), manager=staff.tom, outsider=outsider)
    (draft,) = w.world.all(Draft, "WHERE tenant_id = ? AND status = 'draft'", (desk.tenant.id,))
    decision = w.world.get(Notice, draft.notice_id)
    assert decision is not None
    ostrowski = w.world.get(Claimant, decision.claimant_id)
    tail = "WHERE tenant_id = ? AND id NOT IN (SELECT notice_id FROM cd_drafts) ORDER BY seq"
    other = w.world.one(Notice, tail, (desk.tenant.id,))
    assert ostrowski is not None and ostrowski.last_day_worked is not None and other is not None
    return Facts(
        mira=staff.mira,
        nadia=staff.nadia,
        draft=draft,
        decision=decision,
        other_notice=other,
        ostrowski=ostrowski,
        last_day=ostrowski.last_day_worked,
    )
