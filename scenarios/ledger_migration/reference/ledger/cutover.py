"""The cut-over."""

from ledger.errors import LedgerError
from ledger.reconciling import disagreeing
from ledger.schema import phase_of
from ledger.store import Database


def cut_over(database: Database) -> None:
    """Checks and cuts over while nobody else can write."""
    with database.transaction():
        phase = phase_of(database)
        if phase == "cut_over":
            return
        left = disagreeing(database)
        if left or phase == "old":
            raise LedgerError("UNRECONCILED", f"Not reconciled: {', '.join(left) or 'nothing was migrated'}.")
        refuse_old_writes(database)


def refuse_old_writes(database: Database) -> None:
    """The old release can't know, so the database says it."""
    for verb in ("INSERT", "UPDATE", "DELETE"):
        database.execute(
            f"CREATE TRIGGER refuse_{verb.lower()} BEFORE {verb} ON payments"
            " BEGIN SELECT RAISE(ABORT, 'CUT_OVER'); END"
        )
