"""The only door to SQLite. Every durable write passes here, and so past the faults."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ledger.faults import FAULTS

READS = ("SELECT", "VALUES", "EXPLAIN", "PRAGMA")
BOUNDS = ("BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE")
PATIENCE = 20.0
"""Seconds that a statement waits for another process's lock."""

DatabaseError = sqlite3.DatabaseError


class Database:
    """One connection: a statement outside of a transaction is one of its own."""

    def __init__(self, path: str) -> None:
        self._sqlite = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        self._sqlite.row_factory = sqlite3.Row
        self._wrote = False
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL"):
            self._sqlite.execute(f"PRAGMA {pragma}")

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Runs one statement and gives all of its rows, which are read by index or by column name."""
        word = sql.split(None, 1)[0].upper()
        if word in READS:
            return self._sqlite.execute(sql, parameters).fetchall()
        if word in BOUNDS:
            return self._bound(sql)
        if self._sqlite.in_transaction:
            return self._write(sql, parameters)
        with self.transaction():
            return self._write(sql, parameters)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing. It holds the write lock from its start to its end."""
        with self._between("BEGIN IMMEDIATE"):
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several reads that see one state, whatever other processes commit meanwhile."""
        with self._between("BEGIN"):
            yield

    def close(self) -> None:
        """Closes the connection; what was not committed is gone."""
        self._sqlite.close()

    @contextmanager
    def _between(self, begin: str) -> Iterator[None]:
        self.execute(begin)
        try:
            yield
        except BaseException:
            self.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def _bound(self, sql: str) -> list[sqlite3.Row]:
        before = self._sqlite.in_transaction
        self._sqlite.execute(sql)
        if before and not self._sqlite.in_transaction:
            wrote, self._wrote = self._wrote, False
            if wrote and not sql.lstrip().upper().startswith("ROLLBACK"):
                FAULTS.after("commit")
        return []

    def _write(self, sql: str, parameters: Sequence[Any]) -> list[sqlite3.Row]:
        rows = self._sqlite.execute(sql, parameters).fetchall()
        self._wrote = True
        FAULTS.after("write")
        return rows


def connect(path: str) -> Database:
    """Opens a ledger's file, which is made if there is none."""
    return Database(path)
