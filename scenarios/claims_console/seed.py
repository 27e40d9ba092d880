"""The console's world: Harborlight's desk after six weeks, and a case for each task, drawn by its seed."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.core.people import Person
from fakes.core.seeding import Seed
from scenarios.claims_console.cases.charged import Charged, charged
from scenarios.claims_console.cases.desk import Bench
from scenarios.claims_console.cases.dictated import Dictated, dictated
from scenarios.claims_console.cases.granted import Granted, granted
from scenarios.claims_console.cases.misfiled import Misfiled, misfiled
from scenarios.claims_console.cases.ohio import Ohio, ohio
from scenarios.claims_console.cases.reminders import Reminders, reminders
from scenarios.claims_console.drawing import Draw
from scenarios.office.people import company
from sites.claims_desk.schema import Tenant
from sites.claims_desk.seed import harborlight_desk


@dataclass(frozen=True)
class Facts:
    """What texts, guards and plays are made from: who works there, and a case for each task."""

    mira: Person
    nadia: Person
    tenant: Tenant
    ohio: Ohio
    granted: Granted
    misfiled: Misfiled
    reminders: Reminders
    dictated: Dictated
    charged: Charged


def seed(w: Seed) -> Facts:
    """Fills the world."""
    staff = company(w)
    outsider = w.person("noor@cobblestone.example", "Noor Haddad", "Claims coordinator")
    desk = harborlight_desk(w, operators=(staff.mira, staff.nadia), manager=staff.tom, outsider=outsider)
    draw, (mira, nadia) = Draw(w), desk.operators
    others = [who for who in staff.everyone if who not in (staff.mira, staff.nadia)]
    bench = Bench(w, draw, staff, desk.tenant, mira, nadia, iter(draw.shuffled(others)))
    return Facts(
        mira=staff.mira,
        nadia=staff.nadia,
        tenant=desk.tenant,
        charged=charged(bench),
        ohio=ohio(bench),
        misfiled=misfiled(bench),
        granted=granted(bench),
        reminders=reminders(bench),
        dictated=dictated(bench),
    )
