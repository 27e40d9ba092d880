"""The office's pristine state: Harborlight's people, their mail, and the desk where claims are worked."""

from __future__ import annotations

from fakes.core.seeding import Seed
from scenarios.office.letters import write_letters
from scenarios.office.people import Company, company
from sites.claims_desk.seed import harborlight_desk


def seed(w: Seed) -> Company:
    """Seeds the office for the services that the world has; the company is its facts."""
    staff = company(w)
    if "gmail_messages" in w.world.tables:
        write_letters(w, staff)
        if "cd_tenants" in w.world.tables:
            outsider = w.person("noor@cobblestone.example", "Noor Haddad", "Claims coordinator")
            harborlight_desk(w, operators=(staff.mira, staff.nadia), manager=staff.tom, outsider=outsider)
    return staff
