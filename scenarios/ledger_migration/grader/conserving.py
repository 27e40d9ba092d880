"""M1: money."""

from typing import Any

from harness.code import invariant
from harness.code.bench import Bench, Life
from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.ledgers import Ledgers, by_id, to_the_end
from scenarios.ledger_migration.grader.payments import drawn, edges
from scenarios.ledger_migration.grader.reading import stored

NEW = {
    "n-eur": ("EUR", 1015, 0, 3),
    "n-jpy": ("JPY", 250, 1, 0),
    "n-kwd": ("KWD", 12345, 5, 1),
    "n-large": ("USD", 10**15 - 1, 0, 0),
    "n-back": ("BHD", -1001, 0, 0),
}


@invariant("M1", "Money is conserved to the minor unit")
def conserved(bench: Bench) -> None:
    """Payments with ties and near ties, negative, zero, tiny and large, in currencies of 0, 2 and 3 digits,
    and a hundred by chance are migrated: each entry adds up to 0 and is what its floats mean, and so is the
    balance of each account in each currency. What the new release pays is the same amount for the old one.
    """
    payments = [*edges(), *drawn(bench.rng)]
    ledger = Ledgers(bench).filled(payments)
    with ledger.survivor() as life:
        to_the_end(life, batch=50)
    wanted = oracle.entries(payments)
    oracle.agree(stored(ledger.path), wanted, "in the new tables")
    with ledger.life() as life:
        oracle.agree(by_id(life.ask(["books", "entries", {}])), wanted, "in the new books")
        _balances_agree(life, wanted)
        _new_payments_are_seen(life)


def _balances_agree(life: Life, wanted: oracle.Entries) -> None:
    for (account, currency), held in oracle.balances(wanted).items():
        found = life.ask(["books", "balance", {"account": account, "currency": currency}])
        assert found == held, f"{account} holds {found} in {currency}, not {held}"


def _new_payments_are_seen(life: Life) -> None:
    for id, (currency, *parts) in NEW.items():
        given = {"booked_on": "2026-04-01", "payer": "till", "payee": "bank", "currency": currency}
        life.ask(
            ["books", "pay", {"id": id, **given, **dict(zip(("amount", "fee", "tax"), parts, strict=True))}]
        )
        old: Any = life.ask(["old", "payment", {"id": id}])
        assert old, f"the old release does not see {id}"
        found = [oracle.minor(old[part], currency) for part in ("amount", "fee", "tax")]
        assert found == parts, f"the old release sees {id} as {found} minor units of {currency}, not {parts}"
        entry = life.ask(["books", "entry", {"id": id}])
        assert entry == oracle.entry(old), f"{id} is {entry}, which is not what the old release sees"
