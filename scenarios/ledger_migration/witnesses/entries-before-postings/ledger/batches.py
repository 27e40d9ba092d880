"""One bounded batch of the migration."""

from typing import Any

from ledger.converting import entry_of, pending, stored_entries, write_entry
from ledger.errors import LedgerError
from ledger.schema import begin, phase_of
from ledger.store import Database


def convert_batch(database: Database, batch: int) -> int:
    """Converts up to so many payments, and says how many: entries first, then their postings."""
    with database.transaction():
        before = {} if phase_of(database) == "old" else stored_entries(database)
        phase = phase_of(database)
        if phase == "cut_over":
            return 0
        if phase == "old":
            begin(database)
        converted = 0
        while converted < batch and (payments := pending(database, batch - converted)):
            converted += sum(convert(database, payment) for payment in payments)
    with database.transaction():
        for id in stored_entries(database).keys() - before.keys():
            post(database, id)
    return converted


def post(database: Database, id: str) -> None:
    """Writes the postings of an entry."""
    for payment in database.execute("SELECT * FROM payments WHERE id = ?", [id]):
        for posting in entry_of(payment)["postings"].items():
            database.execute(
                "INSERT INTO postings (entry_id, account, minor) VALUES (?, ?, ?)", [id, *posting]
            )


def convert(database: Database, payment: Any) -> bool:
    """Whether it could be converted; what can't is set aside, until somebody writes to it."""
    try:
        entry = entry_of(payment)
    except LedgerError as error:
        database.execute("INSERT INTO unconvertible (id, why) VALUES (?, ?)", [payment["id"], error.code])
        return False
    write_entry(database, entry | {"postings": {}})
    return True
