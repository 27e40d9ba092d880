"""Harborlight, a small freight and warehousing company: the cast that scenarios share."""

from __future__ import annotations

from dataclasses import dataclass, fields

from fakes.core.people import Person
from fakes.core.seeding import Seed

DOMAIN = "harborlight.example"


@dataclass(frozen=True)
class Company:
    """Who works at Harborlight. Mira is the operator: the person that an agent works for."""

    mira: Person
    tom: Person
    ines: Person
    kwame: Person
    priya: Person
    jonas: Person
    leila: Person
    mateo: Person
    hana: Person
    declan: Person
    nadia: Person
    samir: Person

    @property
    def everyone(self) -> tuple[Person, ...]:
        """All of them, in the order of the staff list."""
        return tuple(getattr(self, field.name) for field in fields(self))


_STAFF: dict[str, tuple[str, str, str | None]] = {
    "mira": ("Mira Okafor", "Operations coordinator", None),
    "tom": ("Tom Reyes", "Warehouse manager", None),
    "ines": ("Inês Carvalho", "Managing director", None),
    "kwame": ("Kwame Mensah", "Finance manager", None),
    "priya": ("Priya Raman", "Head of people", None),
    "jonas": ("Jonas Lindgren", "Fleet manager", "Europe/Stockholm"),
    "leila": ("Leila Mansour", "Customer support lead", None),
    "mateo": ("Mateo Vargas", "Account executive", "America/Los_Angeles"),
    "hana": ("Hana Sato", "Product designer", "America/Los_Angeles"),
    "declan": ("Declan Byrne", "Software engineer", "Europe/Dublin"),
    "nadia": ("Nadia Petrova", "Compliance analyst", None),
    "samir": ("Samir Chowdhury", "IT administrator", None),
}


def company(w: Seed) -> Company:
    """Adds Harborlight's people to a world. Addresses are `<first name>@harborlight.example`."""
    people = {
        first: w.person(f"{first}@{DOMAIN}", name, title, zone)
        for first, (name, title, zone) in _STAFF.items()
    }
    return Company(**people)
