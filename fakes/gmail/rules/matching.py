"""Whether one mail is what a search asks for: for filters, and for whoever has no index.

This is the plain reading of the search language; lists find the same by their indexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from zoneinfo import ZoneInfo

from fakes.gmail.rules.labels import OUT_OF_SIGHT
from fakes.gmail.rules.search.moments import PACIFIC, instant_of
from fakes.gmail.rules.search.nodes import (
    All,
    Any,
    Labelled,
    Named,
    Near,
    Node,
    Not,
    OwnLabels,
    Phrase,
    Query,
    Received,
    Sized,
    WithId,
)
from fakes.gmail.rules.search.words import words_of

Words = tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """A mail as searches see it: its texts by column, its labels by id, own ones also by name."""

    texts: Mapping[str, str]
    labels: frozenset[str] = frozenset()
    label_names: tuple[str, ...] = ()
    received_at: int = 0
    size: int = 0
    rfc822_id: str = ""
    now: int = 0
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo(PACIFIC))

    @cached_property
    def words(self) -> dict[str, Words]:
        """The words of each column."""
        return {column: words_of(text) for column, text in self.texts.items()}


def matches(query: Query, seen: Seen) -> bool:
    """Whether the mail is what is asked for."""
    return not (query.in_sight and seen.labels & set(OUT_OF_SIGHT)) and holds(query.tree, seen)


def holds(node: Node, seen: Seen) -> bool:
    """Whether a condition, or a group of them, holds for the mail."""
    match node:
        case All():
            return all(holds(part, seen) for part in node.parts)
        case Any():
            return any(holds(part, seen) for part in node.parts)
        case Not():
            return not holds(node.part, seen)
        case Phrase():
            return any(_at(node.words, seen.words.get(column, ())) for column in node.columns)
        case Near():
            return any(_are_near(node, seen.words.get(column, ())) for column in node.columns)
        case Labelled():
            return node.label in seen.labels
        case Named():
            return any(is_called(name, node.name) for name in seen.label_names)
        case OwnLabels():
            return bool(seen.label_names)
        case Sized():
            return (node.over is None or seen.size > node.over) and (
                node.under is None or seen.size < node.under
            )
        case WithId():
            return seen.rfc822_id == node.rfc822_id
        case Received():
            return _is_within(node, seen)


def _is_within(node: Received, seen: Seen) -> bool:
    since = None if node.since is None else instant_of(node.since, seen.now, seen.zone)
    until = None if node.until is None else instant_of(node.until, seen.now, seen.zone)
    return (since is None or seen.received_at >= since) and (until is None or seen.received_at < until)


def _at(phrase: Words, words: Words) -> list[int]:
    """Where a phrase begins among words."""
    length = len(phrase)
    return [n for n in range(len(words) - length + 1) if words[n : n + length] == phrase]


def _are_near(node: Near, words: Words) -> bool:
    """Whether two phrases stand with at most so many words between them; they do not overlap."""
    firsts, seconds = _at(node.first, words), _at(node.second, words)
    return any(
        0 <= gap <= node.distance
        for one in firsts
        for other in seconds
        for gap in (max(other - one - len(node.first), one - other - len(node.second)),)
    )


def is_called(name: str, typed: str) -> bool:
    """Whether a label's name is what somebody typed: in any case, with hyphens for spaces and slashes."""
    return _folded(name) == _folded(typed)


def _folded(name: str) -> str:
    return name.casefold().replace(" ", "-").replace("/", "-")
