"""A payment as the new books have it: what it adds to each account, in minor units."""

from collections.abc import Mapping
from typing import Any

from ledger.money import to_minor
from ledger.store import Database


def postings_of(payment: Mapping[str, Any]) -> dict[str, int]:
    """What each account gets, negative where it pays."""
    parts = {part: to_minor(payment[part] or 0.0, payment["currency"]) for part in ("amount", "fee", "tax")}
    postings: dict[str, int] = {payment["payer"]: -sum(parts.values())}
    for account, part in ((payment["payee"], "amount"), ("fees", "fee"), ("tax", "tax")):
        postings[account] = postings.get(account, 0) + parts[part]
    return {account: minor for account, minor in postings.items() if minor}


def write_entry(database: Database, payment: Mapping[str, Any], postings: Mapping[str, int]) -> None:
    """Writes an entry with its postings."""
    database.execute(
        "INSERT INTO entries (id, booked_on, currency, memo) VALUES (?, ?, ?, ?)",
        [payment["id"], payment["booked_on"], payment["currency"], payment["memo"]],
    )
    for account, minor in postings.items():
        database.execute(
            "INSERT INTO postings (entry_id, account, minor) VALUES (?, ?, ?)",
            [payment["id"], account, minor],
        )


def remove_entry(database: Database, id: str) -> None:
    """Takes an entry out, with its postings."""
    database.execute("DELETE FROM postings WHERE entry_id = ?", [id])
    database.execute("DELETE FROM entries WHERE id = ?", [id])
