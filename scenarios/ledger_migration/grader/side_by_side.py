"""M3: both releases, while the migration goes on."""

from typing import Any

from harness.code import invariant
from harness.code.bench import Bench, Life
from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.both import PARTS, Both, new_payment, new_view, old_view, seen
from scenarios.ledger_migration.grader.ledgers import Ledger, Ledgers, killed, migrate, refused, to_the_end
from scenarios.ledger_migration.grader.payments import payment, plain
from scenarios.ledger_migration.grader.reading import stored

COUNT = 12
SCRIPT: tuple[tuple[str, str, dict[str, Any]], ...] = (
    # After each line a batch of three; p01 to p03 are migrated before the first.
    ("old", "amend", {"id": "p01", "amount": 99.75}),
    ("old", "remove", {"id": "p02"}),
    ("old", "save", payment("p03", "EUR", 7.5, None, 0.25, memo="saved")),
    ("old", "add", payment("p00", "EUR", 3.25)),
    ("new", "change", {"id": "p04", **new_payment(1999, 10)}),
    ("new", "drop", {"id": "p05"}),
    ("new", "pay", {"id": "p02", **new_payment(1250, 0, 25)}),
    ("old", "amend", {"id": "p02", "fee": 0.5, "payee": "bank"}),
    ("old", "save", payment("p05", "EUR", 41.5)),
    ("old", "amend", {"id": "p12", "memo": "late", "tax": None}),
    ("old", "remove", {"id": "p02"}),
    ("new", "change", {"id": "p00", **new_payment(-500, 0, 5)}),
)


@invariant("M3", "Old and new releases see the same books all the time")
def side_by_side(bench: Bench) -> None:
    """An old process that began before the migration, and a new one, add, amend, replace, remove, pay, change
    and drop payments that are migrated or not yet, by a list and then by chance, with a batch in between:
    after each step both see all that was written. The new release is killed after every commit and every
    write of its own: both have it or neither.
    """
    ledgers = Ledgers(bench)
    ledger = ledgers.filled(plain(COUNT))
    with ledger.life() as old, ledger.life() as new, ledger.survivor() as migration:
        both = Both(old, new, COUNT)
        old.ask(["old", "payments", {}])
        migrate(migration, 3)
        both.agree("after the first batch")
        _by_list(both, migration)
        _by_chance(both, migration, bench.rng)
        _refusals(both)
        to_the_end(migration)
        both.agree("after the last batch")
        assert migration.ask(["migration", "unreconciled", {}]) == [], (
            "something is left after the last batch"
        )
    oracle.agree(stored(ledger.path), oracle.entries(both.payments.values()), "in the new tables")
    start = ledgers.migrated(plain(4), batches=1)
    bench.every_crash(lambda fault: _writer_killed(start.copy(), fault))


def _step(both: Both, who: str, verb: str, given: dict[str, Any]) -> None:
    (both.old_does if who == "old" else both.new_does)(verb, **given)
    both.agree(f"after {verb} of {given['id']} by the {who} release")


def _by_list(both: Both, migration: Life) -> None:
    for who, verb, given in SCRIPT:
        _step(both, who, verb, given)
        migrate(migration, 3)
        both.agree("after a batch")


def _by_chance(both: Both, migration: Life, rng: Any) -> None:
    for number in range(24):
        id = rng.choice(sorted(both.payments))
        cents = rng.randrange(-9000, 90000)
        steps: list[tuple[str, str, dict[str, Any]]] = [
            ("old", "add", payment(f"a{number:02}", "EUR", cents / 100, 0.5)),
            ("old", "amend", {"id": id, "amount": cents / 100}),
            ("old", "save", payment(id, "EUR", cents / 100, None, 1.25)),
            ("old", "remove", {"id": id}),
            ("new", "pay", {"id": f"b{number:02}", **new_payment(cents, 5)}),
            ("new", "change", {"id": id, **new_payment(cents, 0, 7)}),
            ("new", "drop", {"id": id}),
        ]
        _step(both, *rng.choice(steps))
        if rng.random() < 0.3:
            migrate(migration, 2)


def _refusals(both: Both) -> None:
    both.old_does("add", **payment("late", "EUR", 1.25))
    both.old_does("add", **payment("gone", "EUR", 1.25))
    both.old_does("remove", id="gone")
    for id in ("late", "p12" if "p12" in both.payments else "late"):
        refused(both.new, "books", "pay", "DUPLICATE_ID", id=id, **new_payment(100))
    refused(both.new, "books", "drop", "NO_SUCH_ENTRY", id="gone")
    refused(both.new, "books", "change", "NO_SUCH_ENTRY", id="gone", **new_payment(100))
    refused(both.new, "books", "pay", "UNKNOWN_CURRENCY", id="gone", **new_payment(100, currency="XBT"))
    refused(both.new, "books", "change", "UNKNOWN_CURRENCY", id="late", **new_payment(100, currency="XBT"))
    both.agree("after what was refused")


WRITES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pay", {"id": "n1", **new_payment(1999, 10)}),
    ("change", {"id": "p01", **new_payment(250)}),
    ("drop", {"id": "p04"}),
)


def _writer_killed(ledger: Ledger, fault: str) -> bool:
    done: list[str] = []

    def write(new: Life) -> None:
        for verb, given in WRITES:
            new.ask(["books", verb, given])
            done.append(verb)

    struck = killed(ledger, fault, write)
    with ledger.survivor() as life:
        _whole(life, len(done))
        to_the_end(life)
        payments = _whole(life, len(done))
    oracle.agree(stored(ledger.path), oracle.entries(payments.values()), "in the new tables, once it went on")
    return struck


def _whole(life: Life, done: int) -> dict[str, dict[str, Any]]:
    """Both see what was done, or that and what was under way: the old one's payments."""
    payments = old_view(life)
    assert seen(payments) in (_after(done), _after(done + 1)), (
        f"after {done} writes the old release sees {payments}"
    )
    oracle.agree(
        new_view(life), oracle.entries(payments.values()), "by what the old release sees, in the new books"
    )
    return payments


def _after(done: int) -> dict[str, list[Any]]:
    payments = {each["id"]: each for each in plain(4)}
    for verb, given in WRITES[:done]:
        if verb == "drop":
            del payments[given["id"]]
        else:
            payments[given["id"]] = given | {part: given[part] / 100 for part in PARTS}
    return seen(payments)
