"""Builds the tree of a search. OR binds closer than standing beside each other, as in Google's searches."""

from __future__ import annotations

from fakes.gmail.rules.search.nodes import EVERYTHING, Near, Node, Not, Phrase, Query, all_of, any_of
from fakes.gmail.rules.search.operators import OPERATORS, condition, opens_all, phrase
from fakes.gmail.rules.search.tokens import Token, tokens_of

MOST_DEPTH = 50
MOST_TOKENS = 500
MOST_LETTERS = 20_000
"""Beyond these a search is read no further."""
_CLOSES = {"(": ")", "{": "}"}


def parse(text: str, me: str = "") -> Query:
    """The query of a search text; `from:me` and the like mean the address `me`."""
    reader = _Reader(tokens_of(text[:MOST_LETTERS], OPERATORS)[:MOST_TOKENS], me)
    parts = []
    while not reader.is_done:
        parts.append(reader.sequence("", None, 0))
        reader.skip()  # what closes nothing
    return Query(all_of(parts), reader.anywhere)


class _Reader:
    def __init__(self, tokens: list[Token], me: str) -> None:
        self._tokens, self._me, self._at = tokens, me, 0
        self.anywhere = False

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._tokens)

    def skip(self) -> None:
        self._at += 1

    def _next(self, *kinds: str) -> Token | None:
        """The next token, taken, if it is of one of these kinds."""
        if self.is_done or self._tokens[self._at].kind not in kinds:
            return None
        self._at += 1
        return self._tokens[self._at - 1]

    def sequence(self, operator: str, closes: str | None, depth: int) -> Node:
        """Factors up to what closes them, or to the end: all of them, or in braces one of them."""
        groups: list[list[Node]] = []
        joined = False
        while not self.is_done:
            if self._tokens[self._at].kind == "close":
                if closes is None or self._tokens[self._at].text == closes:
                    break
                self.skip()
            elif self._next("or"):
                joined = bool(groups)
            elif not self._next("and"):
                factor = self._factor(operator, depth)
                if factor != EVERYTHING:
                    groups = [*groups[:-1], [*groups[-1], factor]] if joined else [*groups, [factor]]
                joined = False
        parts = [any_of(group) for group in groups]
        return any_of(parts) if closes == "}" and parts else all_of(parts)

    def _factor(self, operator: str, depth: int) -> Node:
        if self._next("minus"):
            part = self._factor(operator, depth)
            return part if part == EVERYTHING else Not(part)
        if token := self._next("operator"):
            return self._factor(token.text, depth)
        if token := self._next("open"):
            return self._group(operator, _CLOSES[token.text], depth + 1)
        if token := self._next("around"):
            return self._leaf(operator, "AROUND")
        token = self._next("word", "phrase")
        return self._near(self._leaf(operator, token.text), operator) if token else EVERYTHING

    def _group(self, operator: str, closes: str, depth: int) -> Node:
        if depth > MOST_DEPTH:
            self._at = len(self._tokens)
            return EVERYTHING
        found = self.sequence(operator, closes, depth)
        self._next("close")
        return found

    def _leaf(self, operator: str, text: str) -> Node:
        if not operator:
            return phrase(text)
        self.anywhere = self.anywhere or opens_all(operator, text)
        return condition(operator, text, self._me)

    def _near(self, first: Node, operator: str) -> Node:
        """A word or phrase, and if AROUND follows, the two that are near each other."""
        if self.is_done or self._tokens[self._at].kind != "around" or not isinstance(first, Phrase):
            return first
        distance = int(self._tokens[self._at].text)
        self.skip()
        token = self._next("word", "phrase")
        second = self._leaf(operator, token.text) if token else EVERYTHING
        if not isinstance(second, Phrase):
            return first
        return Near(first.columns, first.words, second.words, distance)
