"""The new books: double entry, in minor units."""

from typing import Any

from ledger.converting import postings_of, remove_entry, write_entry
from ledger.errors import LedgerError
from ledger.money import to_major
from ledger.store import Database


class Books:
    """Entries as the new release reads and writes them. Amounts are integers in minor units."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def pay(
        self,
        id: str,
        booked_on: str,
        payer: str,
        payee: str,
        currency: str,
        amount: int,
        fee: int = 0,
        tax: int = 0,
        memo: str = "",
    ) -> None:
        """Records a payment; DUPLICATE_ID if there is one with this id."""
        if self.entry(id):
            raise LedgerError("DUPLICATE_ID", f"There is a payment {id!r} already.")
        parts = {"amount": amount, "fee": fee, "tax": tax}
        payment = {"id": id, "booked_on": booked_on, "payer": payer, "payee": payee, "currency": currency}
        payment |= {part: to_major(minor, currency) for part, minor in parts.items()} | {"memo": memo}
        write_entry(self.database, payment, postings_of(payment))

    def change(self, id: str, **payment: Any) -> None:
        """Puts another payment, given as for `pay`, in its place; NO_SUCH_ENTRY if there is none."""
        self.drop(id)
        self.pay(id, **payment)

    def drop(self, id: str) -> None:
        """Takes a payment out of the books; NO_SUCH_ENTRY if there is none."""
        if not self.entry(id):
            raise LedgerError("NO_SUCH_ENTRY", f"There is no payment {id!r}.")
        remove_entry(self.database, id)

    def entry(self, id: str) -> dict[str, Any] | None:
        """One entry: id, booked_on, currency, memo, and `postings`, the minor units of each account."""
        return next((entry for entry in self.entries() if entry["id"] == id), None)

    def entries(self) -> list[dict[str, Any]]:
        """All entries, by id."""
        found = {row["id"]: {**row, "postings": {}} for row in self._rows("entries", "id")}
        for row in self._rows("postings", "entry_id, account"):
            found[row["entry_id"]]["postings"][row["account"]] = row["minor"]
        return list(found.values())

    def balance(self, account: str, currency: str) -> int:
        """What an account holds, in minor units."""
        entries = [entry for entry in self.entries() if entry["currency"] == currency]
        return sum(entry["postings"].get(account, 0) for entry in entries)

    def _rows(self, table: str, order: str) -> list[dict[str, Any]]:
        return [dict(row) for row in self.database.execute(f"SELECT * FROM {table} ORDER BY {order}")]
