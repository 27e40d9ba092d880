"""What a cut-over waits for."""

from harness.code.bench import Life, Raised
from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.both import new_view, old_view
from scenarios.ledger_migration.grader.ledgers import Ledgers, in_phase, refused, to_the_end
from scenarios.ledger_migration.grader.old_writes import OLD_WRITES
from scenarios.ledger_migration.grader.payments import payment, plain
from scenarios.ledger_migration.grader.reading import damage, old_rows, stored

STRANGE = (
    payment("a-currency", "XBT", 1.0),
    payment("b-endless", "EUR", float("inf")),
    payment("c-large", "EUR", 1e18),
    payment("d-text", "EUR", "12,50"),  # type: ignore[arg-type]  # SQLite lets it
)
EDITS = (
    (
        "p02",
        "UPDATE postings SET minor = minor - 1 WHERE entry_id = 'p02' AND account = 'shop'",
        "UPDATE postings SET minor = minor + 1 WHERE entry_id = 'p02' AND account = 'mill'",
    ),
    ("p01", "DELETE FROM postings WHERE entry_id = 'p01' AND account = 'fees'"),
    ("p03", "UPDATE entries SET currency = 'USD' WHERE id = 'p03'"),
    (
        "p09",
        "UPDATE entries SET id = 'p09' WHERE id = 'p03'",
        "UPDATE postings SET entry_id = 'p09' WHERE entry_id = 'p03'",
    ),
)


def strange_payments(ledgers: Ledgers) -> None:
    """They hold up the cut-over, and nothing else."""
    ledger = ledgers.filled([*STRANGE, *plain(5)])
    rows = old_rows(ledger.path)
    with ledger.survivor() as life:
        to_the_end(life)
        wanted = oracle.entries(plain(5))
        oracle.agree(stored(ledger.path), wanted, "beside payments that can't be converted")
        oracle.agree(new_view(life), wanted, "in the new books, beside payments that can't be converted")
        assert old_rows(ledger.path) == rows, "payments that can't be converted did not stay as they were"
        _not_reconciled(life, [each["id"] for each in STRANGE])
        for each in STRANGE[:3]:
            life.ask(["old", "remove", {"id": each["id"]}])
        _not_reconciled(life, ["d-text"])
        life.ask(["old", "amend", {"id": "d-text", "amount": 12.5}])
        to_the_end(life)
        life.ask(["migration", "cut_over", {}])
    wanted = oracle.entries([*plain(5), payment("d-text", "EUR", 12.5)])
    oracle.agree(stored(ledger.path), wanted, "after they were mended")


def late_writes(ledgers: Ledgers) -> None:
    """Before anything was migrated it is refused; with late writes it is, or they are in it."""
    ledger = ledgers.filled(plain(3))
    with ledger.survivor() as life:
        refused(life, "migration", "cut_over", "UNRECONCILED")
        in_phase(life, "old", "after a cut-over that was refused")
    for verb, given in OLD_WRITES[:1] + OLD_WRITES[2:3]:
        ledger = ledgers.migrated(plain(3))
        with ledger.survivor() as life:
            life.ask(["old", verb, given])
            try:
                life.ask(["migration", "cut_over", {}])
            except Raised as raised:
                assert raised.code == "UNRECONCILED", f"the cut-over was refused with {raised.code or raised}"
                to_the_end(life)
                life.ask(["migration", "cut_over", {}])
            wanted = oracle.entries(old_view(life).values())
        oracle.agree(stored(ledger.path), wanted, f"cut over after {verb} of {given['id']}")


def edits_by_hand(ledgers: Ledgers) -> None:
    """Whatever was edited in the new tables is found by posting."""
    start = ledgers.migrated(plain(3))
    for id, *statements in EDITS:
        ledger = start.copy()
        damage(ledger.path, *statements)
        with ledger.survivor() as life:
            _not_reconciled(life, ["p03", id] if id == "p09" else [id])
            if id == "p02":
                life.ask(["old", "amend", {"id": id, "memo": "touched"}])
                to_the_end(life)
                life.ask(["migration", "cut_over", {}])


def _not_reconciled(life: Life, ids: list[str]) -> None:
    refused(life, "migration", "cut_over", "UNRECONCILED")
    in_phase(life, "migrating", "after a cut-over that was refused")
    found = life.ask(["migration", "unreconciled", {}])
    assert found == ids, f"not reconciled are {ids}, not {found}"
