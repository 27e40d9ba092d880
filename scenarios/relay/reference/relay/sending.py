"""Rounds of sending: each pending notification is tried once."""

from __future__ import annotations

from contextlib import suppress

from relay import outbox
from relay.errors import SinkError
from relay.notifier import notify
from relay.store import Connection


def send(connection: Connection, url: str, event_id: str | None = None) -> None:
    """Tries whatever is pending, or the one event that is named; what is not accepted stays pending."""
    for event in outbox.pending(connection, event_id):
        with suppress(SinkError):
            notify(url, event)
            outbox.settle(connection, event)
