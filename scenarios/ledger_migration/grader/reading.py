"""Reads a ledger's file by itself: past the solution, its store and its faults. Damages it where a case says
so.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from scenarios.ledger_migration.grader.oracle import Entries


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that can't write; what can't be read is the solution's fault."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as opened:
        opened.row_factory = sqlite3.Row
        try:
            yield opened
        except sqlite3.Error as error:
            raise AssertionError(f"the ledger's file can't be read: {error}") from error


def stored(path: Path) -> Entries:
    """The new tables as they are, each entry once, each of its postings once; none if they are not there."""
    with reading(path) as opened:
        opened.execute("BEGIN")
        if not opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone():
            return {}
        entries: Entries = {}
        for row in opened.execute("SELECT id, booked_on, currency, memo FROM entries"):
            assert row["id"] not in entries, f"{row['id']} is entered twice"
            entries[row["id"]] = {**dict(row), "postings": {}}
        for row in opened.execute("SELECT entry_id, account, minor FROM postings"):
            _post(entries, row)
        return entries


def _post(entries: Entries, row: sqlite3.Row) -> None:
    id, account, minor = row
    assert id in entries, f"a posting of {id} has no entry"
    assert account not in entries[id]["postings"], f"{id} posts twice to {account}"
    assert type(minor) is int and minor != 0, f"{id} posts {minor!r} to {account}"
    entries[id]["postings"][account] = minor


def old_rows(path: Path) -> dict[str, tuple[Any, ...]]:
    """The old table, to the last bit: each payment with its values as SQLite keeps them."""
    with reading(path) as opened:
        return {row["id"]: tuple(map(repr, row)) for row in opened.execute("SELECT * FROM payments")}


def schema(path: Path) -> list[tuple[Any, ...]]:
    """All that was made in the file: tables, triggers, indices, views; and the number that it may carry."""
    with reading(path) as opened:
        made = opened.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
        return [*map(tuple, made), tuple(opened.execute("PRAGMA user_version").fetchone())]


def damage(path: Path, *statements: str) -> None:
    """Somebody edits the file by hand."""
    with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as opened:
        for statement in statements:
            try:
                opened.execute(statement)
            except sqlite3.Error as error:
                raise AssertionError(f"an edit by hand failed: {error}") from error
