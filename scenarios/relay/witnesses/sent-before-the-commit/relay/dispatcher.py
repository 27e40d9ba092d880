"""The dispatcher: does a command and tells the sink, in one transaction."""

from __future__ import annotations

from os import PathLike

from relay import schema
from relay.doing import do
from relay.retries import recall, remember
from relay.sending import send
from relay.store import connect
from relay.transaction import transaction


class Dispatcher:
    """Takes commands for the jobs of one database."""

    def __init__(self, database: str | PathLike[str], sink_url: str) -> None:
        self._connection, self._sink_url = connect(database), sink_url
        schema.create(self._connection)

    def handle(self, command: dict) -> dict:
        """Does a command; gives its result."""
        with transaction(self._connection):
            result = recall(self._connection, command)
            if result is None:
                result = do(self._connection, command)
                remember(self._connection, command, result)
                if result["ok"]:
                    send(self._connection, self._sink_url, result["event_id"])
        return result

    def pump(self) -> None:
        """Sends what is pending."""
        send(self._connection, self._sink_url)

    def close(self) -> None:
        """Closes the database."""
        self._connection.close()
