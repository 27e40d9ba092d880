"""Links inside plain text."""

from __future__ import annotations

import re

_LINK = re.compile(r"https?://[^\s<>\"']+")
_TRAILING = ".,;:!?)]}"


def split_links(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, and of each whether it is an http or https link without trailing punctuation."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for found in _LINK.finditer(text):
        link = found[0].rstrip(_TRAILING)
        pieces += [(text[at : found.start()], False), (link, True)]
        at = found.start() + len(link)
    pieces.append((text[at:], False))
    return [piece for piece in pieces if piece[0]]
