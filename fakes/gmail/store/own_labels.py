"""Labels of one's own: made, renamed, coloured, nested by slashes in their names, removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.gmail.errors import InvalidLabelName, LabelExists
from fakes.gmail.rules.labels import is_label_name, is_reserved
from fakes.gmail.schema import MessageLabel, UserLabel
from fakes.gmail.store.labelling import mark

if TYPE_CHECKING:
    from fakes.core.world import World

MOST_LABELS = 10_000


@dataclass(frozen=True)
class Counts:
    """How many messages and threads carry a label, and how many of them are unread."""

    messages: int
    unread: int
    threads: int
    threads_unread: int


def own_labels(world: World, owner: str) -> list[UserLabel]:
    """A mailbox's own labels, in the order of their names."""
    found = world.all(UserLabel, "WHERE owner = ?", (owner,))
    return sorted(found, key=lambda label: (label.name.casefold(), label.seq))


def own_label(world: World, owner: str, label_id: str) -> UserLabel | None:
    """The label with this id."""
    return world.get(UserLabel, owner, label_id)


def label_named(world: World, owner: str, name: str) -> UserLabel | None:
    """The label with this name, in any case."""
    wanted = name.casefold()
    return next((label for label in own_labels(world, owner) if label.name.casefold() == wanted), None)


def create_label(
    world: World, owner: str, name: str, *, message_list: str = "show", label_list: str = "labelShow",
    text_color: str | None = None, background_color: str | None = None,
) -> UserLabel:  # fmt: skip
    """A new label. Raises InvalidLabelName, LabelExists."""
    name = _checked(world, owner, name)
    with world.tx() as tx:
        seq = tx.seq(f"gmail_label/{owner}")
        return tx.insert(
            UserLabel(
                owner=owner, id=f"Label_{seq}", seq=seq, name=name, message_list_visibility=message_list,
                label_list_visibility=label_list, text_color=text_color, background_color=background_color,
            )
        )  # fmt: skip


def change_label(world: World, label: UserLabel, **changes: str | None) -> UserLabel:
    """Sets columns of a label. Raises InvalidLabelName, LabelExists."""
    name = changes.get("name")
    if name is not None and name != label.name:
        changes["name"] = _checked(world, label.owner, name, but=label.id)
    with world.tx() as tx:
        return tx.update(label, **changes) if changes else label


def _checked(world: World, owner: str, name: str, but: str = "") -> str:
    name = "/".join(part.strip() for part in name.split("/"))
    if is_reserved(name) or not is_label_name(name):
        raise InvalidLabelName()
    found = label_named(world, owner, name)
    if found is not None and found.id != but:
        raise LabelExists()
    return name


def delete_label(world: World, label: UserLabel) -> None:
    """Removes a label, from all messages too; those nested in it stay as they are."""
    tail = "WHERE owner = ? AND label = ?"
    carried = [row.message_id for row in world.all(MessageLabel, tail, (label.owner, label.id))]
    with world.tx() as tx:
        for at in range(0, len(carried), 500):
            mark(tx, world, label.owner, carried[at : at + 500], remove=[label.id])
        tx.delete(label)


def counts(world: World, owner: str, label: str) -> Counts:
    """How much carries a label, by its id."""
    other = "FROM gmail_message_labels u WHERE u.message_id = l.message_id AND u.label = 'UNREAD'"
    unread = f"EXISTS (SELECT 1 {other})"
    sql = (
        f"SELECT count(*), coalesce(sum({unread}), 0), count(DISTINCT thread_id),"
        f" count(DISTINCT CASE WHEN {unread} THEN thread_id END)"
        " FROM gmail_message_labels l WHERE l.owner = ? AND l.label = ?"
    )
    return Counts(*map(int, world.select(sql, (owner, label))[0]))
