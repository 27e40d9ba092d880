"""Six weeks of Harborlight's mail: enough that whoever opens a mailbox finds work in progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fakes.core.seeding import Seed
from fakes.gmail.seed import Mail, mails
from scenarios.office.habits import settle
from scenarios.office.notices import SATURDAY, STREAMS, Stream, notices
from scenarios.office.people import Company
from scenarios.office.threads import THREADS, Line, Thread


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


OUTSIDE = {
    "buying@kestrelcycles.example": "Kestrel Cycles",
    "dispatch@brightwater.example": "Brightwater Dispatch",
    "fleet@northhaul.example": "North Haul",
    "inspector@citysafety.example": "R. Salcedo",
    "office@harborinsure.example": "Harbor Insure",
    "orders@aldersons.example": "Alder & Sons",
}
_READ_BY = 3
"""A conversation's last mail is unread if it is not that many workdays old; what was answered is read."""


def write_letters(w: Seed, staff: Company) -> None:
    """Delivers them, the conversations and the notices, each on its day, as people have left them since."""
    days = _workdays(w)
    kinds = [_letters(staff, days), *(_lines(staff, days, each) for each in THREADS)]
    kinds += [_stream(staff, w.day(), each) for each in STREAMS]
    mails(w, _in_order(kinds))
    settle(w, staff)


def _letters(staff: Company, days: Sequence[date]) -> list[Mail]:
    return [
        Mail(
            _address(staff, letter.sender), _addresses(staff, letter.to), letter.subject, letter.text,
            day=days[letter.back], time=letter.time, sender_name=_name(staff, letter.sender),
            cc=_addresses(staff, letter.cc), reply_to=letter.answers, read=letter.read,
        )
        for letter in LETTERS
    ]  # fmt: skip


def _lines(staff: Company, days: Sequence[date], thread: Thread) -> list[Mail]:
    subject, lines = thread
    return [
        Mail(
            _address(staff, sender), _addresses(staff, to), f"Re: {subject}" if n else subject, text,
            day=days[back], time=time, sender_name=_name(staff, sender), reply_to=_answered(lines, n),
            read=back >= _READ_BY or n < len(lines) - 1,
        )
        for n, (back, time, sender, to, text) in enumerate(lines)
    ]  # fmt: skip


def _answered(lines: Sequence[Line], n: int) -> int | None:
    """Which line another one answers: the newest before it that its writer wrote or got."""
    writer = lines[n][2]
    return next((k for k in range(n - 1, -1, -1) if writer in (lines[k][2], *lines[k][3].split())), None)


def _stream(staff: Company, today: date, stream: Stream) -> list[Mail]:
    return [
        Mail(
            stream.sender, _addresses(staff, stream.to), notice.subject, notice.text, day=notice.day,
            time=stream.time, sender_name=stream.name, read=notice.read, headers=stream.headers,
        )
        for notice in notices(stream, today)
    ]  # fmt: skip


def _in_order(kinds: Iterable[Sequence[Mail]]) -> list[Mail]:
    """All mails by day and time. Each `reply_to` was a place in its own list, and is one in this."""
    found: list[Mail] = []
    for kind in kinds:
        places = range(len(found), len(found) + len(kind))
        found += [_answering(mail, places) for mail in kind]
    order = sorted(range(len(found)), key=lambda n: (found[n].day, found[n].time))
    new_places = [0] * len(found)
    for place, n in enumerate(order):
        new_places[n] = place
    return [_answering(found[n], new_places) for n in order]


def _answering(mail: Mail, places: Sequence[int]) -> Mail:
    answered = mail.reply_to
    return replace(mail, reply_to=places[answered]) if isinstance(answered, int) else mail


def _workdays(w: Seed) -> list[date]:
    """Today, then the Mondays to Fridays before it, newest first."""
    past = [w.day(-n) for n in range(1, 60)]
    return [w.day(), *(day for day in past if day.weekday() < SATURDAY)]


def _address(staff: Company, name: str) -> str:
    return name if "@" in name else getattr(staff, name).email


def _addresses(staff: Company, names: str) -> list[str]:
    return [_address(staff, name) for name in names.split()]


def _name(staff: Company, name: str) -> str:
    return OUTSIDE.get(name, "") if "@" in name else getattr(staff, name).name
