"""What happened in a mailbox: its numbered history and its totals.

A history is kept for a while only: Gmail promises a week, and that it is often more
(developers.google.com/workspace/gmail/api/guides/sync).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.gmail.rules.labels import INTERNAL
from fakes.gmail.schema import HistoryEntry, Mailbox, Message
from fakes.gmail.store import pushing

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

ADDED, DELETED = "messageAdded", "messageDeleted"
LABELLED, UNLABELLED = "labelAdded", "labelRemoved"
KEPT_MS = 30 * 86_400_000
"""How long a change is told, by the run clock."""


@dataclass(frozen=True)
class Since:
    """A page of what happened, oldest first, and the number after which the next one begins (None: none)."""

    entries: list[HistoryEntry]
    next: int | None


def mailbox_of(world: World, owner: str) -> Mailbox:
    """A person's totals; all 0 before the first message."""
    empty = Mailbox(owner=owner, history_id=1, messages_total=0, threads_total=0)
    return world.get(Mailbox, owner) or empty


class Diary:
    """Writes down what happens in one mailbox; its totals are stored when it is closed.

    Use it as a context manager, inside a transaction, for one mailbox and as many messages as there are.
    """

    def __init__(self, tx: Tx, world: World, owner: str) -> None:
        self._tx = tx
        self._world = world
        self._noted: list[pushing.Noted] = []
        self._at = world.now()
        found = world.get(Mailbox, owner)
        self._mailbox = found if found is not None else tx.insert(mailbox_of(world, owner))
        self._history_id = self._mailbox.history_id
        self._messages = self._mailbox.messages_total
        self._threads = self._mailbox.threads_total

    def __enter__(self) -> Diary:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._history_id != self._mailbox.history_id:
            self._tx.update(
                self._mailbox, history_id=self._history_id, messages_total=self._messages,
                threads_total=self._threads,
            )  # fmt: skip
            pushing.tell(self._tx, self._world, self._mailbox.owner, self._history_id, self._noted)

    def note(self, message: Message, kind: str, labels: Iterable[str]) -> None:
        """Something happened to a message: one of ADDED, DELETED, LABELLED, UNLABELLED."""
        self._history_id += 1
        self._noted.append((message, tuple(labels)))
        self._tx.insert(
            HistoryEntry(
                owner=message.owner, id=self._history_id, at=self._at, message_id=message.id,
                thread_id=message.thread_id, kind=kind, labels=" ".join(self._noted[-1][1]),
            )
        )  # fmt: skip

    def count(self, messages: int, threads: int) -> None:
        """So many more messages and threads, or fewer."""
        self._messages += messages
        self._threads += threads


def history_since(
    world: World,
    owner: str,
    start: int,
    *,
    kinds: Sequence[str],
    label: str = "",
    limit: int,
    after: int | None = None,
) -> Since | None:
    """What happened in a mailbox after number `start`: these kinds, to messages that have or lost a label.

    `after` is where the last page ended. None if something after `start` is no longer kept, or if the mailbox
    never came to `start`.
    """
    if start > mailbox_of(world, owner).history_id:
        return None
    if after is None and _is_forgotten(world, owner, start):  # the first page speaks for all
        return None
    internal = ", ".join(f"'{mark}'" for mark in sorted(INTERNAL))
    tail = f"WHERE owner = ? AND id > ? AND kind IN ({', '.join('?' * len(kinds))})"
    tail += f" AND (kind IN ('{ADDED}', '{DELETED}') OR labels NOT IN ({internal}))"
    params = [owner, start if after is None else after, *kinds]
    if label:
        tail += (
            " AND (instr(' ' || labels || ' ', ?) OR EXISTS (SELECT 1 FROM gmail_message_labels l"
            " WHERE l.message_id = gmail_history.message_id AND l.label = ?))"
        )
        params += [f" {label} ", label]
    found = world.all(HistoryEntry, f"{tail} ORDER BY id LIMIT ?", (*params, limit + 1))
    return Since(found[:limit], found[limit - 1].id if len(found) > limit else None)


def _is_forgotten(world: World, owner: str, start: int) -> bool:
    sql = "SELECT EXISTS (SELECT 1 FROM gmail_history WHERE owner = ? AND id > ? AND at < ?)"
    return bool(world.select(sql, (owner, start, world.now() - KEPT_MS))[0][0])
