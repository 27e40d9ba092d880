"""Whether old and new books agree."""

from typing import Any

from ledger.converting import entry_of, stored_entries
from ledger.errors import LedgerError
from ledger.schema import phase_of
from ledger.store import Database


def disagreeing(database: Database) -> list[str]:
    """The ids on which they don't, posting by posting; callers hold the transaction or a snapshot."""
    stored = {} if phase_of(database) == "old" else stored_entries(database)
    payments = {row["id"]: row for row in database.execute("SELECT * FROM payments")}
    wanted = {id: wanted_entry(payment) for id, payment in payments.items()}
    ids = stored.keys() | wanted.keys()
    return sorted(id for id in ids if wanted.get(id) is None or wanted[id] != stored.get(id))


def wanted_entry(payment: Any) -> dict[str, Any] | None:
    """What the new tables should hold of a payment; None if it can't be converted."""
    try:
        return entry_of(payment)
    except LedgerError:
        return None
