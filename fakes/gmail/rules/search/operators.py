"""What `name:value` means in a search."""

from __future__ import annotations

import re
from collections.abc import Callable

from fakes.gmail.rules.labels import MUTED, SCHEDULED, SNOOZED
from fakes.gmail.rules.search.moments import age_of, moment_of
from fakes.gmail.rules.search.nodes import (
    ANYWHERE,
    EVERYTHING,
    NOTHING,
    Labelled,
    Named,
    Node,
    Not,
    OwnLabels,
    Phrase,
    Received,
    Sized,
    WithId,
)
from fakes.gmail.rules.search.words import words_of

_SIZE = re.compile(r"(\d{1,12})([km]?)b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1024, "m": 1024 * 1024}
_COLUMNS = {
    "from": "sender", "to": "recipients", "cc": "cc", "bcc": "bcc", "subject": "subject", "list": "list",
    "deliveredto": "delivered", "filename": "files",
}  # fmt: skip
_PEOPLE = frozenset(("from", "to", "cc", "bcc", "deliveredto"))
_PLACES: dict[str, Node] = {
    "inbox": Labelled("INBOX"), "sent": Labelled("SENT"), "draft": Labelled("DRAFT"),
    "drafts": Labelled("DRAFT"),
    "trash": Labelled("TRASH"), "bin": Labelled("TRASH"), "spam": Labelled("SPAM"),
    "starred": Labelled("STARRED"), "important": Labelled("IMPORTANT"), "unread": Labelled("UNREAD"),
    "chats": Labelled("CHAT"), "chat": Labelled("CHAT"), "snoozed": Labelled(SNOOZED),
    "scheduled": Labelled(SCHEDULED), "muted": Labelled(MUTED), "anywhere": EVERYTHING, "all": EVERYTHING,
    "archive": Not(Labelled("INBOX")),
}  # fmt: skip
_STATES: dict[str, Node] = {**_PLACES, "read": Not(Labelled("UNREAD"))}
_CATEGORIES = {
    "primary": "CATEGORY_PERSONAL", "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL",
    "promotions": "CATEGORY_PROMOTIONS", "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS",
}  # fmt: skip
KINDS = ("attachment", "drive", "document", "spreadsheet", "presentation", "youtube")
"""What `has:` finds of what a mail carries; the index marks a mail with these words."""


def phrase(text: str, columns: tuple[str, ...] = ANYWHERE) -> Node:
    """A text as words one after the other; everything, if there is no word in it."""
    words = words_of(text)
    return Phrase(columns, words) if words else EVERYTHING


def _text(name: str, value: str, me: str) -> Node:
    if name in _PEOPLE and value.lower() == "me" and me:
        value = me
    return phrase(value, (_COLUMNS[name],))


def _place(value: str) -> Node:
    return _PLACES.get(value.lower()) or Named(value)


def _has(value: str) -> Node:
    kind = value.lower()
    if kind in KINDS:
        return Phrase(("marks",), (kind,))
    if kind == "userlabels":
        return OwnLabels()
    if kind == "nouserlabels":
        return Not(OwnLabels())
    return Labelled("STARRED") if kind == "yellow-star" else NOTHING


def _label(value: str) -> Node:
    known = _PLACES.get(value.lower())
    return known if isinstance(known, Labelled) else Named(value)


def _size(value: str, larger: bool) -> Node:
    found = _SIZE.fullmatch(value)
    if found is None:
        return NOTHING
    size = int(found[1]) * _UNITS[found[2].lower()]
    return Sized(over=size) if larger else Sized(under=size)


def _date(value: str, later: bool) -> Node:
    moment = moment_of(value)
    if moment is None:
        return NOTHING
    return Received(since=moment) if later else Received(until=moment)


def _age(value: str, newer: bool) -> Node:
    age = age_of(value)
    if age is None:
        return NOTHING
    return Received(since=age) if newer else Received(until=age)


_OTHERS: dict[str, Callable[[str], Node]] = {
    "in": _place,
    "is": lambda value: _STATES.get(value.lower()) or NOTHING,
    "has": _has,
    "label": _label,
    "category": lambda value: Labelled(found) if (found := _CATEGORIES.get(value.lower())) else NOTHING,
    "after": lambda value: _date(value, True),
    "newer": lambda value: _date(value, True),
    "before": lambda value: _date(value, False),
    "older": lambda value: _date(value, False),
    "newer_than": lambda value: _age(value, True),
    "older_than": lambda value: _age(value, False),
    "larger": lambda value: _size(value, True),
    "size": lambda value: _size(value, True),
    "smaller": lambda value: _size(value, False),
    "rfc822msgid": lambda value: WithId(f"<{value.strip('<>')}>"),
}
OPERATORS = frozenset((*_COLUMNS, *_OTHERS))
"""The names that may stand before a colon."""


def condition(name: str, value: str, me: str) -> Node:
    """What an operator asks for; NOTHING where it can't have this value."""
    if name in _COLUMNS:
        return _text(name, value, me)
    return _OTHERS[name](value)


def opens_all(name: str, value: str) -> bool:
    """Whether this operator has spam and trash searched too."""
    return name in ("in", "is") and value.lower() == "anywhere"
