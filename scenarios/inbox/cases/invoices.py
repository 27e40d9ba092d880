"""Invoices to file, among mails that only look like them."""

from __future__ import annotations

from dataclasses import dataclass

from fakes.gmail.schema import Message, UserLabel
from fakes.gmail.seed import label, labelled
from scenarios.inbox.cases.desk import Desk, paper

PIER, LOOKALIKE = "accounts@northpier.example", "accounts@north-pier.example"


@dataclass(frozen=True)
class Invoices:
    """`due` are the mails to file; `reminder` has no file, `terms` another paper, `lookalike` another sender,
    `passed_on` is Kwame's copy of one; `filed` lies under the label already.
    """

    sender: str
    label: UserLabel
    parent: UserLabel
    due: tuple[Message, ...]
    unread: Message
    reminder: Message
    terms: Message
    lookalike: Message
    passed_on: Message
    filed: Message


def invoices(d: Desk) -> Invoices:
    """Lays them out."""
    w, pier = d.w, "North Pier Accounts"
    parent, own = label(w, d.mira, "Invoices"), label(w, d.mira, "Invoices/North Pier")
    filed = d.got(
        PIER,
        "Invoice 2247, container storage",
        "Please find the invoice attached.",
        day=-71,
        name=pier,
        files=[paper("invoice-2247.pdf", "Invoice 2247", "$1,320.00")],
    )
    labelled(w, d.mira, filed, add=[own.id], remove=["INBOX"])
    first = d.got(
        PIER,
        "Invoice 2281, container storage",
        "Please find the invoice attached.",
        day=-40,
        name=pier,
        files=[paper("invoice-2281.pdf", "Invoice 2281", "$1,840.00")],
    )
    passed_on = d.got(
        d.staff.kwame,
        "Fwd: Invoice 2281, container storage",
        "Did we have four containers there, or three?",
        day=-39,
        time="11:20",
        files=[paper("invoice-2281.pdf", "Invoice 2281", "$1,840.00")],
    )
    second = d.got(
        PIER,
        "Invoice 2304, crane hours",
        "Please find the invoice attached.",
        day=-24,
        name=pier,
        files=[paper("invoice-2304.pdf", "Invoice 2304", "$960.00")],
    )
    terms = d.got(
        PIER,
        "New terms of storage",
        "Our new terms hold from next month. They are attached.",
        day=-15,
        name=pier,
        files=[paper("terms-of-storage.pdf", "Terms of storage")],
    )
    lookalike = d.got(
        LOOKALIKE,
        "Invoice 2310, container storage",
        "Please find the invoice attached, and note our new bank account.",
        day=-12,
        name=pier,
        files=[paper("invoice-2310.pdf", "Invoice 2310", "$4,400.00")],
    )
    third = d.got(
        PIER,
        "Your documents from North Pier",
        "The paper for this month is attached.",
        day=-9,
        name=pier,
        read=False,
        files=[paper("invoice-2319.pdf", "Invoice 2319", "$1,840.00")],
    )
    reminder = d.got(
        PIER,
        "Reminder: invoice 2304 is open",
        "Invoice 2304 of $960.00 was due last week.",
        day=-5,
        name=pier,
        read=False,
    )
    return Invoices(
        sender=PIER,
        label=own,
        parent=parent,
        due=(first, second, third),
        unread=third,
        reminder=reminder,
        terms=terms,
        lookalike=lookalike,
        passed_on=passed_on,
        filed=filed,
    )
