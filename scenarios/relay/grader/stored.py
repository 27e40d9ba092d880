"""What a solution's database says, read past the solution and its fault hook."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOVES: dict[str | None, set[str]] = {
    None: {"queued"},
    "queued": {"running", "cancelled"},
    "running": {"succeeded", "failed", "cancelled"},
}
"""Where a job may go from each state; from the others, nowhere."""
EVENTS = "SELECT event_id, job_id, command_id, state, payload FROM events ORDER BY seq"

Command = dict[str, Any]


@dataclass(frozen=True)
class Event:
    """A row of the log; also what the sink was told. `payload` is a JSON value."""

    event_id: str
    job_id: str
    command_id: str
    state: str
    payload: Any


@dataclass(frozen=True)
class Stored:
    """Each job's state, and the log in its order."""

    jobs: dict[str, str]
    events: tuple[Event, ...]

    @property
    def commands(self) -> list[str]:
        """The command of each event."""
        return [event.command_id for event in self.events]


def read(database: Path) -> Stored:
    """Reads a database. One that was killed before it had tables is empty."""
    if not database.exists():
        return Stored({}, ())
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            jobs = dict(_rows(connection, "SELECT job_id, state FROM jobs"))
            events = [
                Event(event_id, job_id, command_id, state, json.loads(payload))
                for event_id, job_id, command_id, state, payload in _rows(connection, EVENTS)
            ]
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise AssertionError(f"the database can't be read as the contract has it: {error}") from error
    return Stored(jobs, tuple(events))


def _rows(connection: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return []
        raise


def each_once(stored: Stored, done: Sequence[Command]) -> None:
    """The log has each of these commands once, and no other; jobs are where it says."""
    for command in done:
        times = stored.commands.count(command["command_id"])
        assert times == 1, f"{command['command_id']!r} was done once and is in the log {times} times"
    no_others(stored, done)
    follows_the_log(stored)


def no_others(stored: Stored, known: Sequence[Command]) -> None:
    """The log has no event but of these commands, each saying what its command said."""
    by_id = {command["command_id"]: command for command in known}
    for event in stored.events:
        command = by_id.get(event.command_id)
        assert command, f"the log has an event of {event.command_id!r}, which was refused or never sent"
        said = (command["job_id"], command.get("payload", {}))
        assert (event.job_id, event.payload) == said, f"the event of {event.command_id!r} says something else"


def follows_the_log(stored: Stored) -> None:
    """Each job is in the state of its last event, and came there by moves that there are."""
    at: dict[str, str] = {}
    for event in stored.events:
        before = at.get(event.job_id)
        moved = f"{before} → {event.state}"
        assert event.state in MOVES.get(before, set()), f"the log has {event.job_id} go {moved}"
        at[event.job_id] = event.state
    assert stored.jobs == at, f"jobs are {stored.jobs}, and the log says {at}"
    ids = {event.event_id for event in stored.events}
    assert len(ids) == len(stored.events), "two events have one id"
