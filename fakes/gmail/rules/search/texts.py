"""A mail's texts as searches see them, by the columns of the index of words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fakes.gmail.rules.addresses import Address
from fakes.gmail.rules.mime import Letter

_LINK = re.compile(
    r"https?://(?:(www\.youtube\.com|youtu\.be)/|drive\.google\.com/"
    r"|docs\.google\.com/(document|spreadsheets|presentation)/)"
)
_DOCUMENTS = {"document": "document", "spreadsheets": "spreadsheet", "presentation": "presentation"}


def texts_of(letter: Letter, delivered_to: str = "") -> dict[str, str]:
    """The texts by column, in the order of the columns; `delivered_to` is the address that it came to."""
    return {
        "sender": _people(letter.senders[:1]),
        "recipients": _people((*letter.to, *letter.cc, *letter.bcc)),
        "cc": _people(letter.cc),
        "bcc": _people(letter.bcc),
        "subject": letter.subject,
        "body": letter.text,
        "files": " ".join(letter.files),
        "list": letter.header("List-Id"),
        "delivered": delivered_to or letter.header("Delivered-To"),
        "marks": " ".join(marks_of(letter)),
    }


def marks_of(letter: Letter) -> list[str]:
    """What `has:` finds of what a mail carries: files, and links to documents as Google's own look."""
    found = ["attachment"] if letter.files else []
    if "://" in letter.text:
        for video, kind in _LINK.findall(letter.text):
            found += ["youtube"] if video else ["drive", *([_DOCUMENTS[kind]] if kind else [])]
    return list(dict.fromkeys(found))


def _people(found: Iterable[Address]) -> str:
    return " ".join(f"{address.name} {address.email}" for address in found)
