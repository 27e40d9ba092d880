"""Jobs, and the commands that move them."""

from __future__ import annotations

from relay.errors import Refused
from relay.moves import MOVES
from relay.store import Connection


def move(connection: Connection, kind: str, job_id: str) -> str:
    """Does a command to a job, and gives the state that it is in then."""
    if kind not in MOVES:
        raise ValueError(f"no command is called {kind!r}; use one of {', '.join(MOVES)}")
    state, (good_in, after) = state_of(connection, job_id), MOVES[kind]
    if state not in good_in:
        raise Refused("JOB_NOT_FOUND" if state is None else "INVALID_TRANSITION", state)
    connection.execute(
        "INSERT INTO jobs (job_id, state) VALUES (?, ?)"
        " ON CONFLICT (job_id) DO UPDATE SET state = excluded.state",
        (job_id, after),
    )
    return after


def state_of(connection: Connection, job_id: str) -> str | None:
    """The state of a job; None if there is none."""
    row = connection.execute("SELECT state FROM jobs WHERE job_id = ?", (job_id,)).fetchone()
    return row["state"] if row else None
