"""What each command asked for when it first came, and what it was answered; in a file beside the database."""

from __future__ import annotations

import json
import sqlite3

from relay.store import Connection

TABLES = ()
TABLE = "CREATE TABLE IF NOT EXISTS results (command_id TEXT PRIMARY KEY, asked TEXT, result TEXT)"


def find(connection: Connection, command_id: str) -> tuple[str, dict] | None:
    """What was asked for and the result; None for a command that is new."""
    with _beside(connection) as own:
        row = own.execute("SELECT asked, result FROM results WHERE command_id = ?", (command_id,)).fetchone()
    return (row[0], json.loads(row[1])) if row else None


def keep(connection: Connection, command_id: str, asked: str, result: dict) -> None:
    """Keeps a result for good."""
    with _beside(connection) as own:
        own.execute("INSERT INTO results VALUES (?, ?, ?)", (command_id, asked, json.dumps(result)))


def _beside(connection: Connection) -> sqlite3.Connection:
    own = sqlite3.connect(connection.execute("PRAGMA database_list").fetchone()["file"] + ".results")
    own.execute(TABLE)
    return own
