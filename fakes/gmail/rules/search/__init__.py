"""The search language of `q` and of the search box (support.google.com/mail/answer/7190).

`tokens` cuts a text up, `grammar` builds a tree of `nodes` from it, `operators` knows what each `name:value`
means, `moments` are its instants and `words` says what a word is. Odd searches are no errors, as in Gmail:
what can't be read as an operator is looked for as a word.
"""

from __future__ import annotations

from fakes.gmail.rules.search.grammar import parse
from fakes.gmail.rules.search.nodes import Query

__all__ = ["Query", "parse"]
