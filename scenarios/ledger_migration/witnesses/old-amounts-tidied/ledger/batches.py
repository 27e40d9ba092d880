"""One bounded batch of the migration."""

from typing import Any

from ledger.converting import entry_of, pending, write_entry
from ledger.currencies import digits
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
        converted = 0
        while converted < batch and (payments := pending(database, batch - converted)):
            converted += sum(convert(database, payment) for payment in payments)
        return converted


def convert(database: Database, payment: Any) -> bool:
    """Whether it could be converted; what can't is set aside, until somebody writes to it."""
    try:
        entry = entry_of(payment)
    except LedgerError as error:
        database.execute("INSERT INTO unconvertible (id, why) VALUES (?, ?)", [payment["id"], error.code])
        return False
    tidied = [
        payment[part] and round(payment[part], digits(entry["currency"])) for part in ("amount", "fee", "tax")
    ]
    database.execute(
        "UPDATE payments SET amount = ?, fee = ?, tax = ? WHERE id = ?", [*tidied, payment["id"]]
    )
    write_entry(database, entry)
    return True
