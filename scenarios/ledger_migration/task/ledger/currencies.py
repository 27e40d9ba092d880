"""The currencies that the books may be kept in, with the digits of their minor units."""

from ledger.errors import LedgerError

DIGITS = {"BHD": 3, "CHF": 2, "EUR": 2, "GBP": 2, "JPY": 0, "KRW": 0, "KWD": 3, "USD": 2}


def digits(currency: str) -> int:
    """How many decimal digits its minor unit has: 2 for EUR, 0 for JPY; else UNKNOWN_CURRENCY."""
    try:
        return DIGITS[currency]
    except KeyError:
        raise LedgerError("UNKNOWN_CURRENCY", f"{currency!r} is no currency of these books.") from None
