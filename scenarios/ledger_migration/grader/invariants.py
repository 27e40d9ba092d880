"""What is tried, an invariant a module."""

from scenarios.ledger_migration.grader.conserving import conserved
from scenarios.ledger_migration.grader.interrupting import interrupted
from scenarios.ledger_migration.grader.leaving import left_cleanly
from scenarios.ledger_migration.grader.side_by_side import side_by_side

__all__ = ["conserved", "interrupted", "left_cleanly", "side_by_side"]
