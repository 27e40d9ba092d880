"""What the new release writes."""

from typing import Any

from ledger.converting import entry_of, remove_entry, stored_entries, write_entry
from ledger.money import to_major
from ledger.store import Database


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
    """Writes a payment that is not there."""
    write_entry(database, entry_of(payment))


def take_out(database: Database, id: str) -> None:
    """Takes a payment out of the new books."""
    remove_entry(database, id)


def is_there(database: Database, id: str) -> bool:
    """Whether the new books have it."""
    return id in stored_entries(database)
