"""The dispatcher: does a command, tells the sink, and undoes the command if the sink would not hear of it."""

from __future__ import annotations

from os import PathLike

from relay import outbox, schema
from relay.handling import handle
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
        result = handle(self._connection, command)
        if result["ok"]:
            send(self._connection, self._sink_url, result["event_id"])
            if outbox.pending(self._connection, result["event_id"]):
                self._undo(command, result["event_id"])
                return {"ok": False, "job_id": command["job_id"], "error": "NOT_ANNOUNCED", "state": None}
        return result

    def _undo(self, command: dict, event_id: str) -> None:
        job_id, undo = command["job_id"], self._connection.execute
        with transaction(self._connection):
            undo("DELETE FROM outbox WHERE event_id = ?", (event_id,))
            undo("DELETE FROM events WHERE event_id = ?", (event_id,))
            undo("DELETE FROM results WHERE command_id = ?", (command["command_id"],))
            undo("DELETE FROM jobs WHERE job_id = ?", (job_id,))
            undo(
                "INSERT INTO jobs SELECT job_id, state FROM events"
                " WHERE job_id = ? ORDER BY seq DESC LIMIT 1",
                (job_id,),
            )

    def pump(self) -> None:
        """Sends what a crash left pending."""
        send(self._connection, self._sink_url)

    def close(self) -> None:
        """Closes the database."""
        self._connection.close()
