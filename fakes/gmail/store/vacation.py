"""Answers of somebody who is away: one to each sender, and another when four days have passed
(support.google.com/mail/answer/25922).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fakes.gmail.errors import InvalidVacation
from fakes.gmail.rules import mime
from fakes.gmail.rules.addresses import named
from fakes.gmail.rules.html import plain_text, safe
from fakes.gmail.rules.mime import MOST_HEADER, Letter
from fakes.gmail.rules.threads import reply_subject
from fakes.gmail.schema import Settings, VacationReply
from fakes.gmail.store.addresses import domain_of, is_own_address
from fakes.gmail.store.onward import Onward
from fakes.gmail.store.outgoing import date_now, new_message_id
from fakes.gmail.store.settings import LONGEST_LINE, change_settings, default_send_as

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.people import Person
    from fakes.core.world import World

AGAIN_AFTER = 4 * 24 * 3_600_000
_LATEST = 253_370_764_800_000  # the year 9999: beyond it there is no date to show
_NOBODY = re.compile(r"^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?|owner)\b", re.I)
_LIST_FIELDS = ("List-Id", "List-Unsubscribe", "List-Post")
_BULK = ("bulk", "list", "junk")


def answers(tx: Tx, world: World, person: Person, settings: Settings, letter: Letter) -> list[Onward]:
    """The answer to a mail, if its sender gets one now; notes that they got it."""
    sender = _answer_to(letter)
    if not (sender and is_away(world, settings) and is_from_somebody(letter)):
        return []
    if not _may_have(world, person, settings, sender):
        return []
    told = world.get(VacationReply, person.id, sender)
    if told is not None and world.now() - told.at < AGAIN_AFTER:
        return []
    if told is not None:
        tx.update(told, at=world.now())
    else:
        tx.insert(VacationReply(owner=person.id, sender=sender, at=world.now()))
    return [Onward(_answer(tx, world, person, settings, letter, sender), sender, letter.message_id)]


def is_from_somebody(letter: Letter) -> bool:
    """Whether a person wrote this, who may be answered: no list, no bulk mail, nothing that says it came
    from a program (RFC 3834, 2).
    """
    if any(letter.header(name) for name in _LIST_FIELDS):
        return False
    if letter.header("Precedence").strip().lower() in _BULK:
        return False
    if letter.header("Auto-Submitted").strip().lower() not in ("", "no"):
        return False
    return not _NOBODY.match(letter.senders[0].email if letter.senders else "")


def _answer_to(letter: Letter) -> str:
    found = letter.reply_to or letter.senders
    return found[0].email if found else ""


def is_away(world: World, settings: Settings) -> bool:
    """Whether a person's answers go out now."""
    begin, end = settings.vacation_start_at, settings.vacation_end_at
    now = world.now()
    return settings.vacation_enabled and (begin is None or now >= begin) and (end is None or now < end)


def _may_have(world: World, person: Person, settings: Settings, sender: str) -> bool:
    """Whether the restrictions let this sender have an answer; a contact is somebody written to before."""
    if is_own_address(world, person, sender):
        return False
    if settings.vacation_domain_only and domain_of(sender) != domain_of(person.email):
        return False
    return not settings.vacation_contacts_only or _wrote_to(world, person, sender)


def _wrote_to(world: World, person: Person, address: str) -> bool:
    sql = (
        "SELECT EXISTS (SELECT 1 FROM gmail_message_labels l JOIN gmail_messages m ON m.id = l.message_id"
        " WHERE l.owner = ? AND l.label = 'SENT' AND instr(', ' || m.recipients || ',', ', ' || ? || ','))"
    )
    return bool(world.select(sql, (person.id, address))[0][0])


def _answer(tx: Tx, world: World, person: Person, settings: Settings, letter: Letter, sender: str) -> Letter:
    """The answer; its subject is the answered one's, with what was set before it, its HTML goes before its
    text (reference of VacationSettings).
    """
    alias = default_send_as(world, person)
    references = " ".join((*letter.references, letter.message_id)).strip()
    subject = f"{settings.vacation_subject} {reply_subject(letter.subject)}".strip()[:MOST_HEADER]
    headers = [
        ("From", named(alias.display_name or person.name, alias.email)),
        ("To", sender),
        ("Subject", subject),
        ("Message-ID", new_message_id(tx, person.email)),
        ("Date", date_now(world, person)),
        ("In-Reply-To", letter.message_id),
        ("References", references),
        ("Auto-Submitted", "auto-replied"),
        ("Precedence", "bulk"),
        ("X-Autoreply", "yes"),
    ]
    html = settings.vacation_html
    text = plain_text(html) if html else settings.vacation_text
    return mime.read(mime.write([field for field in headers if field[1]], text, html))


def set_vacation(
    world: World, owner: str, *, enabled: bool, subject: str, text: str, html: str, contacts_only: bool,
    domain_only: bool, start_at: int | None, end_at: int | None,
) -> Settings:  # fmt: skip
    """Sets what a person who is away answers. Whoever had an answer gets another one after a change.

    HTML is sanitised. Raises InvalidVacation for an end that is not after the start, for an answer that is
    switched on and says nothing (reference of VacationSettings), for a subject that no header holds, and for
    instants that are no date.
    """
    if any(at is not None and not 0 <= at < _LATEST for at in (start_at, end_at)):
        raise InvalidVacation("Start and end time are milliseconds since 1970")
    if len(subject) > LONGEST_LINE:
        raise InvalidVacation(f"The subject of the response holds at most {LONGEST_LINE} letters")
    if start_at is not None and end_at is not None and start_at >= end_at:
        raise InvalidVacation("Start time must precede end time")
    if enabled and not (subject.strip() or text.strip() or html.strip()):
        raise InvalidVacation("Either the subject or the body of the response must be nonempty")
    with world.tx() as tx:
        tx.execute("DELETE FROM gmail_vacation_replies WHERE owner = ?", (owner,))
        return change_settings(
            world, owner, vacation_enabled=enabled, vacation_subject=subject, vacation_text=text,
            vacation_html=(safe(html) or "") if html else "", vacation_contacts_only=contacts_only,
            vacation_domain_only=domain_only, vacation_start_at=start_at, vacation_end_at=end_at,
        )  # fmt: skip
