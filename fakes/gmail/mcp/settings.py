"""Tools for the answer of somebody who is away, and for leaving mailing lists."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import Field

from fakes.core.mcp.tools import Arguments, Nothing, Said, ToolCall, ToolRefused, tool
from fakes.gmail import store
from fakes.gmail.errors import NotFound
from fakes.gmail.mcp import telling
from fakes.gmail.mcp.reading import MessageId
from fakes.gmail.schema import Settings
from fakes.gmail.store.unsubscribing import unsubscribe
from fakes.gmail.store.vacation import set_vacation as set_answer


class SetVacation(Arguments):
    """The answer of somebody who is away; what is left out is off or empty."""

    enabled: bool = Field(description="Whether mail is answered")
    subject: str = Field(default="", description="What goes before the answered subject")
    body: str = Field(default="", description="The answer's text")
    html_body: str = Field(default="", description="The same as HTML, which goes before the text")
    start_time: str | None = Field(default=None, description="From when: 2026-03-02, or 2026-03-02T09:00")
    end_time: str | None = Field(default=None, description="Until when, that instant not included")
    contacts_only: bool = Field(default=False, description="Whether only contacts are answered")
    domain_only: bool = Field(default=False, description="Whether only people of the own domain are answered")


def get_vacation(call: ToolCall, asked: Nothing) -> Said:
    """What is answered while somebody is away."""
    return _vacation(call, store.settings_of(call.world, call.person.id))


def set_vacation(call: ToolCall, asked: SetVacation) -> Said:
    """Sets all of it."""
    changed = set_answer(
        call.world, call.person.id, enabled=asked.enabled, subject=asked.subject, text=asked.body,
        html=asked.html_body, contacts_only=asked.contacts_only, domain_only=asked.domain_only,
        start_at=_instant(call, "startTime", asked.start_time),
        end_at=_instant(call, "endTime", asked.end_time),
    )  # fmt: skip
    return _vacation(call, changed)


def _instant(call: ToolCall, name: str, given: str | None) -> int | None:
    """An instant in UTC milliseconds; without an offset it is in the person's own time."""
    if not given:
        return None
    try:
        read = datetime.fromisoformat(given)
        local = read if read.tzinfo else read.replace(tzinfo=ZoneInfo(call.person.zone))
        return int(local.timestamp() * 1000)
    except (ValueError, OverflowError):
        raise ToolRefused(f"{name} {given!r} is no date such as 2026-03-02 or 2026-03-02T09:00.") from None


def _vacation(call: ToolCall, now: Settings) -> Said:
    facts: dict[str, Any] = {
        "enabled": now.vacation_enabled, "subject": now.vacation_subject, "body": now.vacation_text,
        "htmlBody": now.vacation_html, "contactsOnly": now.vacation_contacts_only,
        "domainOnly": now.vacation_domain_only, "startTime": now.vacation_start_at,
        "endTime": now.vacation_end_at,
    }  # fmt: skip
    for name in ("startTime", "endTime"):
        facts[name] = None if facts[name] is None else telling.when(call, facts[name])
    begin, end = facts["startTime"] or "now", facts["endTime"] or "further notice"
    state = f"on, from {begin} until {end}" if now.vacation_enabled else "off"
    text = f"The vacation answer is {state}.\n{now.vacation_subject}\n\n{now.vacation_text}"
    return Said(text.rstrip(), facts)


def unsubscribe_email(call: ToolCall, asked: MessageId) -> Said:
    """Leaves the list that a message came from."""
    message = telling.named(call, asked.message_id)
    try:
        left = unsubscribe(call.world, call.person, message)
    except NotFound:
        raise ToolRefused(f"Message {message.id} offers no way to unsubscribe by itself.") from None
    return Said(
        f"Unsubscribed from {left.sender} by {left.way}: {left.target}.",
        {"id": left.id, "sender": left.sender, "way": left.way, "target": left.target},
    )


TOOLS = (
    tool(
        "get_vacation",
        "Read the vacation answer",
        "Whether mail is answered while away, and how.",
        Nothing,
        get_vacation,
        reads=True,
    ),
    tool(
        "set_vacation",
        "Set the vacation answer",
        "Switches the vacation answer on or off, and says what "
        "it is. All of it is set: what is left out is off or empty.",
        SetVacation,
        set_vacation,
        repeats=True,
    ),
    tool(
        "unsubscribe_email",
        "Unsubscribe",
        "Leaves the mailing list that a message came from.",
        MessageId,
        unsubscribe_email,
        repeats=True,
        reaches=True,
    ),
)
