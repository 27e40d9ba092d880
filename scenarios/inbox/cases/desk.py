"""What the cases are laid out with: whose mailbox it is, and mails that come back as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from fakes.core.people import Person
from fakes.core.seeding import Seed
from fakes.gmail.schema import Message
from fakes.gmail.seed import Attachment, Correspondent, mail
from scenarios.office.people import Company


@dataclass(frozen=True)
class Desk:
    """Mira's mailbox while it is being filled."""

    w: Seed
    staff: Company

    @property
    def mira(self) -> Person:
        """Whose mailbox it is."""
        return self.staff.mira

    def got(
        self,
        sender: Correspondent,
        subject: str,
        text: str,
        *,
        day: int | date,
        time: str = "09:00",
        name: str = "",
        to: Iterable[Correspondent] = (),
        cc: Iterable[Correspondent] = (),
        answers: Message | None = None,
        read: bool = True,
        headers: Mapping[str, str] | None = None,
        files: Iterable[Attachment] = (),
    ) -> Message:
        """A mail that Mira got (or sent, if she is the sender); returns her copy."""
        w = self.w
        message_id = mail(
            w,
            sender,
            [*to] or [self.mira],
            subject,
            text,
            day=day,
            time=time,
            sender_name=name,
            cc=cc,
            reply_to=answers.rfc822_id if answers else None,
            read=read,
            headers=headers or {},
            files=files,
        )
        found = w.world.one(Message, "WHERE owner = ? AND rfc822_id = ?", (self.mira.id, message_id))
        assert found is not None
        return found


def paper(name: str, *lines: str) -> Attachment:
    """A small paper that opens as a text in a PDF's clothes: only its bytes matter here."""
    return Attachment(name, "application/pdf", "\n".join(["%PDF-1.4", *lines, "%%EOF"]).encode())
