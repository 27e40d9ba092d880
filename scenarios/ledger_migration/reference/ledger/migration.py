"""The way from the old table to the new ones."""

from ledger.batches import convert_batch
from ledger.cutover import cut_over
from ledger.reconciling import disagreeing
from ledger.rollback import roll_back
from ledger.schema import phase_of
from ledger.store import Database


class Migration:
    """Moves a ledger to double entry. It keeps nothing in memory: where it is, is told by the file."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def phase(self) -> str:
        """Where the ledger is: "old", "migrating" or "cut_over"."""
        return phase_of(self.database)

    def migrate(self, batch: int = 100) -> int:
        """Converts payments, and says how many; 0 when there is nothing left to convert."""
        return convert_batch(self.database, batch)

    def unreconciled(self) -> list[str]:
        """The ids that old and new books do not agree on, sorted."""
        with self.database.snapshot():
            return disagreeing(self.database)

    def cut_over(self) -> None:
        """From here on, the new books are the books."""
        cut_over(self.database)

    def roll_back(self) -> None:
        """Back to the old books alone."""
        roll_back(self.database)
