"""Telling a retry from a new command, by its id."""

from __future__ import annotations

from relay import results
from relay.store import Connection


def recall(connection: Connection, command: dict) -> dict | None:
    """What a command was answered when it first came; None if it is new."""
    found = results.find(connection, command["command_id"])
    return found[1] if found else None


def remember(connection: Connection, command: dict, result: dict) -> None:
    """Keeps the result of a new command, in the transaction of its effect."""
    results.keep(connection, command["command_id"], "", result)
