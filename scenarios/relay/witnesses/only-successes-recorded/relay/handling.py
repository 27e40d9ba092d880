"""What a command does to the database: all of it in one transaction."""

from __future__ import annotations

from relay.doing import do
from relay.retries import recall, remember
from relay.store import Connection
from relay.transaction import transaction


def handle(connection: Connection, command: dict) -> dict:
    """Does a new command, or finds the result that it had when it was done."""
    with transaction(connection):
        result = recall(connection, command)
        if result is None:
            result = do(connection, command)
            if result["ok"]:
                remember(connection, command, result)
    return result
