"""Doing a new command. A job that has ended is not touched."""

from __future__ import annotations

from relay import jobs, log, outbox
from relay.errors import Refused
from relay.store import Connection


def do(connection: Connection, command: dict) -> dict:
    """Does it; gives its result."""
    job_id, refused = command["job_id"], None
    try:
        state = jobs.move(connection, command["kind"], job_id)
    except Refused as error:
        refused, state = error, error.state
    result = {"ok": False, "job_id": job_id, "error": refused.code, "state": state} if refused else None
    if refused and state not in ("succeeded", "failed", "cancelled"):
        return result
    event = log.append(connection, command, state)
    outbox.put(connection, event)
    return result or {"ok": True, "job_id": job_id, "state": state, "event_id": event["event_id"]}
