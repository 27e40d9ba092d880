"""The only door to the database. Each write and commit goes through its connection, which counts them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike

from relay.faults import FAULT

VERB = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(\w+)", re.DOTALL)
WRITES = {"INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER"}


def connect(path: str | PathLike[str]) -> Connection:
    """Opens the database, and makes it if there is none.

    Each statement commits by itself, but for those between BEGIN and COMMIT; rows know their columns by name.
    """
    connection = sqlite3.connect(path, isolation_level=None, factory=Connection)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


class Connection(sqlite3.Connection):
    """A connection that tells the crash injector of each commit."""

    def cursor(self, factory: type[Cursor] | None = None) -> Cursor:
        return super().cursor(factory or Cursor)

    def execute(self, sql: str, parameters: Sequence | Mapping = ()) -> Cursor:
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Sequence | Mapping]) -> Cursor:
        return self.cursor().executemany(sql, parameters)

    def executescript(self, script: str) -> Cursor:
        return self.cursor().executescript(script)

    def commit(self) -> None:
        had = self.in_transaction
        super().commit()
        if had:
            FAULT.passed("commit")

    def __exit__(self, kind: type | None, *error: object) -> bool:
        had = self.in_transaction
        left = super().__exit__(kind, *error)
        if had and kind is None:
            FAULT.passed("commit")
        return left


class Cursor(sqlite3.Cursor):
    """A cursor that tells the crash injector of each write, and of commits that are statements."""

    def execute(self, sql: str, parameters: Sequence | Mapping = ()) -> Cursor:
        verb = _verb(sql)
        writes = verb in WRITES
        had = self.connection.in_transaction
        opened = writes and FAULT.due("write") and not had
        if opened:  # else the write would be committed before the process can die of it
            super().execute("BEGIN")
        try:
            super().execute(sql, parameters)
        except sqlite3.Error:
            if opened:
                super().execute("ROLLBACK")
            raise
        if writes:
            FAULT.passed("write")
        if not self.connection.in_transaction and (writes or (had and verb != "ROLLBACK")):
            if FAULT.due("commit") and self.description:
                self.fetchall()  # a statement with RETURNING commits with its last row
            FAULT.passed("commit")
        return self

    def executemany(self, sql: str, parameters: Iterable[Sequence | Mapping]) -> Cursor:
        """Row by row, each a write of its own."""
        for row in parameters:
            self.execute(sql, row)
        return self

    def executescript(self, script: str) -> Cursor:
        """Statement by statement, after a commit of what is open, as sqlite3 does."""
        self.connection.commit()
        for statement in _statements(script):
            self.execute(statement)
        return self


def _verb(sql: str) -> str:
    found = VERB.match(sql)
    verb = found[1].upper() if found else ""
    if verb == "WITH":
        return next((word for word in re.findall(r"\w+", sql.upper()) if word in WRITES), verb)
    return verb


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for part in re.split("(?<=;)", script):
        statement += part
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
