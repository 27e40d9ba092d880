"""Gmail's system labels, whose ids are their names, and what names a label of one's own may have.

Which of them can be put on and taken off by hand: developers.google.com/workspace/gmail/api/guides/labels.
"""

from __future__ import annotations

import re

INBOX, SENT, UNREAD, DRAFT, STARRED = "INBOX", "SENT", "UNREAD", "DRAFT", "STARRED"
SPAM, TRASH, IMPORTANT, CHAT = "SPAM", "TRASH", "IMPORTANT", "CHAT"
PERSONAL = "CATEGORY_PERSONAL"
CATEGORIES = (PERSONAL, "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS")
"""The tabs of an inbox, the main one first."""
OUT_OF_SIGHT = (SPAM, TRASH)
"""What a plain list and a plain search leave out."""
IMMUTABLE = frozenset((SENT, DRAFT, CHAT))
"""What says what a message is: nobody puts it on or takes it off."""
SNOOZED, SCHEDULED, MUTED = "SNOOZED", "SCHEDULED", "MUTED"
INTERNAL = frozenset((SNOOZED, SCHEDULED, MUTED))
"""Marks of the mailbox itself: searches and pages know them, the API neither shows nor takes them."""

_SHOWN = (INBOX, SENT, DRAFT, STARRED, UNREAD)
_HIDDEN = (*OUT_OF_SIGHT, IMPORTANT, CHAT, *CATEGORIES)
SYSTEM = frozenset((*_SHOWN, *_HIDDEN))
_RESERVED = {"sent mail", "all mail"}.union(
    "inbox sent draft drafts starred unread spam trash bin important chat chats snoozed scheduled".split(),
    "muted voicemail migrated".split(),
)
LONGEST_NAME = 225
MESSAGE_LIST_VISIBILITIES = ("show", "hide")
LABEL_LIST_VISIBILITIES = ("labelShow", "labelShowIfUnread", "labelHide")
_CONTROL = re.compile(r"[\0-\x1f\x7f-\x9f]")
_OWN_ID = re.compile(r"Label_[0-9]+")


def system_labels() -> list[dict[str, str]]:
    """The system labels as `users.labels.list` tells them: only the hidden ones state a visibility."""
    shown = [{"id": name, "name": name, "type": "system"} for name in _SHOWN]
    hide = {"messageListVisibility": "hide", "labelListVisibility": "labelHide"}
    return [*shown, *({"id": name, "name": name, **hide, "type": "system"} for name in _HIDDEN)]


def is_own_id(label: str) -> bool:
    """Whether this looks like the id of a label of one's own."""
    return bool(_OWN_ID.fullmatch(label))


def is_reserved(name: str) -> bool:
    """Whether a label of one's own can't be called this: it would shadow one of the system's.

    Measured for Drafts, Trash and Inbox: github.com/GAM-team/got-your-back/issues/109; for Migrated: 82
    there; for muted and voicemail: github.com/gauteh/lieer/issues/18 and 74.
    """
    return name.strip().casefold() in _RESERVED or name.strip().upper() in SYSTEM


def is_label_name(name: str) -> bool:
    """Whether this can be a label's name: something between all slashes, no control letters, not too long."""
    if not 0 < len(name) <= LONGEST_NAME or _CONTROL.search(name):
        return False
    return all(part.strip() for part in name.split("/"))
