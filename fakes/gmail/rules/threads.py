"""Which messages belong together.

A received mail joins the thread of a message that it refers to if the subjects match. A sent one joins a
thread on three conditions: the thread is named, References or In-Reply-To is set, the subjects match
(developers.google.com/workspace/gmail/api/guides/threads). Which message those headers name does not matter:
the documentation asks that they are set, not that Gmail finds it.
"""

from __future__ import annotations

import re

_PREFIX = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg)\s*(?:\[\d+\]\s*)?:\s*)+", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{1,16}")
_ID = re.compile(r"<[^<>\s]+>")


def bare_subject(subject: str) -> str:
    """The subject without Re: and Fwd:, its case and its spacing: what two messages of a thread share."""
    return " ".join(_PREFIX.sub("", subject).split()).casefold()


def reply_subject(subject: str) -> str:
    """The subject of an answer."""
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def message_ids(text: str) -> tuple[str, ...]:
    """The message ids in a References or In-Reply-To header, oldest first."""
    return tuple(_ID.findall(text))


def is_id(text: str) -> bool:
    """Whether this can be the id of a message or a thread: up to 16 hex digits."""
    return bool(_HEX.fullmatch(text))
