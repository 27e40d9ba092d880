"""What Harborlight's people have done with their mail: starred, filed, begun, set."""

from __future__ import annotations

from fakes.core.people import Person
from fakes.core.seeding import Seed
from fakes.gmail.schema import Message
from fakes.gmail.seed import Wanted, draft, label, labelled, mail_filter, vacation
from scenarios.office.notices import ROADWATCH
from scenarios.office.people import Company

_STARRED = ("Separation papers", "Renewal: Brightwater Foods")
_DOCK_3 = ("New schedule", "Dock 3")
_BRIGHTWATER = (
    "Brightwater wants Saturday deliveries", "Pallet count for Thursday", "Renewal: Brightwater Foods",
)  # fmt: skip
_TRUCKS = ("Two trucks due for inspection", "The logo on the trucks", "Forklift 3 again")


def settle(w: Seed, staff: Company) -> None:
    """Does it, in mailboxes that have their mail."""
    mira, jonas = staff.mira, staff.jonas
    begun = [each for each in _about(w, mira, *_STARRED) if each.subject in _STARRED]
    labelled(w, mira, begun, add=["STARRED"])
    labelled(w, mira, _about(w, mira, *_DOCK_3), add=[label(w, mira, "Dock 3").id])
    labelled(w, mira, _about(w, mira, *_BRIGHTWATER), add=[label(w, mira, "Customers/Brightwater").id])
    labelled(w, jonas, _about(w, jonas, *_TRUCKS), add=[label(w, jonas, "Trucks").id], remove=["INBOX"])
    reports = w.world.all(Message, "WHERE owner = ? AND sender = ? ORDER BY place", (jonas.id, ROADWATCH))
    labelled(w, jonas, reports, remove=["INBOX"])
    mail_filter(w, jonas, Wanted(sender=ROADWATCH, subject="daily report", remove_labels="INBOX"))
    _begin_a_draft(w, staff)
    text = "I am away this week. For the docks ask Tom, for everything else Inês.\n\nMira\n"
    vacation(w, mira, "Away", text, on=False)


def _about(w: Seed, person: Person, *subjects: str) -> list[Message]:
    """A person's messages of these conversations, oldest first."""
    every = [text for subject in subjects for text in (subject, f"Re: {subject}")]
    marks = ", ".join("?" * len(every))
    tail = f"WHERE owner = ? AND subject IN ({marks}) ORDER BY place"
    return w.world.all(Message, tail, (person.id, *every))


def _begin_a_draft(w: Seed, staff: Company) -> None:
    text = "Leila, Tom,\n\nif they sign, two Saturdays a month are part of it. What I need from you:\n\n- "
    to = [staff.leila, staff.tom]
    draft(w, staff.mira, to, "Saturdays, if Brightwater signs", text, day=-1, time="17:40")
