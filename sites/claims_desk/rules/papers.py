"""The notices that agencies mail, written and read.

Plain ASCII text; dates are ISO and of fixed width. What a paper prints is all that its reader returns:
nothing is computed here, least of all a deadline.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from sites.claims_desk.rules import layout
from sites.claims_desk.rules.deadline_table import NoticeType
from sites.claims_desk.rules.errors import DoesNotFit, NotANotice
from sites.claims_desk.rules.states import STATE_NAMES, agency_name

STATEMENT_TITLE: Final = "STATEMENT OF BENEFIT CHARGES"

_TITLES: Final[dict[NoticeType, str]] = {
    "determination": "NOTICE OF DETERMINATION",
    "claim_filed": "REQUEST FOR SEPARATION INFORMATION",
    "charge_statement": STATEMENT_TITLE,
    "hearing": "NOTICE OF HEARING DECISION",
}

_NOTE: Final = (
    "A reply is in time if it is made on or before the last day printed above. Name the reference in every "
    "letter."
)


@dataclass(frozen=True)
class NoticeFacts:
    """What a notice prints; a date that it does not state is None."""

    type: NoticeType
    state: str
    reference: str
    claim_number: str | None
    claimant_name: str
    ssn_last4: str
    employer_name: str
    employer_account: str
    notice_date: dt.date
    mail_date: dt.date | None
    printed_due: dt.date | None
    body: str


def notice(facts: NoticeFacts) -> str:
    """The paper that prints these facts; raises `DoesNotFit` for a value that its field cannot hold."""
    if facts.type == "charge_statement":
        raise DoesNotFit("type", facts.type, "a charge statement is printed by charge_statement().")
    if not re.fullmatch(r"[0-9]{4}", facts.ssn_last4):
        raise DoesNotFit("ssn ending", facts.ssn_last4, "it has to be four digits.")
    lines = [
        *layout.heading(agency_name(facts.state), _TITLES[facts.type]),
        "",
        layout.field("State", facts.state),
        layout.field("Reference", facts.reference),
        layout.field("Claim number", facts.claim_number or layout.NOT_STATED),
        layout.field("Claimant", facts.claimant_name),
        layout.field("SSN ending", facts.ssn_last4),
        layout.field("Employer", facts.employer_name),
        layout.field("Employer account", facts.employer_account),
        layout.field("Notice date", layout.printed_date(facts.notice_date)),
        layout.field("Mail date", layout.printed_date(facts.mail_date)),
        layout.field("Last day to reply", layout.printed_date(facts.printed_due)),
        layout.RULE,
        *layout.paragraph(layout.printable("body", facts.body, 2000)),
        "",
        *layout.paragraph(_NOTE),
    ]
    return "\n".join(lines) + "\n"


def determination(
    *,
    state: str,
    reference: str,
    claimant_name: str,
    ssn_last4: str,
    employer_name: str,
    employer_account: str,
    notice_date: dt.date,
    mail_date: dt.date | None,
    printed_due: dt.date | None,
    eligible: bool,
    claim_number: str | None = None,
    grounds: str = "the facts that both sides gave about the separation",
) -> str:
    """A determination of eligibility, with the dates that the agency chose to print (right or wrong)."""
    outcome = "is eligible for benefits" if eligible else "is not eligible for benefits"
    body = f"It has been determined that the claimant {outcome}, on {grounds}."
    if eligible:
        body += " Benefits paid may be charged to the employer's account."
    return notice(
        NoticeFacts(
            type="determination",
            state=state,
            reference=reference,
            claim_number=claim_number,
            claimant_name=claimant_name,
            ssn_last4=ssn_last4,
            employer_name=employer_name,
            employer_account=employer_account,
            notice_date=notice_date,
            mail_date=mail_date,
            printed_due=printed_due,
            body=body,
        )
    )


def paper_type(text: str) -> NoticeType | None:
    """Which paper this is by the title on its second line; None for anything that we do not print."""
    lines = text.splitlines()
    title = lines[1].removesuffix(layout.SIMULATED).rstrip() if len(lines) > 1 else ""
    return next((type for type, known in _TITLES.items() if known == title), None)


def read_notice(text: str) -> NoticeFacts:
    """The facts that a notice prints; raises `NotANotice`, saying what is wrong with the text."""
    text = layout.unix_lines(text)
    type = paper_type(text)
    if type is None:
        raise NotANotice(
            "This text is no notice that the desk knows: its second line is no title of one. "
            "Store it as 'other', or record the notice by hand."
        )
    if type == "charge_statement":
        raise NotANotice("This paper is a charge statement. Store it as 'statement' and start its audit.")
    fields = layout.header_fields(text)
    claim_number = _printed(fields, "Claim number")
    notice_date = _date(fields, "Notice date")
    if notice_date is None:
        raise NotANotice("The notice states no date of its own. Ask the agency for a copy that does.")
    return NoticeFacts(
        type=type,
        state=_state(fields),
        reference=_printed(fields, "Reference"),
        claim_number=None if claim_number == layout.NOT_STATED else claim_number,
        claimant_name=_printed(fields, "Claimant"),
        ssn_last4=_printed(fields, "SSN ending"),
        employer_name=_printed(fields, "Employer"),
        employer_account=_printed(fields, "Employer account"),
        notice_date=notice_date,
        mail_date=_date(fields, "Mail date"),
        printed_due=_date(fields, "Last day to reply"),
        body=_body(text),
    )


def _printed(fields: dict[str, str], label: str) -> str:
    try:
        return fields[label]
    except KeyError:
        raise NotANotice(f"The notice has no line {label!r}. Get the whole paper and read that.") from None


def _date(fields: dict[str, str], label: str) -> dt.date | None:
    try:
        return layout.read_date(_printed(fields, label))
    except NotANotice:
        raise
    except ValueError as error:
        raise NotANotice(f"The line {label!r} cannot be read: {error}. Record the notice by hand.") from None


def _state(fields: dict[str, str]) -> str:
    state = _printed(fields, "State")
    if state not in STATE_NAMES:
        raise NotANotice(f"The notice prints the state {state!r}, which is none. Record the notice by hand.")
    return state


def _body(text: str) -> str:
    _, _, below = text.partition(layout.RULE)
    return " ".join(below.strip().split("\n\n", 1)[0].split())
