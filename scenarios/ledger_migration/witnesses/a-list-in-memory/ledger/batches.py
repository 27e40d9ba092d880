"""One bounded batch of the migration."""

from typing import Any

from ledger.converting import entry_of, pending, write_entry
from ledger.errors import LedgerError
from ledger.schema import begin, phase_of
from ledger.store import Database

LISTED: dict[int, list[str]] = {}


def convert_batch(database: Database, batch: int) -> int:
    """Converts up to so many of the payments that it listed, and says how many."""
    with database.transaction():
        phase = phase_of(database)
        if phase == "cut_over":
            return 0
        if phase == "old":
            begin(database)
        converted = 0
        listed = LISTED.setdefault(id(database), [])
        if not listed:
            listed += [payment["id"] for payment in pending(database)]
        while listed and converted < batch:
            for payment in database.execute("SELECT * FROM payments WHERE id = ?", [listed.pop(0)]):
                converted += convert(database, payment)
        return converted


def convert(database: Database, payment: Any) -> bool:
    """Whether it could be converted; what can't is set aside, until somebody writes to it."""
    try:
        entry = entry_of(payment)
    except LedgerError as error:
        database.execute("INSERT INTO unconvertible (id, why) VALUES (?, ?)", [payment["id"], error.code])
        return False
    write_entry(database, entry)
    return True
