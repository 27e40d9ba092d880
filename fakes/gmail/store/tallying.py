"""Numbers that many mails share: counters, totals of mailboxes, histories; kept until all is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fakes.gmail.schema import HistoryEntry, Message
from fakes.gmail.store.history import mailbox_of

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

_COUNT = "INSERT INTO counters (kind, n) VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET n = excluded.n"
_TOTALS = (
    "INSERT INTO gmail_mailboxes (owner, history_id, messages_total, threads_total) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (owner) DO UPDATE SET history_id = excluded.history_id,"
    " messages_total = excluded.messages_total, threads_total = excluded.threads_total"
)


class Tally:
    """Counts on from what is stored. What others count meanwhile has to be of another kind."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._stored: dict[str, int] = dict(world.select("SELECT kind, n FROM counters"))
        self._counters: dict[str, int] = {}
        self._totals: dict[str, list[int]] = {}
        self._history: list[tuple[Any, ...]] = []

    def seq(self, kind: str) -> int:
        """The next number of a counter: `Tx.seq`."""
        n = self._counters.get(kind) or self._stored.get(kind, 0)
        self._counters[kind] = n + 1
        return n + 1

    def new_id(self, kind: str, **shape: Any) -> str:
        """A new id: `Tx.new_id`."""
        return self._world.ids.text(kind, self.seq(f"{kind}.id"), **shape)

    def note(self, message: Message, kind: str, labels: str) -> None:
        """Something happened to a message when it was received: `Diary.note`."""
        totals = self._of(message.owner)
        totals[0] += 1
        self._history.append(
            (message.owner, totals[0], message.received_at, message.id, message.thread_id, kind, labels)
        )

    def count(self, owner: str, threads: int) -> None:
        """One more message and so many more threads: `Diary.count`."""
        totals = self._of(owner)
        totals[1] += 1
        totals[2] += threads

    def _of(self, owner: str) -> list[int]:
        if owner not in self._totals:
            found = mailbox_of(self._world, owner)
            self._totals[owner] = [found.history_id, found.messages_total, found.threads_total]
        return self._totals[owner]

    def write(self, tx: Tx) -> None:
        """Stores all numbers."""
        tx.execute_many(HistoryEntry.__table__.insertion, self._history)
        tx.execute_many(_TOTALS, [(owner, *totals) for owner, totals in self._totals.items()])
        tx.execute_many(_COUNT, sorted(self._counters.items()))
