"""Telling a retry from a new command, by what this process has seen."""

from __future__ import annotations

from relay.store import Connection


def recall(connection: Connection, command: dict) -> dict | None:
    """What a command was answered when it first came; None if it is new."""
    asked, result = _seen(connection).get(command["command_id"], (None, None))
    if result is None or asked == _asked(command):
        return result
    return {"ok": False, "job_id": command["job_id"], "error": "IDEMPOTENCY_KEY_REUSED", "state": None}


def remember(connection: Connection, command: dict, result: dict) -> None:
    """Keeps the result of a new command."""
    _seen(connection)[command["command_id"]] = (_asked(command), result)


def _seen(connection: Connection) -> dict[str, tuple[list, dict]]:
    return vars(connection).setdefault("seen", {})


def _asked(command: dict) -> list:
    return [command["kind"], command["job_id"], command.get("payload", {})]
