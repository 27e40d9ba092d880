"""The new books: double entry, in minor units."""

from typing import Any

from ledger.converting import entry_of, remove_entry, write_entry
from ledger.errors import LedgerError
from ledger.reading import entries_now
from ledger.store import Database
from ledger.writing import in_major_units, is_there, put, take_out


class Books:
    """Entries as the new release reads and writes them. Amounts are integers in minor units."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def pay(self, id: str, **payment: Any) -> None:
        """Records a payment (booked_on, payer, payee, currency, amount; fee, tax and memo if there are any);
        DUPLICATE_ID if there is one with this id.
        """
        with self.database.transaction():
            if is_there(self.database, id):
                raise LedgerError("DUPLICATE_ID", f"There is a payment {id!r} already.")
            write_entry(self.database, entry_of(in_major_units(id, **payment)))
        with self.database.transaction():
            remove_entry(self.database, id)
            put(self.database, in_major_units(id, **payment))

    def change(self, id: str, **payment: Any) -> None:
        """Puts another payment, given as for `pay`, in its place; NO_SUCH_ENTRY if there is none."""
        with self.database.transaction():
            self._take_out(id)
            self._put(id, payment)

    def drop(self, id: str) -> None:
        """Takes a payment out of the books; NO_SUCH_ENTRY if there is none."""
        with self.database.transaction():
            self._take_out(id)

    def entry(self, id: str) -> dict[str, Any] | None:
        """One entry: id, booked_on, currency, memo, and `postings`, the minor units of each account."""
        return next((entry for entry in self.entries() if entry["id"] == id), None)

    def entries(self) -> list[dict[str, Any]]:
        """All entries, by id."""
        return entries_now(self.database)

    def balance(self, account: str, currency: str) -> int:
        """What an account holds, in minor units."""
        entries = [entry for entry in self.entries() if entry["currency"] == currency]
        return sum(entry["postings"].get(account, 0) for entry in entries)

    def _take_out(self, id: str) -> None:
        if not is_there(self.database, id):
            raise LedgerError("NO_SUCH_ENTRY", f"There is no payment {id!r}.")
        take_out(self.database, id)

    def _put(self, id: str, payment: dict[str, Any]) -> None:
        if is_there(self.database, id):
            raise LedgerError("DUPLICATE_ID", f"There is a payment {id!r} already.")
        put(self.database, in_major_units(id, **payment))
