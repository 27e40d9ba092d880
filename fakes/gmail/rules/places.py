"""Where a message stands in every list: by its instant, then by its number.

One integer is both, so that a list is one walk of an index, a page ends at one number, and the index of
words, whose rows carry it, gives what it finds in the order of the list.
"""

from __future__ import annotations

_BITS = 21
_MASK = (1 << _BITS) - 1
_LATEST = (1 << 42) - 1


def place_of(received_at: int, seq: int) -> int:
    """The place of the `seq`-th message of a world, received at this instant (UTC ms, from 1970 to 2109)."""
    return (min(max(received_at, 0), _LATEST) << _BITS) | (seq & _MASK)


def first_place(at_ms: int) -> int:
    """The lowest place of this instant: what was received before it stands below."""
    return place_of(at_ms, 0)
