"""The dispatcher: does a command, logs an event, tells the sink."""

from __future__ import annotations

from os import PathLike

from relay import jobs, log, schema
from relay.errors import Refused
from relay.notifier import notify
from relay.store import connect


class Dispatcher:
    """Takes commands for the jobs of one database, and tells the sink at `sink_url` of what they did."""

    def __init__(self, database: str | PathLike[str], sink_url: str) -> None:
        self._connection, self._sink_url = connect(database), sink_url
        schema.create(self._connection)

    def handle(self, command: dict) -> dict:
        """Does a command; gives its result."""
        job_id = command["job_id"]
        try:
            state = jobs.move(self._connection, command["kind"], job_id)
        except Refused as refused:
            return {"ok": False, "job_id": job_id, "error": refused.code, "state": refused.state}
        event = log.append(self._connection, command, state)
        notify(self._sink_url, event)
        return {"ok": True, "job_id": job_id, "state": state, "event_id": event["event_id"]}

    def close(self) -> None:
        """Closes the database."""
        self._connection.close()
