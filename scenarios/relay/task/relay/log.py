"""The event log: one row for each command that was done."""

from __future__ import annotations

import json
import os

from relay.store import Connection


def append(connection: Connection, command: dict, state: str) -> dict:
    """Logs that a command led to a state; gives the event as the sink is told of it."""
    event = {
        "event_id": f"evt-{os.urandom(8).hex()}",
        "job_id": command["job_id"],
        "command_id": command["command_id"],
        "state": state,
        "payload": command.get("payload", {}),
    }
    connection.execute(
        "INSERT INTO events (event_id, job_id, command_id, state, payload)"
        " VALUES (:event_id, :job_id, :command_id, :state, :payload)",
        {**event, "payload": json.dumps(event["payload"])},
    )
    return event
