"""Money is integer cents everywhere; these two turn it into print and back."""

from __future__ import annotations

import re

_PRINTED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})*\.[0-9]{2}")


def printed_amount(cents: int) -> str:
    """`123456` -> `1,234.56`; negative amounts are no charges and raise ValueError."""
    if cents < 0:
        raise ValueError(f"{cents} cents is below zero; a charge is never negative.")
    return f"{cents // 100:,}.{cents % 100:02d}"


def read_amount(text: str) -> int:
    """`1,234.56` -> `123456`; raises ValueError for anything that `printed_amount` does not print."""
    if not _PRINTED.fullmatch(text):
        raise ValueError(f"{text!r} is no amount such as 1,234.56.")
    return int(re.sub(r"[,.]", "", text))


def dollars(cents: int) -> str:
    """For sentences: `$1,234.56`."""
    return f"${printed_amount(cents)}"
