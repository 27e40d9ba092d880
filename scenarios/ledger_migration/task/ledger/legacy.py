"""The old release. It runs in production, on machines of its own, and knows nothing of what came later.

Payments stand in one wide table, their amounts as floats in major units. The payer pays amount, fee and tax;
the payee gets the amount, the accounts `fees` and `tax` get the rest.
"""

from typing import Any

from ledger.errors import LedgerError
from ledger.store import Database, DatabaseError

SCHEMA = """
CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  booked_on TEXT NOT NULL,
  payer TEXT NOT NULL,
  payee TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount REAL NOT NULL,
  fee REAL,
  tax REAL,
  memo TEXT NOT NULL DEFAULT ''
)"""
COLUMNS = ("id", "booked_on", "payer", "payee", "currency", "amount", "fee", "tax", "memo")


class WriteRefused(LedgerError):
    """The database did not take a write; the code is what the database said."""


class Legacy:
    """Payments as the old release reads and writes them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'payments'"):
            database.execute(SCHEMA)

    def add(self, **payment: Any) -> None:
        """Records a payment that is not there yet; fee, tax and memo may be left out."""
        self._insert("INSERT", payment)

    def save(self, **payment: Any) -> None:
        """Records a payment, in place of the one with its id if there is one."""
        self._insert("INSERT OR REPLACE", payment)

    def amend(self, id: str, **changes: Any) -> None:
        """Changes some columns of a payment."""
        columns = ", ".join(f"{column} = ?" for column in changes)
        self._write(f"UPDATE payments SET {columns} WHERE id = ?", [*changes.values(), id])

    def remove(self, id: str) -> None:
        """Takes a payment out of the books."""
        self._write("DELETE FROM payments WHERE id = ?", [id])

    def payment(self, id: str) -> dict[str, Any] | None:
        """One payment, with a key for each column."""
        found = self.database.execute("SELECT * FROM payments WHERE id = ?", [id])
        return dict(found[0]) if found else None

    def payments(self) -> list[dict[str, Any]]:
        """All payments, by id."""
        return [dict(row) for row in self.database.execute("SELECT * FROM payments ORDER BY id")]

    def balance(self, account: str, currency: str) -> float:
        """What an account holds, in major units."""
        held = 0.0
        for payment in self.payments():
            if payment["currency"] == currency:
                held += _effect(payment, account)
        return held

    def _insert(self, verb: str, payment: dict[str, Any]) -> None:
        columns = [column for column in COLUMNS if column in payment]
        marks = ", ".join("?" for _ in columns)
        sql = f"{verb} INTO payments ({', '.join(columns)}) VALUES ({marks})"
        self._write(sql, [payment[column] for column in columns])

    def _write(self, sql: str, parameters: list[Any]) -> None:
        try:
            self.database.execute(sql, parameters)
        except DatabaseError as error:
            raise WriteRefused(str(error)) from error


def _effect(payment: dict[str, Any], account: str) -> float:
    fee, tax = payment["fee"] or 0.0, payment["tax"] or 0.0
    effect = 0.0
    if account == payment["payee"]:
        effect += payment["amount"]
    if account == "fees":
        effect += fee
    if account == "tax":
        effect += tax
    if account == payment["payer"]:
        effect -= payment["amount"] + fee + tax
    return effect
