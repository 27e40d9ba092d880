"""Rounds of sending, in order: no notification overtakes an older one of its job."""

from __future__ import annotations

from relay import outbox
from relay.errors import SinkError
from relay.notifier import notify
from relay.store import Connection


def send(connection: Connection, url: str, event_id: str | None = None) -> None:
    """Tries whatever is pending; where one is not accepted, its job waits for the next round."""
    waiting: set[str] = set()
    for event in outbox.pending(connection):
        if event["job_id"] in waiting:
            continue
        try:
            notify(url, event)
        except SinkError:
            waiting.add(event["job_id"])
        else:
            outbox.settle(connection, event)
