"""What happened in a mailbox: its numbered history and its totals. The caller has a transaction open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fakes.gmail.schema import HistoryEntry, Mailbox, Message

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

ADDED, DELETED = "messageAdded", "messageDeleted"
LABELLED, UNLABELLED = "labelAdded", "labelRemoved"


def mailbox_of(world: World, owner: str) -> Mailbox:
    """A person's totals; all 0 before the first message."""
    empty = Mailbox(owner=owner, history_id=1, messages_total=0, threads_total=0)
    return world.get(Mailbox, owner) or empty


class Diary:
    """Writes down what happens in one mailbox; its totals are stored when it is closed.

    Use it as a context manager, for one mailbox and as many messages as there are.
    """

    def __init__(self, tx: Tx, world: World, owner: str) -> None:
        self._tx = tx
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

    def note(self, message: Message, kind: str, labels: Iterable[str]) -> None:
        """Something happened to a message: one of ADDED, DELETED, LABELLED, UNLABELLED."""
        self._history_id += 1
        self._tx.insert(
            HistoryEntry(
                owner=message.owner, id=self._history_id, at=self._at, message_id=message.id,
                thread_id=message.thread_id, kind=kind, labels=" ".join(labels),
            )
        )  # fmt: skip

    def count(self, messages: int, threads: int) -> None:
        """So many more messages and threads, or fewer."""
        self._messages += messages
        self._threads += threads
