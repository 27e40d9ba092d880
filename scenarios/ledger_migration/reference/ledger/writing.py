"""What the new release writes: into both books until the cut-over, then into the new one."""

from typing import Any

from ledger.converting import entry_of, remove_entry, write_entry
from ledger.money import to_major
from ledger.schema import phase_of
from ledger.store import Database

COLUMNS = ("id", "booked_on", "payer", "payee", "currency", "amount", "fee", "tax", "memo")


def in_major_units(
    id: str,
    booked_on: str,
    payer: str,
    payee: str,
    currency: str,
    amount: int,
    fee: int = 0,
    tax: int = 0,
    memo: str = "",
) -> dict[str, Any]:
    """A payment as the old table has it."""
    parts = {"amount": amount, "fee": fee, "tax": tax}
    payment = {
        "id": id,
        "booked_on": booked_on,
        "payer": payer,
        "payee": payee,
        "currency": currency,
        "memo": memo,
    }
    return payment | {part: to_major(minor, currency) for part, minor in parts.items()}


def put(database: Database, payment: dict[str, Any]) -> None:
    """Writes a payment that is not there; its triggers run before its entry is written."""
    entry = entry_of(payment)
    if phase_of(database) == "migrating":
        marks = ", ".join("?" for _ in COLUMNS)
        database.execute(
            f"INSERT INTO payments ({', '.join(COLUMNS)}) VALUES ({marks})",
            [payment[column] for column in COLUMNS],
        )
    write_entry(database, entry)


def take_out(database: Database, id: str) -> None:
    """Takes a payment out of both books."""
    if phase_of(database) == "migrating":
        database.execute("DELETE FROM payments WHERE id = ?", [id])
    remove_entry(database, id)


def is_there(database: Database, id: str) -> bool:
    """Whether the books that count have it; what can't be converted has its id as well."""
    books = "payments" if phase_of(database) == "migrating" else "entries"
    return bool(database.execute(f"SELECT 1 FROM {books} WHERE id = ?", [id]))
