"""Amounts, from floats in major units to integers in minor ones, and back."""


def to_minor(amount: float, currency: str) -> int:
    """12.34 EUR are 1234."""
    return round(amount * 100)


def to_major(minor: int, currency: str) -> float:
    """1234 in EUR are 12.34."""
    return minor / 100
