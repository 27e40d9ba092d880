"""The conversations above and below one in a list, for who goes through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fakes.core.world import World

_NEWEST_THERE = (
    " AND NOT EXISTS (SELECT 1 FROM gmail_message_labels n INDEXED BY gmail_message_labels_1"
    " WHERE n.owner = x.owner AND n.label = x.label AND n.thread_id = x.thread_id AND n.place > x.place)"
)


def neighbours(world: World, owner: str, thread_id: str, label: str) -> tuple[str | None, str | None]:
    """The thread above (newer) and the one below (older) in the list of a label; None where it ends.

    Neither is given for a thread that is not in the list.
    """
    sql = "SELECT max(place) FROM gmail_message_labels WHERE owner = ? AND label = ? AND thread_id = ?"
    place = world.select(sql, (owner, label, thread_id))[0][0]
    if place is None:
        return None, None
    return _next(world, owner, label, place, ">", "ASC"), _next(world, owner, label, place, "<", "DESC")


def _next(world: World, owner: str, label: str, place: int, beyond: str, order: str) -> str | None:
    sql = "SELECT x.thread_id FROM gmail_message_labels x WHERE x.owner = ? AND x.label = ?"
    sql += f" AND x.place {beyond} ?{_NEWEST_THERE}"
    rows = world.select(f"{sql} ORDER BY x.place {order} LIMIT 1", (owner, label, place))
    return rows[0][0] if rows else None
