"""Jobs and how commands move them: queued, running, then succeeded or failed."""

from __future__ import annotations

from relay.errors import Refused
from relay.store import Connection

MOVES = {
    "start": ("queued", "running", "succeeded", "failed"),
    "succeed": ("running",),
    "fail": ("running",),
}
"""The states that a command is good in."""
LEADS_TO = {"submit": "queued", "start": "running", "succeed": "succeeded", "fail": "failed"}


def state_of(connection: Connection, job_id: str) -> str | None:
    """The state of a job; None if there is none."""
    row = connection.execute("SELECT state FROM jobs WHERE job_id = ?", (job_id,)).fetchone()
    return row["state"] if row else None


def move(connection: Connection, kind: str, job_id: str) -> str:
    """Does a command to a job, and gives the state that it is in then."""
    if kind not in LEADS_TO:
        raise ValueError(f"no command is called {kind!r}; use one of {', '.join(LEADS_TO)}")
    state, after = state_of(connection, job_id), LEADS_TO[kind]
    if kind == "submit":
        if state is not None:
            raise Refused("INVALID_TRANSITION", state)
        connection.execute("INSERT INTO jobs (job_id, state) VALUES (?, ?)", (job_id, after))
        return after
    if state is None:
        raise Refused("JOB_NOT_FOUND", None)
    if state not in MOVES[kind]:
        raise Refused("INVALID_TRANSITION", state)
    connection.execute("UPDATE jobs SET state = ? WHERE job_id = ?", (after, job_id))
    return after
