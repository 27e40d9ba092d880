"""The folders of a mailbox, conversation by conversation: a label, a tab of the inbox, all mail.

Each walks the index of its label from where the last page ended; a conversation stands where its newest
message of that folder does. What lies in spam or trash is in no other folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fakes.gmail.rules.labels import CATEGORIES, INBOX, OUT_OF_SIGHT, PERSONAL, SPAM, UNREAD
from fakes.gmail.store.mailbox import MOST_COUNTED

if TYPE_CHECKING:
    from fakes.core.world import World

Ref = tuple[str, str]
"""A message that stands for its conversation, and the thread."""

_LABELS = "gmail_message_labels"
_OTHERS = tuple(category for category in CATEGORIES if category != PERSONAL)


@dataclass(frozen=True)
class Page:
    """Conversations, newest first, and the place after which the next page begins (None: nowhere)."""

    refs: list[Ref]
    next: int | None


def folder(
    world: World, owner: str, label: str, *, tab: str = "", limit: int = 50, before: int | None = None
) -> Page:
    """The conversations that have a message with a label; of the inbox, those of one tab only (a category).

    A conversation is in the tab that its newest message in the inbox belongs to; what belongs to none is in
    the main one.
    """
    newest = _newest(label, _visible("n", label))
    params: list[Any] = [owner, label]
    source = f"FROM {_LABELS} x WHERE x.owner = ? AND x.label = ?"
    if tab and tab != PERSONAL and _is_rare(world, owner, tab):
        source = (
            f"FROM {_LABELS} c CROSS JOIN {_LABELS} x ON x.message_id = c.message_id"
            " WHERE c.owner = ? AND c.label = ? AND x.label = 'INBOX'"
        )
        params = [owner, tab]
    elif tab == PERSONAL:
        source += _lacks("x.message_id", _OTHERS)
    elif tab:
        source += f" AND {_has('x.message_id', [tab])}"
    sql = f"SELECT x.message_id, x.thread_id, x.place {source}{_visible('x', label)}{newest}"
    return _page(world, sql, params, limit, before)


def all_mail(world: World, owner: str, *, limit: int = 50, before: int | None = None) -> Page:
    """Every conversation that has a message outside of spam and trash."""
    hidden = _lacks("n.id", OUT_OF_SIGHT)
    sql = (
        "SELECT x.id, x.thread_id, x.place FROM gmail_messages x INDEXED BY gmail_messages_0"
        " WHERE x.owner = ?"
        + _lacks("x.id", OUT_OF_SIGHT)
        + " AND NOT EXISTS (SELECT 1 FROM gmail_messages n INDEXED BY gmail_messages_1"
        f" WHERE n.owner = x.owner AND n.thread_id = x.thread_id AND n.place > x.place{hidden})"
    )
    return _page(world, sql, [owner], limit, before)


def _page(world: World, sql: str, params: list[Any], limit: int, before: int | None) -> Page:
    after, bound = (" AND x.place < ?", [before]) if before is not None else ("", [])
    rows = world.select(f"{sql}{after} ORDER BY x.place DESC LIMIT ?", (*params, *bound, limit + 1))
    end = rows[limit - 1][2] if len(rows) > limit else None
    return Page([(row[0], row[1]) for row in rows[:limit]], end)


def _newest(label: str, visible: str) -> str:
    """That no newer message of the thread has the label. INDEXED BY, as there are no statistics."""
    of = "'INBOX'" if label == INBOX else "x.label"
    return (
        f" AND NOT EXISTS (SELECT 1 FROM {_LABELS} n INDEXED BY gmail_message_labels_1"
        f" WHERE n.owner = x.owner AND n.label = {of} AND n.thread_id = x.thread_id"
        f" AND n.place > x.place{visible})"
    )


def _visible(row: str, label: str) -> str:
    return "" if label in OUT_OF_SIGHT else _lacks(f"{row}.message_id", OUT_OF_SIGHT)


def _has(message_id: str, labels: Sequence[str]) -> str:
    """That the message whose id stands in a column has one of these labels."""
    # the plus: a message has few labels, and walking them costs less than a probe for each one asked for
    names = ", ".join(f"'{label}'" for label in labels)
    return f"EXISTS (SELECT 1 FROM {_LABELS} h WHERE h.message_id = {message_id} AND +h.label IN ({names}))"


def _lacks(message_id: str, labels: Sequence[str]) -> str:
    return f" AND NOT {_has(message_id, labels)}"


def _is_rare(world: World, owner: str, label: str) -> bool:
    """Whether sorting all that has the label costs less than walking the inbox."""
    rows = f"SELECT 1 FROM {_LABELS} WHERE owner = ? AND label = ?"
    return _count(world, rows, (owner, label)) < MOST_COUNTED


def thread_count(world: World, owner: str, label: str) -> int:
    """How many conversations have a label, up to 1,000 and one."""
    rows = f"SELECT DISTINCT thread_id FROM {_LABELS} INDEXED BY gmail_message_labels_1"
    return _count(world, f"{rows} WHERE owner = ? AND label = ?", (owner, label))


def _count(world: World, rows: str, params: Sequence[Any]) -> int:
    return int(world.select(f"SELECT count(*) FROM ({rows} LIMIT ?)", (*params, MOST_COUNTED + 1))[0][0])


def unread_counts(world: World, owner: str) -> dict[str, int]:
    """How many conversations of each label are unread, going by the newest 1,000 unread messages."""
    newest = (
        f"SELECT u.message_id, u.thread_id FROM {_LABELS} u WHERE u.owner = ?1 AND u.label = ?2{{}}"
        " ORDER BY u.place DESC LIMIT ?3"
    )
    counted = (
        f"SELECT l.label, count(DISTINCT u.thread_id) FROM ({newest}) u"
        f" CROSS JOIN {_LABELS} l ON l.message_id = u.message_id GROUP BY l.label"
    )
    inside = world.select(counted.format(_lacks("u.message_id", OUT_OF_SIGHT)), (owner, UNREAD, MOST_COUNTED))
    spam = (
        f"SELECT count(DISTINCT u.thread_id) FROM ({newest.format('')}) u"
        f" CROSS JOIN {_LABELS} l ON l.message_id = u.message_id AND l.label = '{UNREAD}'"
    )
    found = dict(inside)
    return {**found, SPAM: int(world.select(spam, (owner, SPAM, MOST_COUNTED))[0][0])}
