"""Several writes as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from relay.store import Connection


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Commits all that is written inside, or nothing where something is raised."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
