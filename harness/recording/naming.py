"""Says recorded text as Python: what a fact holds, by the fact's name, so that a play fits every instance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any

from fakes.core.store import Row

_SHORTEST = 4
_COMMON = re.compile(r"[a-z_]+")  # one small word is a kind or a state, not what the task is about
_YEARS_END = 3000  # a smaller number is as likely a year, a count or a place in a list
_NO_NAMES = ("_id", "_at", "_hash", "_json", "secret")  # columns that point elsewhere, or that nobody types
_DEPTH = 3


@dataclass(frozen=True)
class Known:
    """A text that a fact holds or prints: as an expression, and as it stands inside an f-string's braces."""

    text: str
    expression: str
    inner: str


@dataclass(frozen=True)
class Part:
    """A stretch of a text: plain, or what a fact holds."""

    text: str
    known: Known | None = None


class Naming:
    """The texts of some facts."""

    def __init__(self, facts: Any) -> None:
        found: dict[str, Known] = {}
        for known in _known(facts, "facts", _DEPTH):
            if len(known.text) >= _SHORTEST and not _COMMON.fullmatch(known.text):
                found.setdefault(known.text, known)
        self._known = found
        longest_first = sorted(found, key=len, reverse=True)
        self._pattern = re.compile(
            "|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in longest_first) or r"(?!)"
        )

    def parts(self, text: str) -> list[Part]:
        """A text, cut where facts are named in it."""
        parts, at = [], 0
        for match in self._pattern.finditer(text):
            if match.start() > at:
                parts.append(Part(text[at : match.start()]))
            parts.append(Part(match[0], self._known[match[0]]))
            at = match.end()
        return [*parts, Part(text[at:])] if at < len(text) or not parts else parts

    def expression(self, text: str) -> str:
        """A text as one Python expression."""
        parts = self.parts(text)
        if len(parts) == 1 and parts[0].known is not None:
            return parts[0].known.expression
        return said(parts)


def said(parts: list[Part]) -> str:
    """Parts as a literal: an f-string, if facts are named."""
    if all(part.known is None for part in parts):
        return quoted("".join(part.text for part in parts))
    inside = "".join(
        f"{{{part.known.inner}}}" if part.known else _escaped(part.text).replace("{", "{{").replace("}", "}}")
        for part in parts
    )
    return f'f"{inside}"'


def quoted(text: str) -> str:
    """A text as a string literal in double quotes."""
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in repr(text)[1:-1].replace("\\'", "'"))


_ESCAPES = {'"': '\\"'}


def _known(value: Any, place: str, depth: int) -> Iterator[Known]:
    """What a value holds, the nearest first: what is said in fewer words names it better."""
    if isinstance(value, str):
        yield from _texts(value, place)
    elif isinstance(value, date):
        yield from _dates(value, place)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from _numbers(value, place)
    elif depth:
        inner = list(_inside(value, place))
        for simple in (True, False):
            for each, name in inner:
                if isinstance(each, (str, int, date)) is simple:
                    yield from _known(each, name, depth - 1)


def _inside(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    if isinstance(value, Row):
        key = value.__table__.key
        names = [*key, *(name for name in value.__table__.columns if name not in key)]
        own = [name for name in names if not name.endswith(_NO_NAMES)]
        yield from ((getattr(value, name), f"{place}.{name}") for name in own)
    elif is_dataclass(value):
        yield from ((getattr(value, f.name), f"{place}.{f.name}") for f in fields(value))
    elif isinstance(value, (list, tuple)):
        yield from ((each, f"{place}[{n}]") for n, each in enumerate(value))
    elif isinstance(value, dict):
        yield from ((each, f"{place}[{key!r}]") for key, each in value.items())


def _texts(value: str, place: str) -> Iterator[Known]:
    yield Known(value, place, place)
    if value.strip() != value:
        yield Known(value.strip(), f"{place}.strip()", f"{place}.strip()")


def _dates(value: date, place: str) -> Iterator[Known]:
    yield Known(value.isoformat(), f"{place}.isoformat()", place)
    printed = (
        (f"{value:%b} {value.day}, {value.year}", f"{{{place}:%b}} {{{place}.day}}, {{{place}.year}}"),
        (f"{value:%B} {value.day}, {value.year}", f"{{{place}:%B}} {{{place}.day}}, {{{place}.year}}"),
        (f"{value.day} {value:%B %Y}", f"{{{place}.day}} {{{place}:%B %Y}}"),
        (f"{value:%m/%d/%Y}", f"{{{place}:%m/%d/%Y}}"),
    )
    for text, template in printed:
        yield Known(text, f'f"{template}"', template[1:-1])


def _numbers(value: int, place: str) -> Iterator[Known]:
    if abs(value) >= _YEARS_END:
        yield Known(str(value), f"str({place})", place)
        yield Known(f"{value:,}", f'f"{{{place}:,}}"', f"{place}:,")
    if place.endswith("_cents"):
        yield Known(f"{value / 100:,.2f}", f'f"{{{place} / 100:,.2f}}"', f"{place} / 100:,.2f")
        yield Known(f"{value / 100:.2f}", f'f"{{{place} / 100:.2f}}"', f"{place} / 100:.2f")
