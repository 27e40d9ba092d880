"""Six weeks of Harborlight's mail: enough that whoever opens a mailbox finds work in progress."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fakes.core.seeding import Seed
from fakes.gmail.seed import mail
from scenarios.office.people import Company

SUNDAY, SATURDAY = 6, 5


@dataclass(frozen=True)
class Letter:
    """A mail: `back` workdays before today; names are those of the company, or addresses outside.

    `answers` is the place in LETTERS of the one that it replies to.
    """

    back: int
    time: str
    sender: str
    to: str
    subject: str
    text: str
    cc: str = ""
    answers: int | None = None
    read: bool = True


LETTERS = (
    Letter(
        30, "09:05", "ines", "mira tom kwame priya jonas leila mateo hana declan nadia samir",
        "New schedule",
        "Good morning,\n\n"
        "The new schedule starts on Monday. Dock 3 stays closed until its new door is in, so "
        "please plan with docks 1 and 2.\n\n"
        "Thank you,\n"
        "Inês\n",
    ),
    Letter(
        27, "14:20", "jonas", "mira", "Two trucks due for inspection",
        "Hi Mira,\n\n"
        "HL-07 and HL-12 have to be inspected before the end of next month. Which days can you spare "
        "them?\n\n"
        "Jonas\n",
    ),
    Letter(
        26, "08:50", "mira", "jonas", "Re: Two trucks due for inspection",
        "Hi Jonas,\n\n"
        "HL-07 can go any Thursday. For HL-12 I need to know a week ahead.\n\n"
        "Mira\n",
        answers=1,
    ),
    Letter(
        22, "11:15", "priya", "tom mira", "Separation papers",
        "Tom, Mira,\n\n"
        "When somebody leaves, please send me the last day worked and the reason on the same day. The "
        "state asks the claims desk for both, and the deadlines are short.\n\n"
        "Priya\n",
    ),
    Letter(
        21, "16:40", "tom", "priya", "Re: Separation papers",
        "Will do. I keep notes of what was said and when, if the desk needs them.\n\n"
        "Tom\n",
        cc="mira", answers=3,
    ),
    Letter(
        17, "10:30", "accounts@northpier.example", "kwame", "Invoice 2281, container storage",
        "Dear Kwame,\n\n"
        "Invoice 2281 for the storage of four containers comes to $1,840.00 and is due in thirty "
        "days.\n\n"
        "North Pier Accounts\n",
    ),
    Letter(
        16, "09:10", "kwame", "mira", "Fwd: Invoice 2281, container storage",
        "Mira, did we have four containers there, or three? I count three in the yard book.\n\n"
        "Kwame\n",
    ),
    Letter(
        16, "09:42", "mira", "kwame", "Re: Fwd: Invoice 2281, container storage",
        "Three. The fourth left on the day that it came; I have the gate slip.\n\n"
        "Mira\n",
        answers=6,
    ),
    Letter(
        12, "13:05", "mateo", "mira leila", "Brightwater wants Saturday deliveries",
        "Hi both,\n\n"
        "Brightwater Foods asked for two Saturday deliveries a month. Can the warehouse staff them? I "
        "would like to answer this week.\n\n"
        "Mateo\n",
    ),
    Letter(
        11, "15:30", "leila", "mateo", "Re: Brightwater wants Saturday deliveries",
        "Support can cover Saturdays until two. The rest is Tom's to say.\n\n"
        "Leila\n",
        cc="mira", answers=8,
    ),
    Letter(
        9, "10:00", "samir", "mira tom kwame priya leila", "New log-in for the claims desk",
        "Hello,\n\n"
        "The claims desk now asks for a second factor. Mira has an authenticator, Nadia gets a code "
        "by mail. Call me if you are locked out: it lasts fifteen minutes.\n\n"
        "Samir\n",
        cc="nadia",
    ),
    Letter(
        6, "17:25", "declan", "hana", "Label printer",
        "The printer at dock 2 crops the last line of every label. I would rather fix the template "
        "than the printer; can you send me the current one?\n\n"
        "Declan\n",
        cc="tom",
    ),
    Letter(
        4, "08:35", "nadia", "mira", "Quarterly statement from New York",
        "Mira,\n\n"
        "New York's newest charge statement is in. Some of the people on it never "
        "worked for us, I think. Could you put it through the audit?\n\n"
        "Nadia\n",
    ),
    Letter(
        2, "12:15", "dispatch@brightwater.example", "mira", "Pallet count for Thursday",
        "Hello Mira,\n\n"
        "We have 26 pallets for Thursday, two more than we booked. Is there room?\n\n"
        "Brightwater dispatch\n",
        read=False,
    ),
    Letter(
        1, "16:05", "tom", "mira", "Dock 3",
        "The door is in. Dock 3 opens again on Monday, if the inspector comes tomorrow.\n\n"
        "Tom\n",
        read=False,
    ),
    Letter(
        0, "08:10", "ines", "mira", "This week",
        "Morning Mira,\n\n"
        "What is open at the claims desk this week? A line for each is enough.\n\n"
        "Inês\n",
        read=False,
    ),
)  # fmt: skip


def write_letters(w: Seed, staff: Company) -> None:
    """Delivers them, each on its day."""
    days = _workdays(w)
    sent: list[str] = []
    for letter in LETTERS:
        sent.append(
            mail(
                w, _address(staff, letter.sender), _addresses(staff, letter.to), letter.subject, letter.text,
                cc=_addresses(staff, letter.cc), day=days[letter.back], time=letter.time, read=letter.read,
                reply_to=None if letter.answers is None else sent[letter.answers],
            )
        )  # fmt: skip


def _workdays(w: Seed) -> list[date]:
    """Today, then the Mondays to Fridays before it, newest first."""
    past = [w.day(-n) for n in range(1, 60)]
    return [w.day(), *(day for day in past if day.weekday() not in (SATURDAY, SUNDAY))]


def _address(staff: Company, name: str) -> str:
    return name if "@" in name else getattr(staff, name).email


def _addresses(staff: Company, names: str) -> list[str]:
    return [_address(staff, name) for name in names.split()]
