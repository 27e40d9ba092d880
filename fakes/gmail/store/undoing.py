"""What is done to conversations from a list, and taken back: the history of a mailbox knows what it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fakes.gmail.rules.labels import IMMUTABLE, INBOX, MUTED, SCHEDULED, SNOOZED, SYSTEM
from fakes.gmail.schema import HistoryEntry, Message, Snooze, UserLabel
from fakes.gmail.store.history import LABELLED, UNLABELLED
from fakes.gmail.store.labelling import mark
from fakes.gmail.store.later import forget_snooze

if TYPE_CHECKING:
    from fakes.core.world import World

_AT_ONCE = 500
_FIXED = IMMUTABLE | {SCHEDULED}


def messages_of(world: World, owner: str, thread_ids: Sequence[str]) -> list[Message]:
    """All messages of these threads that lie in this mailbox, oldest first in each."""
    found: list[Message] = []
    for at in range(0, len(thread_ids), _AT_ONCE):
        some = thread_ids[at : at + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        tail = f"INDEXED BY gmail_messages_1 WHERE owner = ? AND thread_id IN ({marks})"
        found += world.all(Message, f"{tail} ORDER BY thread_id, place", (owner, *some))
    return found


def mute(world: World, owner: str, message_ids: Sequence[str]) -> None:
    """Takes conversations out of the inbox, where what comes in later does not go either."""
    with world.tx() as tx:
        mark(tx, world, owner, message_ids, add=[MUTED])
        mark(tx, world, owner, message_ids, remove=[INBOX])


def unmute(world: World, owner: str, message_ids: Sequence[str]) -> None:
    """Lets what comes in go to the inbox again; what lies elsewhere stays there."""
    with world.tx() as tx:
        mark(tx, world, owner, message_ids, remove=[MUTED])


def undo(world: World, owner: str, after: int, until: int) -> int:
    """Takes back what happened to labels from number `after` of the history (it excluded) to `until`.

    Returns of how many messages. What came, went or was sent meanwhile stays as it is.
    """
    tail = "WHERE owner = ? AND id > ? AND id <= ? AND kind IN (?, ?) ORDER BY id DESC"
    entries = world.all(HistoryEntry, tail, (owner, after, until, LABELLED, UNLABELLED))
    known = {*SYSTEM, SNOOZED, MUTED} - _FIXED
    known |= {label.id for label in world.all(UserLabel, "WHERE owner = ?", (owner,))}
    with world.tx() as tx:
        for thread_id in _snoozed(entries):
            found = world.get(Snooze, owner, thread_id)
            if found is not None:
                forget_snooze(tx, world, found)
        for message_id, (put, taken) in _opposite(entries, known).items():
            mark(tx, world, owner, [message_id], add=put, remove=taken)
    return len({entry.message_id for entry in entries})


def _snoozed(entries: Iterable[HistoryEntry]) -> list[str]:
    snoozed = (each.thread_id for each in entries if each.kind == LABELLED and SNOOZED in each.labels.split())
    return list(dict.fromkeys(snoozed))


def _opposite(entries: Iterable[HistoryEntry], known: set[str]) -> dict[str, tuple[list[str], list[str]]]:
    """Labels to put on and to take off each message, so that it is as before the oldest of these entries."""
    wanted: dict[str, dict[str, bool]] = {}
    for entry in entries:
        labels = wanted.setdefault(entry.message_id, {})
        labels.update((label, entry.kind == UNLABELLED) for label in entry.labels.split() if label in known)
    return {
        message_id: (
            [name for name, had in labels.items() if had],
            [n for n, had in labels.items() if not had],
        )
        for message_id, labels in wanted.items()
    }
