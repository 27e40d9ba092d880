"""A filter in words: which mail, and what is done with it."""

from __future__ import annotations

from collections.abc import Mapping

from fakes.gmail.rules.filtering import criteria_text
from fakes.gmail.rules.labels import (
    CATEGORIES,
    CHAT,
    DRAFT,
    IMPORTANT,
    INBOX,
    SENT,
    SPAM,
    STARRED,
    TRASH,
    UNREAD,
)
from fakes.gmail.schema import Filter, UserLabel
from fakes.gmail.web.folders import TABS

SYSTEM_NAMES = {
    INBOX: "Inbox", STARRED: "Starred", IMPORTANT: "Important", SENT: "Sent", DRAFT: "Drafts",
    SPAM: "Spam", TRASH: "Trash", UNREAD: "Unread", CHAT: "Chats",
    **{tab.label: tab.title for tab in TABS.values()},
}  # fmt: skip
"""The system labels as pages call them."""
_PUT_ON = {
    STARRED: "star it", TRASH: "delete it", IMPORTANT: "always mark it as important",
    INBOX: "put it in the inbox", SPAM: "send it to spam", UNREAD: "mark it as unread",
}  # fmt: skip
_TAKEN_OFF = {
    INBOX: "skip the inbox", UNREAD: "mark it as read", SPAM: "never send it to spam",
    IMPORTANT: "never mark it as important", STARRED: "take its star off",
}  # fmt: skip


def mail_in_words(row: Filter) -> str:
    """The criteria, as a search has them; sizes are told in MB or KB where they are whole."""
    text = criteria_text(row)
    if not row.size_comparison or not row.size:
        return text
    plain = f"{row.size_comparison}:{row.size}"
    return text.replace(plain, f"{row.size_comparison}:{_size(row.size)}", 1)


def _size(size: int) -> str:
    for unit, factor in (("M", 1024 * 1024), ("K", 1024)):
        if size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)


def actions_in_words(row: Filter, own: Mapping[str, UserLabel]) -> str:
    """What is done, as in "Skip the inbox, apply the label Bills"; `own` are the mailbox's labels by id."""
    found = [_taken_off(label, own) for label in row.remove_labels.split()]
    found += [_put_on(label, own) for label in row.add_labels.split()]
    found += [f"forward it to {row.forward}"] if row.forward else []
    text = ", ".join(found)
    return text[:1].upper() + text[1:]


def _put_on(label: str, own: Mapping[str, UserLabel]) -> str:
    if label in CATEGORIES:
        return f"categorise it as {SYSTEM_NAMES[label]}"
    return _PUT_ON.get(label) or f"apply the label {label_name(label, own)}"


def _taken_off(label: str, own: Mapping[str, UserLabel]) -> str:
    return _TAKEN_OFF.get(label) or f"take off the label {label_name(label, own)}"


def label_name(label: str, own: Mapping[str, UserLabel]) -> str:
    """A label as people call it; one that is gone says so."""
    if label in own:
        return own[label].name
    return SYSTEM_NAMES.get(label, "(a deleted label)")
