"""Both releases on one ledger, and what they should see."""

from typing import Any

from harness.code.bench import Life
from scenarios.ledger_migration.grader import oracle
from scenarios.ledger_migration.grader.ledgers import by_id
from scenarios.ledger_migration.grader.payments import plain

COMPARED = ("shop", "mill", "fees", "bank")
PARTS = ("amount", "fee", "tax")
COLUMNS = ("booked_on", "payer", "payee", "currency", "memo")


def seen(payments: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
    """Payments as they can be compared, in cents: no fee and a fee of 0 are the same."""
    return {
        id: [*(each[column] for column in COLUMNS), *(oracle.minor(each[part], "EUR") for part in PARTS)]
        for id, each in payments.items()
    }


def old_view(life: Life) -> dict[str, dict[str, Any]]:
    """What the old release sees."""
    return by_id(life.ask(["old", "payments", {}]))


def new_view(life: Life) -> oracle.Entries:
    """What the new release sees."""
    return by_id(life.ask(["books", "entries", {}]))


def new_payment(amount: int, fee: int = 0, tax: int = 0, **more: Any) -> dict[str, Any]:
    """What the new release pays, in cents."""
    given = {"booked_on": "2026-03-09", "payer": "bank", "payee": "mill", "currency": "EUR", "memo": "new"}
    return given | {"amount": amount, "fee": fee, "tax": tax} | more


class Both:
    """An old and a new release on one ledger of plain payments, and the payments that there should be."""

    def __init__(self, old: Life, new: Life, count: int) -> None:
        self.old, self.new = old, new
        self.payments = {each["id"]: each for each in plain(count)}

    def old_does(self, verb: str, **given: Any) -> None:
        """The old release writes."""
        self.old.ask(["old", verb, given])
        id = given["id"]
        if verb == "remove":
            del self.payments[id]
        else:
            self.payments[id] = {**self.payments.get(id, {}), **given}

    def new_does(self, verb: str, id: str, **given: Any) -> None:
        """The new release writes."""
        self.new.ask(["books", verb, {"id": id, **given}])
        if verb == "drop":
            del self.payments[id]
        else:
            self.payments[id] = {"id": id, **given} | {part: given[part] / 100 for part in PARTS}

    def agree(self, when: str) -> None:
        """Asserts that both see what there should be, and the same balances."""
        wanted = oracle.entries(self.payments.values())
        found = seen(old_view(self.old))
        assert found == seen(self.payments), (
            f"{when}, the old release sees {_first(found, seen(self.payments))}"
        )
        oracle.agree(new_view(self.new), wanted, f"{when}, in the new books")
        held = oracle.balances(wanted)
        for account in COMPARED:
            asked = {"account": account, "currency": "EUR"}
            old, new = self.old.ask(["old", "balance", asked]), self.new.ask(["books", "balance", asked])
            assert new == held.get((account, "EUR"), 0), (
                f"{when}, {account} holds {new} cents in the new books"
            )
            assert round(old, 2) == new / 100, (
                f"{when}, {account} holds {old} for the old release, {new} for the new"
            )


def _first(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    differ = [id for id in sorted(found.keys() | wanted.keys()) if found.get(id) != wanted.get(id)]
    return f"{differ[0]} as {found.get(differ[0])}, not as {wanted.get(differ[0])}"
