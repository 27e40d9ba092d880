"""What the sink has not accepted yet."""

from __future__ import annotations

from relay.store import Connection

TABLES = ()


def put(connection: Connection, event: dict) -> None:
    """Makes the notification of an event pending."""
    _waiting(connection)[event["event_id"]] = event


def pending(connection: Connection, event_id: str | None = None) -> list[dict]:
    """The events that are to be announced, oldest first; or the one that is named, if it is."""
    return [event for event in _waiting(connection).values() if event_id in (None, event["event_id"])]


def settle(connection: Connection, event: dict) -> None:
    """The sink has accepted it."""
    _waiting(connection).pop(event["event_id"])


def _waiting(connection: Connection) -> dict[str, dict]:
    return vars(connection).setdefault("waiting", {})
