"""Labels of one's own: made, renamed, coloured, nested by slashes in their names, removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.gmail.errors import InvalidLabelName, LabelExists, LabelLimit
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
    rows = world.select("SELECT id, name FROM gmail_labels WHERE owner = ?", (owner,))
    found = next((label_id for label_id, each in rows if each.casefold() == wanted), None)
    return world.get(UserLabel, owner, found) if found is not None else None


def create_label(
    world: World, owner: str, name: str, *, message_list: str = "show", label_list: str = "labelShow",
    text_color: str | None = None, background_color: str | None = None,
) -> UserLabel:  # fmt: skip
    """A new label. Raises InvalidLabelName, LabelExists, LabelLimit."""
    name = _checked(world, owner, name)
    if world.count(UserLabel, "WHERE owner = ?", (owner,)) >= MOST_LABELS:
        raise LabelLimit()
    with world.tx() as tx:
        seq = tx.seq(f"gmail_label/{owner}")
        return tx.insert(
            UserLabel(
                owner=owner, id=f"Label_{seq}", seq=seq, name=name, message_list_visibility=message_list,
                label_list_visibility=label_list, text_color=text_color, background_color=background_color,
            )
        )  # fmt: skip


def change_label(world: World, label: UserLabel, **changes: str | None) -> UserLabel:
    """Sets columns of a label; what is as it was writes nothing. Raises InvalidLabelName, LabelExists."""
    if changes.get("name") is not None:
        changes["name"] = _checked(world, label.owner, changes["name"] or "", but=label.id)
    changes = {column: value for column, value in changes.items() if getattr(label, column) != value}
    if not changes:
        return label
    with world.tx() as tx:
        return tx.update(label, **changes)


def _checked(world: World, owner: str, name: str, but: str = "") -> str:
    name = "/".join(" ".join(part.split()) for part in name.split("/"))
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
    carried = "FROM gmail_message_labels INDEXED BY gmail_message_labels_1 WHERE owner = ?1 AND label = ?2"
    # from the unread ones on: in a mailbox that somebody reads they are few
    unread = (
        "FROM gmail_message_labels u WHERE u.owner = ?1 AND u.label = 'UNREAD' AND EXISTS (SELECT 1 FROM"
        " gmail_message_labels l WHERE l.message_id = u.message_id AND l.label = ?2)"
    )
    sql = (
        f"SELECT (SELECT count(*) {carried}), (SELECT count(*) FROM (SELECT DISTINCT thread_id {carried})),"
        f" count(*), count(DISTINCT thread_id) {unread}"
    )
    messages, threads, unread_messages, unread_threads = world.select(sql, (owner, label))[0]
    return Counts(messages, unread_messages, threads, unread_threads)
