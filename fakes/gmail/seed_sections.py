"""What a YAML seed may say of mail."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from fakes.core.people import Person
from fakes.core.seeding import Names, Section, Seed
from fakes.gmail.schema import Message
from fakes.gmail.seed import Correspondent, mail


class MailEntry(BaseModel):
    """A mail that was delivered at `time` on `day` (days from today, or a date).

    Correspondents are names of people, or addresses outside. `reply_to` is the `as` of an earlier mail.
    """

    model_config = ConfigDict(extra="forbid")

    label: str | None = Field(None, alias="as")
    sender: str = Field(alias="from")
    from_name: str = ""
    to: list[str] = Field(min_length=1)
    cc: list[str] = []
    subject: str
    text: str = ""
    html: str = ""
    day: int | date = 0
    time: str = "09:00"
    read: bool = False
    reply_to: str | None = None


def _write_mail(w: Seed, names: Names, entry: MailEntry) -> Any:
    answered = names.find(entry.reply_to, Message).rfc822_id if entry.reply_to else None
    message_id = mail(
        w, _who(names, entry.sender), [_who(names, each) for each in entry.to], entry.subject, entry.text,
        day=entry.day, time=entry.time, sender_name=entry.from_name, html=entry.html,
        cc=[_who(names, each) for each in entry.cc], reply_to=answered, read=entry.read,
    )  # fmt: skip
    return w.world.one(Message, "WHERE rfc822_id = ? ORDER BY seq DESC", (message_id,))


def _who(names: Names, text: str) -> Correspondent:
    return text if "@" in text else names.find(text, Person)


SECTIONS = {"mail": Section(MailEntry, _write_mail)}
