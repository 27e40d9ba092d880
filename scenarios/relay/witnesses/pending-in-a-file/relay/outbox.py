"""What the sink has not accepted yet, in a file beside the database."""

from __future__ import annotations

import json
import os

from relay.store import Connection

TABLES = ()


def put(connection: Connection, event: dict) -> None:
    """Makes the notification of an event pending."""
    _write(connection, [*pending(connection), event])


def pending(connection: Connection, event_id: str | None = None) -> list[dict]:
    """The events that are to be announced, oldest first; or the one that is named, if it is."""
    try:
        with open(_file(connection), encoding="utf-8") as file:
            events = json.load(file)
    except FileNotFoundError:
        return []
    return [event for event in events if event_id in (None, event["event_id"])]


def settle(connection: Connection, event: dict) -> None:
    """The sink has accepted it."""
    _write(connection, [each for each in pending(connection) if each["event_id"] != event["event_id"]])


def _write(connection: Connection, events: list[dict]) -> None:
    whole = _file(connection) + ".new"
    with open(whole, "w", encoding="utf-8") as file:
        json.dump(events, file)
    os.replace(whole, _file(connection))


def _file(connection: Connection) -> str:
    return connection.execute("PRAGMA database_list").fetchone()["file"] + ".outbox"
