"""Whether old and new books agree."""

from typing import Any

from ledger.converting import entry_of, stored_entries
from ledger.errors import LedgerError
from ledger.schema import phase_of
from ledger.store import Database


def disagreeing(database: Database) -> list[str]:
    """The ids that only one of them has; callers hold the transaction or a snapshot."""
    stored = {} if phase_of(database) == "old" else stored_entries(database)
    wanted = {row["id"] for row in database.execute("SELECT id FROM payments")}
    return sorted(stored.keys() ^ wanted)


def wanted_entry(payment: Any) -> dict[str, Any] | None:
    """What the new tables should hold of a payment; None if it can't be converted."""
    try:
        return entry_of(payment)
    except LedgerError:
        return None
