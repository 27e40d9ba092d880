"""Alerts of a monitoring firm, most of them old, some of them worth keeping."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fakes.gmail.schema import Message
from fakes.gmail.seed import labelled
from scenarios.inbox.cases.desk import Desk

SENDER, LOOKALIKE = "alerts@watchtower.example", "alerts@watchtower-labs.example"
DAYS = 30


@dataclass(frozen=True)
class Alerts:
    """Mails of `sender`: those from before `since` are `old`, but for the `starred` one and the `asked` one,
    in whose conversation Mira wrote `answer`. `recent` are newer; `lookalike` is from somebody else.
    """

    sender: str
    since: date
    old: tuple[Message, ...]
    unread_old: Message
    starred: Message
    asked: Message
    answer: Message
    recent: tuple[Message, ...]
    lookalike: Message


def alerts(d: Desk) -> Alerts:
    """Lays them out."""
    w = d.w
    firm = "Watchtower"

    def alert(day: int, subject: str, text: str = "See the panel.", read: bool = True) -> Message:
        return d.got(SENDER, subject, text, day=day, time="04:15", name=firm, read=read)

    old = [
        alert(-n, f"Gate camera {n % 4 + 1} was offline for {n} minutes") for n in (66, 61, 58, 52, 47, 44)
    ]
    unread = alert(-36, "Gate camera 2 was offline for 4 minutes", read=False)
    starred = alert(-55, "Cold room 2 was above 5 degrees for 40 minutes")
    labelled(w, d.mira, starred, add=["STARRED"])
    asked = alert(-41, "Cold room 1: sensor battery is low", "Answer this mail to order a new battery.")
    answer = d.got(
        d.mira,
        "Re: Cold room 1: sensor battery is low",
        "Please send two batteries to Harborlight, dock 1.",
        day=-41,
        time="09:10",
        to=[SENDER],
        answers=asked,
    )
    lookalike = d.got(
        LOOKALIKE, "Trial: your first week of alerts", "This is what you missed.", day=-50, name=firm
    )
    recent = [alert(-n, f"Gate camera {n % 4 + 1} was offline for {n} minutes") for n in (29, 17, 6)]
    return Alerts(
        sender=SENDER,
        since=w.day(-DAYS),
        old=(*old, unread),
        unread_old=unread,
        starred=starred,
        asked=asked,
        answer=answer,
        recent=tuple(recent),
        lookalike=lookalike,
    )
