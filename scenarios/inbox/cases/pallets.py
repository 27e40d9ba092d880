"""Two conversations that look alike: both about pallets on a Thursday, with two firms of nearly one name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fakes.gmail.schema import Message
from scenarios.inbox.cases.desk import Desk

DISPATCH, COLD = "dispatch@brightwater.example", "dispatch@brightwater-cold.example"
COPIED = "customer.desk@brightwater.example"
THURSDAY = 3


@dataclass(frozen=True)
class Pallets:
    """`asked` is the open question of `dispatch`: is there room for `count` pallets on `thursday`. `before`
    is the same question a week earlier, which was `answered`; `cold` is that of the other firm, open too, for
    another number. No number is a day of a month: what an answer says is not taken for its date.
    """

    dispatch: str
    copied: str
    thursday: date
    count: int
    dock: int
    asked: Message
    before: Message
    answered: Message
    cold: Message
    cold_count: int


def pallets(d: Desk) -> Pallets:
    """Lays them out."""
    w = d.w
    thursday = w.day((THURSDAY - w.day().weekday()) % 7 or 7)
    week_before = thursday.fromordinal(thursday.toordinal() - 7)
    name = "Brightwater Dispatch"
    before = d.got(
        DISPATCH,
        "Pallets for Thursday",
        f"Good morning,\n\nis there room for 51 pallets on {week_before}?\n",
        day=-9,
        name=name,
        cc=[COPIED],
    )
    answered = d.got(
        d.mira,
        "Re: Pallets for Thursday",
        "Yes, there is room for 51 pallets at dock 1.",
        day=-9,
        time="10:15",
        to=[DISPATCH],
        answers=before,
    )
    cold = d.got(
        COLD,
        "Pallets for Thursday",
        f"Good morning,\n\nis there room for 62 cold pallets on {thursday}?\n\nBrightwater Cold Chain\n",
        day=-2,
        time="09:40",
        name=name,
        read=False,
    )
    asked = d.got(
        DISPATCH,
        "Pallets for Thursday",
        f"Good morning,\n\nis there room for 46 pallets on {thursday}, two more than we booked?\n\n"
        "Brightwater Foods, dispatch\n",
        day=-2,
        time="12:15",
        name=name,
        cc=[COPIED],
        read=False,
    )
    return Pallets(
        dispatch=DISPATCH,
        copied=COPIED,
        thursday=thursday,
        count=46,
        dock=2,
        asked=asked,
        before=before,
        answered=answered,
        cold=cold,
        cold_count=62,
    )
