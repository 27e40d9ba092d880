"""Rounds of sending: each pending notification is tried, five times at the most."""

from __future__ import annotations

from relay import outbox
from relay.errors import SinkError
from relay.notifier import notify
from relay.store import Connection


def send(connection: Connection, url: str, event_id: str | None = None) -> None:
    """Tries whatever is pending, or the one event that is named."""
    tries = vars(connection).setdefault("tries", {})
    for event in outbox.pending(connection, event_id):
        tries[event["event_id"]] = tries.get(event["event_id"], 0) + 1
        try:
            notify(url, event)
        except SinkError:
            if tries[event["event_id"]] < 5:
                continue
        outbox.settle(connection, event)
