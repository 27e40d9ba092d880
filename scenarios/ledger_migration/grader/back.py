"""The way back."""

from harness.code.bench import Life
from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.both import new_payment, old_view
from scenarios.ledger_migration.grader.ledgers import Ledger, Ledgers, in_phase, killed, migrate, to_the_end
from scenarios.ledger_migration.grader.old_writes import OLD_WRITES
from scenarios.ledger_migration.grader.payments import payment, plain
from scenarios.ledger_migration.grader.reading import old_rows, schema, stored

FINE = [
    payment("f1", "EUR", 0.1 + 0.2),
    payment("f2", "EUR", 10.000000001, 0.7 + 0.1),
    payment("f3", "EUR", -0.0),
    payment("f4", "EUR", 1e-9, None, 2.0000000000000004),
]
"""Floats that have more to them than cents."""


def roll_back(ledgers: Ledgers) -> None:
    """Half-way, and after writes of both releases."""
    ledger = ledgers.filled([*plain(5), *FINE])
    made, rows = schema(ledger.path), old_rows(ledger.path)
    with ledger.survivor() as life:
        in_phase(life, "old", "before the first migrate()")
        migrate(life, 4)
        in_phase(life, "migrating", "after a batch")
        life.ask(["old", "amend", {"id": "p01", "amount": 0.3 - 0.1}])
        life.ask(["books", "pay", {"id": "n1", **new_payment(1999, 10)}])
        life.ask(["books", "drop", {"id": "p05"}])
        migrate(life, 4)
        seen, now = old_view(life), old_rows(ledger.path)
        assert "n1" in seen, "the old release does not see what the new one paid"
        assert "p05" not in seen, "the old release sees what the new one dropped"
        life.ask(["migration", "roll_back", {}])
        in_phase(life, "old", "after the roll-back")
        life.ask(["migration", "roll_back", {}])
    assert schema(ledger.path) == made, "the roll-back left something in the file"
    assert old_rows(ledger.path) == now, "the roll-back changed payments"
    for id in rows.keys() - {"p01", "p05"}:
        assert now[id] == rows[id], f"the migration made {now[id]} of {rows[id]}"
    with ledger.survivor() as life:
        assert old_view(life) == seen, "after the roll-back, the old release sees something else"
        to_the_end(life)
        oracle.agree(stored(ledger.path), oracle.entries(seen.values()), "migrated anew")
        life.ask(["migration", "cut_over", {}])


def roll_back_killed(ledger: Ledger, fault: str) -> bool:
    """Whether it was killed on the way back; nothing is lost, whichever way it went on."""
    struck = killed(ledger, fault, lambda life: life.ask(["migration", "roll_back", {}]))
    with ledger.survivor() as life:
        phase = life.ask(["migration", "phase", {}])
        assert phase in ("old", "migrating"), f"the phase is {phase!r}"
        for verb, given in OLD_WRITES:
            life.ask(["old", verb, given])
        payments = old_view(life)
        if phase == "migrating":
            to_the_end(life)
            oracle.agree(stored(ledger.path), oracle.entries(payments.values()), "once it went on")
        life.ask(["migration", "roll_back", {}])
        assert old_view(life) == payments, "the old release sees something else than before the roll-back"
    left = [row[1] for row in schema(ledger.path)[:-1] if row[2] != "payments" or row[0] == "trigger"]
    assert not left, f"the roll-back left {', '.join(left)}"
    return struck
