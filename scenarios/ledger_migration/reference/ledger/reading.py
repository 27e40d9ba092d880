"""The new books as they are read, whatever was migrated by then."""

from typing import Any

from ledger.converting import pending, stored_entries
from ledger.reconciling import wanted_entry
from ledger.schema import phase_of
from ledger.store import Database


def entries_now(database: Database) -> list[dict[str, Any]]:
    """All entries by id: those that are stored, and what the next batches would store."""
    with database.snapshot():
        entries = stored_entries(database)
        if phase_of(database) == "migrating":
            for payment in pending(database):
                entry = wanted_entry(payment)
                if entry:
                    entries[entry["id"]] = entry
    return [entries[id] for id in sorted(entries)]
