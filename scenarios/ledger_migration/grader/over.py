"""The cut-over."""

from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.both import new_payment, new_view, old_view
from scenarios.ledger_migration.grader.ledgers import Ledger, in_phase, killed, migrate, refused, to_the_end
from scenarios.ledger_migration.grader.old_writes import OLD_WRITES, old_writes_refused
from scenarios.ledger_migration.grader.payments import plain
from scenarios.ledger_migration.grader.reading import old_rows, stored


def cut_over(ledger: Ledger) -> None:
    """After it, the new books are the books."""
    rows = old_rows(ledger.path)
    with ledger.life() as old, ledger.survivor() as new:
        old_view(old)
        new.ask(["migration", "cut_over", {}])
        old_writes_refused(old, ledger)
        refused(new, "migration", "roll_back", "CUT_OVER")
        assert migrate(new, 5) == 0, "the migration went on after the cut-over"
        new.ask(["migration", "cut_over", {}])
        new.ask(["books", "pay", {"id": "n1", **new_payment(1999, 10)}])
        new.ask(["books", "change", {"id": "p02", **new_payment(250)}])
        new.ask(["books", "drop", {"id": "p03"}])
        refused(new, "books", "pay", "DUPLICATE_ID", id="p01", **new_payment(1))
        refused(new, "books", "drop", "NO_SUCH_ENTRY", id="p03")
    payments = {each["id"]: each for each in plain(4)}
    payments |= {"n1": {"id": "n1", **new_payment(0), "amount": 19.99, "fee": 0.1, "tax": None}}
    payments |= {"p02": {"id": "p02", **new_payment(0), "amount": 2.5, "fee": None, "tax": None}}
    del payments["p03"]
    wanted = oracle.entries(payments.values())
    oracle.agree(stored(ledger.path), wanted, "after the cut-over, in the new tables")
    with ledger.survivor() as life:
        in_phase(life, "cut_over", "after a restart")
        oracle.agree(new_view(life), wanted, "after a restart, in the new books")
        old_writes_refused(life, ledger)
    assert old_rows(ledger.path) == rows, "the old table was written after the cut-over"


def cut_over_killed(ledger: Ledger, fault: str) -> bool:
    """Whether it was killed on the way; it has happened wholly, or not at all."""
    struck = killed(ledger, fault, lambda life: life.ask(["migration", "cut_over", {}]))
    with ledger.survivor() as life:
        phase = life.ask(["migration", "phase", {}])
        if phase == "migrating":
            for verb, given in OLD_WRITES:
                life.ask(["old", verb, given])
            to_the_end(life)
            wanted = oracle.entries(old_view(life).values())
            life.ask(["migration", "cut_over", {}])
        else:
            wanted = oracle.entries(plain(4))
        old_writes_refused(life, ledger)
        in_phase(life, "cut_over", "in the end")
    oracle.agree(stored(ledger.path), wanted, "in the end")
    return struck
