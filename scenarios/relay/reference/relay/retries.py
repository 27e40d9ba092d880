"""Telling a retry from a new command: the first result of a command is its result for good."""

from __future__ import annotations

import json

from relay import results
from relay.store import Connection


def recall(connection: Connection, command: dict) -> dict | None:
    """What a command was answered when it first came; None if it is new."""
    found = results.find(connection, command["command_id"])
    if found is None:
        return None
    asked, result = found
    return result if asked == _asked(command) else reused(command)


def remember(connection: Connection, command: dict, result: dict) -> None:
    """Keeps the result of a new command, in the transaction of its effect."""
    results.keep(connection, command["command_id"], _asked(command), result)


def reused(command: dict) -> dict:
    """The answer to a known id that comes with something else."""
    return {"ok": False, "job_id": command["job_id"], "error": "IDEMPOTENCY_KEY_REUSED", "state": None}


def _asked(command: dict) -> str:
    return json.dumps([command["kind"], command["job_id"], command.get("payload", {})], sort_keys=True)
