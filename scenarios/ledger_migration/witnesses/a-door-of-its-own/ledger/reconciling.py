"""Whether old and new books agree."""

import sqlite3
from typing import Any

from ledger.converting import entry_of, stored_entries
from ledger.errors import LedgerError
from ledger.schema import phase_of
from ledger.store import Database


def disagreeing(database: Database) -> list[str]:
    """The ids on which they don't, posting by posting; callers hold the transaction or a snapshot."""
    stored = {} if phase_of(database) == "old" else stored_entries(database)
    payments = {row["id"]: row for row in payments_of(database)}
    wanted = {id: wanted_entry(payment) for id, payment in payments.items()}
    ids = stored.keys() | wanted.keys()
    return sorted(id for id in ids if wanted.get(id) is None or wanted[id] != stored.get(id))


def payments_of(database: Database) -> list[Any]:
    """All payments, read apart from whatever is under way on the other connection."""
    with sqlite3.connect(database.execute("PRAGMA database_list")[0]["file"]) as own:
        own.row_factory = sqlite3.Row
        return own.execute("SELECT * FROM payments").fetchall()


def wanted_entry(payment: Any) -> dict[str, Any] | None:
    """What the new tables should hold of a payment; None if it can't be converted."""
    try:
        return entry_of(payment)
    except LedgerError:
        return None
