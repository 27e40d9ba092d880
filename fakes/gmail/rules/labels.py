"""Gmail's system labels. Their ids are their names."""

from __future__ import annotations

INBOX, SENT, UNREAD = "INBOX", "SENT", "UNREAD"
OUT_OF_SIGHT = ("SPAM", "TRASH")
"""What a plain list and a plain search leave out."""

_SHOWN = (INBOX, SENT, "DRAFT", "STARRED", UNREAD)
_HIDDEN = (
    *OUT_OF_SIGHT, "IMPORTANT", "CHAT", "CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS",
    "CATEGORY_UPDATES", "CATEGORY_FORUMS",
)  # fmt: skip
SYSTEM = frozenset((*_SHOWN, *_HIDDEN))


def system_labels() -> list[dict[str, str]]:
    """The system labels as `users.labels.list` tells them: only the hidden ones state a visibility."""
    shown = [{"id": name, "name": name, "type": "system"} for name in _SHOWN]
    hide = {"messageListVisibility": "hide", "labelListVisibility": "labelHide"}
    return [*shown, *({"id": name, "name": name, **hide, "type": "system"} for name in _HIDDEN)]
