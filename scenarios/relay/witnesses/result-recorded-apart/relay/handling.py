"""What a command does to the database; then its result is recorded."""

from __future__ import annotations

from relay.doing import do
from relay.retries import recall, remember
from relay.store import Connection
from relay.transaction import transaction


def handle(connection: Connection, command: dict) -> dict:
    """Does a new command, or finds the result that it had when it first came."""
    result = recall(connection, command)
    if result is None:
        with transaction(connection):
            result = do(connection, command)
        with transaction(connection):
            remember(connection, command, result)
    return result
