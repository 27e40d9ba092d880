"""Rounds of sending: what is sent is taken off the outbox first, so that nothing is sent twice."""

from __future__ import annotations

from relay import outbox
from relay.errors import SinkError
from relay.notifier import notify
from relay.store import Connection


def send(connection: Connection, url: str, event_id: str | None = None) -> None:
    """Tries whatever is pending, or the one event that is named; what is not accepted is put back."""
    for event in outbox.pending(connection, event_id):
        outbox.settle(connection, event)
        try:
            notify(url, event)
        except SinkError:
            outbox.put(connection, event)
