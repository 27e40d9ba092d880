"""One bounded batch of the migration."""

from typing import Any

from ledger.converting import entry_of, pending, write_entry
from ledger.errors import LedgerError
from ledger.schema import begin, phase_of
from ledger.store import Database


def convert_batch(database: Database, batch: int) -> int:
    """Converts all payments that are left, and says how many, if they are no more than a batch."""
    with database.transaction():
        phase = phase_of(database)
        if phase == "cut_over":
            return 0
        if phase == "old":
            begin(database)
        converted = 0
        for payment in pending(database):
            converted += convert(database, payment)
        return min(converted, batch)


def convert(database: Database, payment: Any) -> bool:
    """Whether it could be converted; what can't is set aside, until somebody writes to it."""
    try:
        entry = entry_of(payment)
    except LedgerError as error:
        database.execute("INSERT INTO unconvertible (id, why) VALUES (?, ?)", [payment["id"], error.code])
        return False
    write_entry(database, entry)
    return True
