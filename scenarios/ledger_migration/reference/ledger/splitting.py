"""What a payment adds to each account."""

import math
from collections.abc import Mapping
from typing import Any

from ledger.errors import LedgerError
from ledger.money import to_minor

MOST = 2**63 - 1


def postings_of(payment: Mapping[str, Any]) -> dict[str, int]:
    """Minor units by account, none of them 0; they add up to 0, because the payer pays the rounded parts."""
    amount, fee, tax = (checked(part_of(payment, part)) for part in ("amount", "fee", "tax"))
    postings: dict[str, int] = {}
    for account, minor in (
        (payment["payer"], -(amount + fee + tax)),
        (payment["payee"], amount),
        ("fees", fee),
        ("tax", tax),
    ):
        postings[account] = postings.get(account, 0) + minor
    return {account: checked(minor) for account, minor in postings.items() if minor}


def part_of(payment: Mapping[str, Any], part: str) -> int:
    """Amount, fee or tax in minor units; the column may hold anything, since SQLite lets it."""
    stored = payment[part]
    if stored is None:
        return 0
    if not isinstance(stored, float) or not math.isfinite(stored):
        raise LedgerError("CANNOT_CONVERT", f"{stored!r} is no amount.")
    return to_minor(stored, payment["currency"])


def checked(minor: int) -> int:
    """As it is, if SQLite can keep it as an integer."""
    if not -MOST - 1 <= minor <= MOST:
        raise LedgerError("CANNOT_CONVERT", f"{minor} does not fit into 64 bits.")
    return minor
