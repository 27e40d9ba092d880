"""Questionnaires whose reminders wait for an operator: due, not due, not wanted."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.core.people import Person
from fakes.gmail.seed import mail
from scenarios.claims_console.cases.desk import Bench
from scenarios.claims_console.drawing import in_words
from sites.claims_desk.schema import Chase, Claimant, FactRequest
from sites.claims_desk.seed import (
    answered_by_telephone,
    answered_through_the_link,
    questionnaire,
    reminded,
    reminders_by_hand,
    reminders_of,
)

_STATES = ("OH", "TX", "NJ", "CA", "FL", "GA", "IL", "MI", "WA")
_ANSWERS = ("not known", "There was none.", "No.", "Nothing was paid.", "yes", "It will be looked at.")


@dataclass(frozen=True)
class Asked:
    """A questionnaire with its two reminders, three days and one day before its last day."""

    claimant: Claimant
    manager: Person
    request: FactRequest
    early: Chase
    late: Chase


@dataclass(frozen=True)
class Reminders:
    """How each stands this morning, at the instant `at` (UTC milliseconds).

    `first_due` has its first reminder due today, after some answers; `last_due` its last one, the first
    having been sent; `both_due` both, so only the last one is wanted. The manager of `away` is out of the
    office, that of `first_due` was and is back. Of `answered` every question has its answer, of `over` the
    time has run out, `tomorrow` and `later` have time; the manager of `later` is that of `last_due`.
    """

    at: int
    first_due: Asked
    last_due: Asked
    both_due: Asked
    away: Asked
    answered: Asked
    over: Asked
    tomorrow: Asked
    later: Asked

    @property
    def due(self) -> tuple[tuple[Asked, Chase], ...]:
        """The reminders that are to be sent."""
        return (
            (self.first_due, self.first_due.early),
            (self.last_due, self.last_due.late),
            (self.both_due, self.both_due.late),
        )

    @property
    def everything(self) -> tuple[Asked, ...]:
        """All of them."""
        return (
            self.first_due, self.last_due, self.both_due, self.away, self.answered, self.over, self.tomorrow,
            self.later,
        )  # fmt: skip


def reminders(b: Bench) -> Reminders:
    """Lays it out; the order in which they were asked is drawn where days allow it."""
    w, draw = b.w, b.draw
    with w.on(-15, "09:05"):
        reminders_by_hand(w, b.mira)
    people = [next(b.managers) for _ in range(7)]
    states = draw.shuffled(_STATES)

    def asked(ago: int, manager: Person) -> tuple[Claimant, FactRequest]:
        who, claimed = b.left(draw.name(), states.pop(), "lack_of_work", ago + 20, manager=manager)
        with w.on(-ago, f"{draw.number(10, 16)}:{draw.number(10, 59)}"):
            return who, questionnaire(w, b.mira, claimed, "lack_of_work", sent=True)

    days = {
        "over": 11,
        "both_due": 10,
        "last_due": 9,
        "away": 8,
        "answered": 8,
        "first_due": 7,
        "tomorrow": 6,
    }
    made = {kind: asked(ago, manager) for (kind, ago), manager in zip(days.items(), people, strict=True)}
    by_name = dict(zip(days, people, strict=True))
    made["later"] = asked(draw.number(2, 4), by_name["last_due"])
    by_name["later"] = by_name["last_due"]
    with w.on(-2, "09:35"):
        reminded(w, b.nadia, made["last_due"][1], 3)
    with w.on(-4, "09:25"):
        reminded(w, b.nadia, made["over"][1], 3)
    with w.on(-3, "14:20"):
        answered_through_the_link(w, b.mira, made["answered"][1], _ANSWERS)
    with w.on(-2, "11:50"):
        answered_by_telephone(w, b.mira, made["first_due"][1], _ANSWERS[: draw.number(2, 4)])
    out, back = by_name["away"], by_name["first_due"]
    mail(
        w, out, b.staff.mira, "Out of the office",
        f"Hi Mira,\n\nI am away from {in_words(w.day(-1))} up to and including {in_words(w.day(2))} and read "
        "no mail meanwhile. Whatever you need from me, send it when I am back, please: else it drowns.\n\n"
        f"{out.name}\n",
        day=-2, time="17:15",
    )  # fmt: skip
    mail(
        w, back, b.staff.mira, "Out of the office",
        f"Hi Mira,\n\nI was away until {in_words(w.day(-1))} and am back today. Remind me of whatever is "
        f"still open.\n\n{back.name}\n",
        day=0, time="07:50",
    )  # fmt: skip

    def whole(kind: str) -> Asked:
        who, request = made[kind]
        stored = w.world.get(FactRequest, request.id)
        early, late = reminders_of(w, b.mira, request)
        assert stored is not None
        return Asked(who, by_name[kind], stored, early, late)

    return Reminders(at=w.world.now(), **{kind: whole(kind) for kind in made})
