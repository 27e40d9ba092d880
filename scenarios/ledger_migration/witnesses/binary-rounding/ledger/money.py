"""Amounts, from floats in major units to integers in minor ones, and back."""

from ledger.currencies import digits


def to_minor(amount: float, currency: str) -> int:
    """Python rounds ties to the even neighbour."""
    return round(amount * 10 ** digits(currency))


def to_major(minor: int, currency: str) -> float:
    """The float whose shortest decimal is the amount: a division of integers rounds once."""
    return minor / 10 ** digits(currency)
