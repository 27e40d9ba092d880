"""One bounded batch of the migration."""

from typing import Any

from ledger.converting import entry_of, pending, write_entry
from ledger.errors import LedgerError
from ledger.schema import begin, phase_of
from ledger.store import Database


def convert_batch(database: Database, batch: int) -> int:
    """Converts up to so many payments in one transaction, and says how many."""
    with database.transaction():
        phase = phase_of(database)
        if phase == "cut_over":
            return 0
        if phase == "old":
            begin(database)
        return sum(convert(database, payment) for payment in pending(database, batch))


def convert(database: Database, payment: Any) -> bool:
    """Whether it could be converted."""
    try:
        entry = entry_of(payment)
    except LedgerError:
        return False
    write_entry(database, entry)
    return True
