"""The tables. Other programs read `jobs` and `events`: these columns stay as they are."""

from __future__ import annotations

from relay import outbox, results
from relay.store import Connection
from relay.transaction import transaction

VERSION = 1
TABLES = (
    "CREATE TABLE IF NOT EXISTS jobs (job_id TEXT PRIMARY KEY, state TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE,"
    " job_id TEXT NOT NULL, command_id TEXT NOT NULL, state TEXT NOT NULL, payload TEXT NOT NULL)",
    *results.TABLES,
    *outbox.TABLES,
)


def create(connection: Connection) -> None:
    """Makes the tables that are not there yet, all or none; an older database gets those that it lacks."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    with transaction(connection):
        for table in TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA user_version = {VERSION}")
