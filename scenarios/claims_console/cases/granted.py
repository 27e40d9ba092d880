"""A determination that grants benefits, to be protested with what the manager answered himself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from fakes.core.people import Person
from scenarios.claims_console.cases.desk import Bench, day_of
from scenarios.claims_console.drawing import account
from sites.claims_desk.schema import Claim, Claimant, FactRequest, Notice
from sites.claims_desk.seed import (
    answered_by_telephone,
    answered_through_the_link,
    document,
    notice,
    notice_paper,
    questionnaire,
)

_STATES = {"TX": "Texas", "FL": "Florida", "GA": "Georgia", "IL": "Illinois", "MI": "Michigan"}
_INCIDENTS = (
    ("drove a pallet truck through the closed dock door", "Equipment is not moved with a door closed."),
    ("left the loading gate open and unattended", "The gate is locked or watched."),
    ("signed for a delivery that was never counted", "What is signed for is counted first."),
    ("took a van home without asking", "Vans stay in the yard overnight."),
)


@dataclass(frozen=True)
class Granted:
    """`determination` grants benefits, `denial` about the same claimant denies them for a week.

    `told` is the questionnaire that the manager answered through the link, `heard` the one that was taken
    down by telephone before, with some dates wrong. `printed_day` is the last day as the paper has it.
    """

    claimant: Claimant
    claim: Claim
    manager: Person
    determination: Notice
    denial: Notice
    told: FactRequest
    heard: FactRequest
    last_day: date
    incident: date
    heard_incident: date
    warnings: tuple[date, date]
    heard_warning: date
    printed_day: date
    namesakes_number: str
    title: str

    @property
    def state_name(self) -> str:
        """The state in words."""
        return _STATES[self.claim.state]


def granted(b: Bench) -> Granted:
    """Lays it out."""
    w, draw = b.w, b.draw
    state, manager = draw.pick(list(_STATES)), next(b.managers)
    who, claimed = b.left(draw.name(), state, "discharge_misconduct", draw.number(36, 42), manager=manager)
    surname = who.name.split()[-1]
    _, namesakes = b.left(f"{draw.first_name()} {surname}", state, "lack_of_work", draw.number(43, 50))
    last_day = day_of(who.last_day_worked)
    incident = draw.earlier(last_day, 1, 3)
    second = draw.earlier(incident, 15, 30)
    first = draw.earlier(second, 20, 60)
    heard_incident, heard_warning = draw.earlier(incident, 5, 9), draw.earlier(first, 3, 9)
    deed, rule = draw.pick(_INCIDENTS)

    def said(on: date, warned: date) -> list[str]:
        return [
            last_day.isoformat(),
            on.isoformat(),
            f"{who.name} {deed}. The shift lead saw it.",
            rule,
            "yes",
            f"Two, both in writing: on {warned.isoformat()} and on {second.isoformat()}, for the same thing.",
            "That nobody had said it mattered.",
            f"{manager.name}: we can't have this a third time.",
        ]

    with w.on(-27, "10:35"):
        heard = questionnaire(w, b.mira, claimed, "discharge_misconduct")
    with w.on(-26, "15:10"):
        heard = answered_by_telephone(w, b.nadia, heard, said(heard_incident, heard_warning)[:6])
        told = questionnaire(w, b.mira, claimed, "discharge_misconduct", sent=True)
    with w.on(-24, "08:55"):
        told = answered_through_the_link(w, b.mira, told, said(incident, first))
    printed = last_day - timedelta(days=draw.number(4, 9))
    texts = {
        "granted": "It has been determined that the claimant is eligible for benefits. The claimant stated "
        f"that the last day worked was {printed.isoformat()}.",
        "denied": "It has been determined that the claimant is not eligible for benefits for the week that "
        f"ended on {w.day(-20).isoformat()}: the weekly claim came in late.",
    }
    recorded: dict[str, Notice] = {}
    for kind in draw.shuffled(list(texts)):
        reference = draw.reference(state)
        with w.on(-7, "09:45" if not recorded else "09:50"):
            text = notice_paper(
                b.tenant, who, "determination", reference, w.day(-9), texts[kind], account=account(state),
                claim_number=claimed.number,
            )  # fmt: skip
            paper = document(w, b.mira, "notice", f"{state.lower()}-determination-{reference}.txt", text)
            recorded[kind] = notice(w, b.mira, claimed, paper)
    return Granted(
        claimant=who, claim=claimed, manager=manager, determination=recorded["granted"],
        denial=recorded["denied"], told=told, heard=heard, last_day=last_day, incident=incident,
        heard_incident=heard_incident, warnings=(first, second), heard_warning=heard_warning,
        printed_day=printed, namesakes_number=namesakes.number,
        title=f"Protest of the determination from {_STATES[state]}, {who.name}",
    )  # fmt: skip
