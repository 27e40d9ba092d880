"""What the old release writes around the ways out."""

from typing import Any

from harness.code.bench import Life
from scenarios.ledger_migration.grader.ledgers import Ledger, refused
from scenarios.ledger_migration.grader.payments import payment
from scenarios.ledger_migration.grader.reading import old_rows, stored

OLD_WRITES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("add", payment("late", "EUR", 1.25)),
    ("save", payment("late", "EUR", 1.25)),
    ("amend", {"id": "p02", "amount": 8.5}),
    ("remove", {"id": "p03"}),
)
REFUSED = (*OLD_WRITES[:-1], ("save", payment("p01", "EUR", 1.25)), ("remove", {"id": "p04"}))


def old_writes_refused(old: Life, ledger: Ledger) -> None:
    """Asserts that none of them is taken, and that nothing changed."""
    before = old_rows(ledger.path), stored(ledger.path)
    for verb, given in REFUSED:
        refused(old, "old", verb, "CUT_OVER", **given)
    assert (old_rows(ledger.path), stored(ledger.path)) == before, (
        "an old write that was refused changed something"
    )
