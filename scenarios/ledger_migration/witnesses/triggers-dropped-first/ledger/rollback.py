"""The way back."""

from ledger.errors import LedgerError
from ledger.schema import WATCHED, phase_of
from ledger.store import Database

TABLES = ("postings", "entries", "unconvertible")


def roll_back(database: Database) -> None:
    """Takes away what the migration added, one by one."""
    phase = phase_of(database)
    if phase == "cut_over":
        raise LedgerError("CUT_OVER", "The new tables are the books by now.")
    if phase == "migrating":
        take_away(database)


def take_away(database: Database) -> None:
    """Drops triggers and tables."""
    for verb, _ in WATCHED:
        database.execute(f"DROP TRIGGER IF EXISTS watch_{verb.lower()}")
    for table in TABLES:
        database.execute(f"DROP TABLE IF EXISTS {table}")
