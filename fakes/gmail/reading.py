"""A stored mail, read for guards: who it went to, what it says, what is attached. Nothing here writes.

    [sent] = [m for m in end.new(Message) if m.owner == facts.mira.id]
    mail = read_mail(end.all(Source, "WHERE id = ?", (sent.source_id,))[0].raw)

and whether a filter takes it: `would_catch(rule, raw, facts.mira.email)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fakes.gmail.rules import filtering, mime
from fakes.gmail.rules.labels import INBOX, UNREAD
from fakes.gmail.rules.parts import Part, tree
from fakes.gmail.schema import Filter

_QUOTED = re.compile(r"^(?:>|On .{5,200} wrote:\s*$|-{2,} ?(?:forwarded|original) message)", re.IGNORECASE)


@dataclass(frozen=True)
class File:
    """An attached file."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class ReadMail:
    """What a mail holds. Addresses are bare, in lower case; `text` is what a reader sees, `html` its other
    form or "".
    """

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    subject: str
    text: str
    html: str
    references: tuple[str, ...]
    files: tuple[File, ...]

    @property
    def everyone(self) -> tuple[str, ...]:
        """All that it went to, each once."""
        return tuple(dict.fromkeys((*self.to, *self.cc, *self.bcc)))

    @property
    def said(self) -> str:
        """The text without what is quoted or forwarded below it, and without space around it."""
        return "\n".join(_until_quoted(self.text)).strip()


def _until_quoted(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if _QUOTED.match(line):
            return
        yield line


def read_mail(raw: bytes) -> ReadMail:
    """Reads a mail's bytes, however broken they are: what can't be read is empty."""
    letter = mime.read(raw, lenient=True)
    whole = tree(letter.raw)
    return ReadMail(
        sender=letter.senders[0].email if letter.senders else "",
        to=tuple(address.email for address in letter.to),
        cc=tuple(address.email for address in letter.cc),
        bcc=tuple(address.email for address in letter.bcc),
        subject=letter.subject,
        text=letter.text,
        html=mime.body(whole, "html") or "",
        references=letter.references,
        files=tuple(_file(part) for part in whole.walk() if part.is_attachment),
    )


def _file(part: Part) -> File:
    return File(part.file_name, part.media_type, part.content)


def would_catch(rule: Filter, raw: bytes, me: str) -> bool:
    """Whether a filter of the address `me` takes a mail that comes to it: unread, in the inbox."""
    letter = mime.read(raw, lenient=True)
    seen = filtering.seen_of(letter, delivered_to=me, labels=(INBOX, UNREAD))
    return filtering.catches(rule, seen, me)
