"""Entries: made of payments, written, read and removed. Callers hold the transaction."""

from collections.abc import Mapping
from typing import Any

from ledger.splitting import postings_of
from ledger.store import Database


def entry_of(payment: Mapping[str, Any]) -> dict[str, Any]:
    """A payment as the new books have it; a LedgerError if it can't be converted."""
    kept = {column: payment[column] for column in ("id", "booked_on", "currency", "memo")}
    return kept | {"postings": postings_of(payment)}


def write_entry(database: Database, entry: Mapping[str, Any]) -> None:
    """Writes an entry that is not there, with its postings."""
    database.execute(
        "INSERT INTO entries (id, booked_on, currency, memo) VALUES (?, ?, ?, ?)",
        [entry["id"], entry["booked_on"], entry["currency"], entry["memo"]],
    )
    for posting in entry["postings"].items():
        database.execute(
            "INSERT INTO postings (entry_id, account, minor) VALUES (?, ?, ?)", [entry["id"], *posting]
        )


def remove_entry(database: Database, id: str) -> None:
    """Takes an entry out, with its postings."""
    database.execute("DELETE FROM postings WHERE entry_id = ?", [id])
    database.execute("DELETE FROM entries WHERE id = ?", [id])


def stored_entries(database: Database) -> dict[str, dict[str, Any]]:
    """What the new tables hold, by id; a posting without an entry makes one that equals no payment's."""
    rows = database.execute("SELECT id, booked_on, currency, memo FROM entries")
    found: dict[str, dict[str, Any]] = {row["id"]: {**dict(row), "postings": {}} for row in rows}
    for entry_id, account, minor in database.execute("SELECT entry_id, account, minor FROM postings"):
        found.setdefault(entry_id, {"postings": {}})["postings"][account] = minor
    return found


def pending(database: Database, most: int = -1) -> list[Any]:
    """Payments that could have an entry and have none; at most so many, if that is not negative."""
    return database.execute(
        "SELECT * FROM payments WHERE id NOT IN (SELECT id FROM entries)"
        " AND id NOT IN (SELECT id FROM unconvertible) ORDER BY id LIMIT ?",
        [most],
    )
