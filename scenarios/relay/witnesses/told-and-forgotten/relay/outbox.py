"""What is to be sent next. It is tried once."""

from __future__ import annotations

from relay.store import Connection

TABLES = ()


def put(connection: Connection, event: dict) -> None:
    """Has an event sent next."""
    vars(connection)["next"] = [event]


def pending(connection: Connection, event_id: str | None = None) -> list[dict]:
    """What is to be sent next, which is forgotten."""
    return vars(connection).pop("next", [])


def settle(connection: Connection, event: dict) -> None:
    """It is forgotten already."""
