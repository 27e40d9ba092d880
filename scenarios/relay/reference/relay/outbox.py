"""What the sink has not accepted yet. It is written with the event, so neither is there without the other."""

from __future__ import annotations

import json

from relay.store import Connection

TABLES = (
    "CREATE TABLE IF NOT EXISTS outbox"
    " (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL, body TEXT NOT NULL)",
)


def put(connection: Connection, event: dict) -> None:
    """Makes the notification of an event pending."""
    connection.execute(
        "INSERT INTO outbox (event_id, body) VALUES (?, ?)", (event["event_id"], json.dumps(event))
    )


def pending(connection: Connection, event_id: str | None = None) -> list[dict]:
    """The events that are to be announced, oldest first; or the one that is named, if it is."""
    rows = connection.execute(
        "SELECT body FROM outbox WHERE ? IS NULL OR event_id = ? ORDER BY seq", (event_id, event_id)
    )
    return [json.loads(row["body"]) for row in rows]


def settle(connection: Connection, event: dict) -> None:
    """The sink has accepted it."""
    connection.execute("DELETE FROM outbox WHERE event_id = ?", (event["event_id"],))
