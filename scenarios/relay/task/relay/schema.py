"""The tables. Other programs read `jobs` and `events`: these columns stay as they are."""

from __future__ import annotations

from relay.store import Connection

TABLES = """
CREATE TABLE IF NOT EXISTS jobs (
    job_id TEXT PRIMARY KEY,
    state TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    job_id TEXT NOT NULL,
    command_id TEXT NOT NULL,
    state TEXT NOT NULL,
    payload TEXT NOT NULL
);
"""


def create(connection: Connection) -> None:
    """Makes the tables that are not there yet."""
    connection.executescript(TABLES)
