"""What each command asked for when it first came, and what it was answered."""

from __future__ import annotations

import json

from relay.store import Connection

TABLES = (
    "CREATE TABLE IF NOT EXISTS results"
    " (command_id TEXT PRIMARY KEY, asked TEXT NOT NULL, result TEXT NOT NULL)",
)


def find(connection: Connection, command_id: str) -> tuple[str, dict] | None:
    """What was asked for and the result; None for a command that is new."""
    found = connection.execute("SELECT asked, result FROM results WHERE command_id = ?", (command_id,))
    row = found.fetchone()
    return (row["asked"], json.loads(row["result"])) if row else None


def keep(connection: Connection, command_id: str, asked: str, result: dict) -> None:
    """Keeps a result for good."""
    connection.execute(
        "INSERT INTO results (command_id, asked, result) VALUES (?, ?, ?)",
        (command_id, asked, json.dumps(result)),
    )
