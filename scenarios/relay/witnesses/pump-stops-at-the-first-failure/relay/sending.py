"""Rounds of sending, which end when the sink fails: it will be no better for the next one."""

from __future__ import annotations

from relay import outbox
from relay.errors import SinkError
from relay.notifier import notify
from relay.store import Connection


def send(connection: Connection, url: str, event_id: str | None = None) -> None:
    """Tries whatever is pending, or the one event that is named; what is not accepted stays pending."""
    for event in outbox.pending(connection, event_id):
        try:
            notify(url, event)
        except SinkError:
            return
        outbox.settle(connection, event)
