"""Rounds of sending: a notification is tried until the sink has answered for or against it."""

from __future__ import annotations

from relay import outbox
from relay.errors import SinkError
from relay.notifier import notify
from relay.store import Connection


def send(connection: Connection, url: str, event_id: str | None = None) -> None:
    """Tries whatever is pending, or the one event that is named."""
    for event in outbox.pending(connection, event_id):
        try:
            notify(url, event)
        except SinkError as error:
            if error.status is None or error.status >= 500:
                continue
        outbox.settle(connection, event)
