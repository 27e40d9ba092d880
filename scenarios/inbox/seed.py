"""Mira's mailbox after six weeks, with a case for each task in it."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.core.people import Person
from fakes.core.seeding import Seed
from scenarios.inbox.cases.alerts import Alerts, alerts
from scenarios.inbox.cases.checks import Checks, checks
from scenarios.inbox.cases.desk import Desk
from scenarios.inbox.cases.door import Door, door
from scenarios.inbox.cases.invoices import Invoices, invoices
from scenarios.inbox.cases.lease import Lease, lease
from scenarios.inbox.cases.pallets import Pallets, pallets
from scenarios.inbox.cases.tyres import Tyres, tyres
from scenarios.inbox.cases.weekly import Weekly, weekly
from scenarios.office.letters import write_letters
from scenarios.office.people import company


@dataclass(frozen=True)
class Facts:
    """What texts, guards and plays are made from: who is who, and a case for each task."""

    mira: Person
    tom: Person
    kwame: Person
    ines: Person
    jonas: Person
    invoices: Invoices
    lease: Lease
    alerts: Alerts
    pallets: Pallets
    tyres: Tyres
    checks: Checks
    weekly: Weekly
    door: Door


def seed(w: Seed) -> Facts:
    """Fills the world."""
    staff = company(w)
    write_letters(w, staff)
    desk = Desk(w, staff)
    return Facts(
        mira=staff.mira,
        tom=staff.tom,
        kwame=staff.kwame,
        ines=staff.ines,
        jonas=staff.jonas,
        invoices=invoices(desk),
        lease=lease(desk),
        alerts=alerts(desk),
        pallets=pallets(desk),
        tyres=tyres(desk),
        checks=checks(desk),
        weekly=weekly(desk),
        door=door(desk),
    )
