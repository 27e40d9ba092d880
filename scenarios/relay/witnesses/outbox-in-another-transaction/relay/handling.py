"""What a command does to the database: first the job and its event, then the notification."""

from __future__ import annotations

from relay import doing, outbox
from relay.retries import recall, remember
from relay.store import Connection
from relay.transaction import transaction


class Later:
    """An outbox for the time of one transaction."""

    def __init__(self) -> None:
        self.events: list[dict] = []

    def put(self, connection: Connection, event: dict) -> None:
        """Keeps an event for the next transaction."""
        self.events.append(event)


def handle(connection: Connection, command: dict) -> dict:
    """Does a new command, or finds the result that it had when it first came."""
    doing.outbox = later = Later()
    with transaction(connection):
        result = recall(connection, command)
        if result is None:
            result = doing.do(connection, command)
            remember(connection, command, result)
    with transaction(connection):
        for event in later.events:
            outbox.put(connection, event)
    return result
