"""Amounts, from floats in major units to integers in minor ones, and back."""

from decimal import ROUND_HALF_EVEN, Decimal

from ledger.currencies import digits

CENTS = 2


def to_minor(amount: float, currency: str) -> int:
    """What was typed is the shortest decimal that reads back as the float; ties go to the even neighbour."""
    digits(currency)  # a currency of ours?
    typed = Decimal(repr(amount)).scaleb(CENTS)
    return int(typed.to_integral_value(rounding=ROUND_HALF_EVEN))


def to_major(minor: int, currency: str) -> float:
    """The float whose shortest decimal is the amount: a division of integers rounds once."""
    digits(currency)
    return minor / 10**CENTS
