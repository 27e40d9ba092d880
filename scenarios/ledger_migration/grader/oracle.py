"""What the new books should say of the old ones: written apart from any solution."""

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

PLACES = {"BHD": 3, "CHF": 2, "EUR": 2, "GBP": 2, "JPY": 0, "KRW": 0, "KWD": 3, "USD": 2}
Payment = Mapping[str, Any]
Entries = dict[str, dict[str, Any]]


def minor(amount: float | None, currency: str) -> int:
    """A float in minor units, ties to the even neighbour."""
    shifted = Decimal(repr(amount or 0.0)) * 10 ** PLACES[currency]
    return int(shifted.to_integral_value(ROUND_HALF_EVEN))


def entry(payment: Payment) -> dict[str, Any]:
    """A payment as an entry with its postings by account."""
    amount, fee, tax = (minor(payment.get(part), payment["currency"]) for part in ("amount", "fee", "tax"))
    moves = [(payment["payer"], -amount - fee - tax), (payment["payee"], amount), ("fees", fee), ("tax", tax)]
    accounts = dict.fromkeys(account for account, _ in moves)
    sums = {account: sum(moved for to, moved in moves if to == account) for account in accounts}
    return {
        "id": payment["id"],
        "booked_on": payment["booked_on"],
        "currency": payment["currency"],
        "memo": payment.get("memo", ""),
        "postings": {account: held for account, held in sums.items() if held},
    }


def entries(payments: Iterable[Payment]) -> Entries:
    """By id."""
    return {payment["id"]: entry(payment) for payment in payments}


def balances(made: Entries) -> dict[tuple[str, str], int]:
    """What each account holds in each currency."""
    held: dict[tuple[str, str], int] = {}
    for each in made.values():
        for account, moved in each["postings"].items():
            key = account, each["currency"]
            held[key] = held.get(key, 0) + moved
    return held


def agree(found: Entries, wanted: Entries, where: str) -> None:
    """Asserts that they are the same, and tells the first that is not."""
    for id in sorted(found.keys() | wanted.keys()):
        assert id in found, f"{where}, {id} is missing"
        assert id in wanted, f"{where}, {id} is there, which no payment asks for"
        assert found[id] == wanted[id], f"{where}, {id} is {found[id]}, not {wanted[id]}"
