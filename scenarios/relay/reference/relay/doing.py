"""Doing a new command: job, event and notification belong to one transaction, which the caller has."""

from __future__ import annotations

from relay import jobs, log, outbox
from relay.errors import Refused
from relay.store import Connection


def do(connection: Connection, command: dict) -> dict:
    """Does it; gives its result."""
    job_id = command["job_id"]
    try:
        state = jobs.move(connection, command["kind"], job_id)
    except Refused as refused:
        return {"ok": False, "job_id": job_id, "error": refused.code, "state": refused.state}
    event = log.append(connection, command, state)
    outbox.put(connection, event)
    return {"ok": True, "job_id": job_id, "state": state, "event_id": event["event_id"]}
