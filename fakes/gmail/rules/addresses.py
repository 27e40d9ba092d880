"""Address headers (RFC 5322, 3.4): mailboxes with names, comments and groups, read from left to right once.

The standard library's reader calls itself for each bracket and its strictness differs by release.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import formataddr
from functools import lru_cache

from fakes.gmail.rules.headers import decoded

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
_LONGEST = 254
_MOST_TOKENS = 5000
_SHORT = 512
_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|<([^<>]*)>|([,:;(])|([^\s"<>(),:;]+))', re.DOTALL)
_BRACKET = re.compile(r"\\.|[()]", re.DOTALL)


class NoAddress(ValueError):
    """The text names something that is no mailbox."""


@dataclass(frozen=True)
class Address:
    """A mailbox as headers name it; `email` in lower case."""

    name: str
    email: str


def is_address(text: str) -> bool:
    """Whether this is a bare address with a domain."""
    return len(text) <= _LONGEST and bool(ADDRESS.fullmatch(text))


def addresses(text: str) -> tuple[Address, ...]:
    """The mailboxes that a header's unfolded value names, those of groups too.

    Raises NoAddress, also for more words and signs than a list of 500 people needs.
    """
    return _known(text) if len(text) <= _SHORT else _read(text)


def _read(text: str) -> tuple[Address, ...]:
    text = text.strip()
    found = _Reader()
    at = tokens = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        tokens += 1
        if token is None or tokens > _MOST_TOKENS:
            raise NoAddress
        if token[3] == "(":
            at = found.comment(text, token.end() - 1)
        else:
            found.take(token)
            at = token.end()
    return found.all()


_known = lru_cache(maxsize=4096)(_read)  # the same few people write to each other


class _Reader:
    """What was read of the mailbox being read: words of its name, the address in angles, a comment."""

    def __init__(self) -> None:
        self._found: list[Address] = []
        self._in_group = False
        self._begin()

    def _begin(self) -> None:
        self._words: list[str] = []
        self._comment = ""
        self._angle: str | None = None

    def take(self, token: re.Match[str]) -> None:
        """Reads a token. Raises NoAddress."""
        if token[3] == ",":
            self._end()
        elif token[3] == ":":
            self._group(opens=True)
        elif token[3] == ";":
            self._end()
            self._group(opens=False)
        elif self._angle is not None:
            raise NoAddress
        elif token[2] is not None:
            self._angle = token[2].strip()
        else:
            self._words.append(token[4] if token[1] is None else re.sub(r"\\(.)", r"\1", token[1]))

    def _group(self, *, opens: bool) -> None:
        """A group has a name and holds no other group; its name is not kept."""
        if self._in_group is opens or (opens and (not self._words or self._angle is not None)):
            raise NoAddress
        self._in_group = opens
        self._begin()

    def comment(self, text: str, at: int) -> int:
        """Reads a comment, which may hold others; returns where it ends. Raises NoAddress."""
        depth = 0
        for mark in _BRACKET.finditer(text, at):
            depth += {"(": 1, ")": -1}.get(mark[0], 0)
            if depth == 0:
                self._comment = text[at + 1 : mark.start()].strip()
                return mark.end()
        raise NoAddress

    def _end(self) -> None:
        """The end of a mailbox; nothing between two commas is none. Raises NoAddress."""
        if not self._words and self._angle is None:
            return
        name = " ".join(self._words)
        if self._angle is None:  # ana@x.example (Ana)
            name, self._angle = self._comment, name
        if not is_address(self._angle):
            raise NoAddress
        self._found.append(Address(decoded(name), self._angle.lower()))
        self._begin()

    def all(self) -> tuple[Address, ...]:
        """All mailboxes. Raises NoAddress."""
        self._end()
        if self._in_group:
            raise NoAddress
        return tuple(self._found)


def named(name: str, address: str) -> str:
    """An address as headers write it, its name in an encoded word if need be."""
    return formataddr((re.sub(r"[\r\n]+", " ", name), address))


def address_line(typed: str) -> str:
    """What was typed into an address field as a header's value; as it stands where it names no mailbox."""
    try:
        return ", ".join(named(found.name, found.email) for found in addresses(typed))
    except NoAddress:
        return typed
