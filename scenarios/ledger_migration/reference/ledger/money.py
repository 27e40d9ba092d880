"""Amounts, from floats in major units to integers in minor ones, and back."""

from decimal import ROUND_HALF_EVEN, Decimal

from ledger.currencies import digits


def to_minor(amount: float, currency: str) -> int:
    """What was typed is the shortest decimal that reads back as the float; ties go to the even neighbour."""
    typed = Decimal(repr(amount)).scaleb(digits(currency))
    return int(typed.to_integral_value(rounding=ROUND_HALF_EVEN))


def to_major(minor: int, currency: str) -> float:
    """The float whose shortest decimal is the amount: a division of integers rounds once."""
    return minor / 10 ** digits(currency)
