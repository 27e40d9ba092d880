"""The dispatcher: does a command, logs an event, tells the sink."""

from __future__ import annotations

from os import PathLike

from relay import schema
from relay.handling import handle
from relay.sending import send
from relay.store import connect


class Dispatcher:
    """Takes commands for the jobs of one database, and tells the sink at `sink_url` of what they did."""

    def __init__(self, database: str | PathLike[str], sink_url: str) -> None:
        self._connection, self._sink_url = connect(database), sink_url
        schema.create(self._connection)

    def handle(self, command: dict) -> dict:
        """Does a command; gives its result, the first one if the command has come before."""
        result = handle(self._connection, command)
        if result["ok"]:
            send(self._connection, self._sink_url, result["event_id"])
        return result

    def pump(self) -> None:
        """Sends what is pending. What the sink does not accept stays pending."""
        send(self._connection, self._sink_url)

    def close(self) -> None:
        """Closes the database."""
        self._connection.close()
