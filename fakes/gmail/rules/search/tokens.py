"""Cuts a search up: brackets, quoted phrases, words, operators with what follows them, and signs before them.

What never closes is closed at the end, and what closes nothing is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["open", "close", "phrase", "word", "operator", "minus", "or", "and", "around"]

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<open>[({]) | (?P<close>[)}])
    | "(?P<phrase>[^"]*)"?
    | (?P<minus>-)(?=[^\s)}])
    | (?P<plus>\+)(?=[^\s)}])
    | (?P<operator>[A-Za-z_0-9]+):(?=[^\s)}])
    | AROUND(?:\s+(?P<around>\d{1,4}))?(?=[\s(){}"]|$)
    | (?P<or>OR|\|)(?=[\s(){}"]|$)
    | (?P<and>AND)(?=[\s(){}"]|$)
    | (?P<word>[^\s(){}"]+)
    )""",
    re.VERBOSE,
)
_FAR = 25


@dataclass(frozen=True)
class Token:
    """A piece of a search; of an operator the name, in lower case."""

    kind: Kind
    text: str


def tokens_of(text: str, operators: frozenset[str]) -> list[Token]:
    """The pieces of a search. A name before a colon is an operator if it is one of `operators`."""
    found, at = [], 0
    text = text.replace("\0", " ")
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            break
        at = match.end()
        if (name := match["operator"]) is not None and name.lower() not in operators:
            end = _end_of_word(text, at)
            found.append(Token("word", f"{name}:{text[at:end]}"))
            at = end
        elif match["plus"] is None:
            found.append(_token(match))
    return found


def _end_of_word(text: str, at: int) -> int:
    while at < len(text) and not text[at].isspace() and text[at] not in '(){}"':
        at += 1
    return at


def _token(match: re.Match[str]) -> Token:
    for kind in ("open", "close", "phrase", "minus", "operator", "or", "and", "word"):
        if match[kind] is not None:
            return Token(kind, match[kind].lower() if kind == "operator" else match[kind])
    return Token("around", match["around"] or str(_FAR))
