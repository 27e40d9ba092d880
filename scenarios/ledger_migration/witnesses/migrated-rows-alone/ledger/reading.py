"""The new books as they are read."""

from typing import Any

from ledger.converting import stored_entries
from ledger.store import Database


def entries_now(database: Database) -> list[dict[str, Any]]:
    """All entries by id."""
    with database.snapshot():
        entries = stored_entries(database)
    return [entries[id] for id in sorted(entries)]
