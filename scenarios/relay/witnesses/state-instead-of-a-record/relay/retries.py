"""Telling a retry from a new command, by where its job is."""

from __future__ import annotations

from relay.store import Connection


def recall(connection: Connection, command: dict) -> dict | None:
    """The result that brought the job to where it is, if that was this command's."""
    job_id = command["job_id"]
    last = connection.execute(
        "SELECT event_id, command_id, state FROM events WHERE job_id = ? ORDER BY seq DESC LIMIT 1", (job_id,)
    ).fetchone()
    if last is None or last["command_id"] != command["command_id"]:
        return None
    return {"ok": True, "job_id": job_id, "state": last["state"], "event_id": last["event_id"]}


def remember(connection: Connection, command: dict, result: dict) -> None:
    """The log has it."""
