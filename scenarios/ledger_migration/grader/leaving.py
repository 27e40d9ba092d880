"""M4: the two ways out."""

from harness.code import invariant
from harness.code.bench import Bench
from scenarios.ledger_migration.grader.back import roll_back, roll_back_killed
from scenarios.ledger_migration.grader.ledgers import Ledgers
from scenarios.ledger_migration.grader.over import cut_over, cut_over_killed
from scenarios.ledger_migration.grader.payments import plain
from scenarios.ledger_migration.grader.reconciled import edits_by_hand, late_writes, strange_payments


@invariant("M4", "All can be taken back until the cut-over, which waits for every cent")
def left_cleanly(bench: Bench) -> None:
    """The migration is rolled back half-way, after writes of both releases: the file has nothing more to it,
    and the old payments are what they were, to the bit. The cut-over is tried before anything was migrated,
    with a payment added or amended since, with payments that can't be converted, and with entries that were
    edited by hand. After it, old writes are refused and new ones are not. Both ways are killed after every
    commit and every write.
    """
    ledgers = Ledgers(bench)
    roll_back(ledgers)
    strange_payments(ledgers)
    late_writes(ledgers)
    edits_by_hand(ledgers)
    start = ledgers.migrated(plain(4))
    cut_over(start.copy())
    bench.every_crash(lambda fault: roll_back_killed(start.copy(), fault))
    bench.every_crash(lambda fault: cut_over_killed(start.copy(), fault))
