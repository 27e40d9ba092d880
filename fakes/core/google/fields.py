"""Partial answers: the `fields` parameter, a mask such as `messages(id,payload/headers),nextPageToken`.

Names are parted by commas, `/` or `.` goes a level down, parentheses hold names that are all a level down,
`*` is every name there, quotes hold a name with other letters in it. A list is masked each for each. A mask
that names what the answer can't have is refused before anything is done
(docs: developers.google.com/workspace/gmail/api/guides/performance).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from fakes.core.google.errors import InvalidFields
from fakes.core.google.schemas import Field, Schemas

_TOKEN = re.compile(r"""\s*(?:(?P<mark>[,()/.])|"([^"]*)"|'([^']*)'|([^,()/."'\s]+))""")
_DEEPEST = 100


@dataclass
class Mask:
    """What is wanted of an object: all of it, or what is below these names."""

    whole: bool = False
    below: dict[str, Mask] = field(default_factory=dict)

    def of(self, name: str) -> Mask | None:
        """What is wanted of a field; None: nothing."""
        own, every = self.below.get(name), self.below.get("*")
        if own is None or every is None:
            return own or every
        return Mask(own.whole or every.whole, {**every.below, **own.below})


@lru_cache(maxsize=512)
def parsed(text: str) -> Mask:
    """A mask as it is written. Raises InvalidFields."""
    return _Reader(text).read()


def mask_for(text: str, schemas: Schemas, schema: str) -> Mask:
    """A mask of answers with this schema. Raises InvalidFields."""
    mask = parsed(text)
    for name in mask.below:
        _check(text, mask, name, schemas, schema, "")
    return mask


def masked(mask: Mask, value: Any) -> Any:
    """What a mask leaves of a value."""
    if mask.whole:
        return value
    if isinstance(value, list):
        return [masked(mask, each) for each in value]
    wanted = ((name, mask.of(name), each) for name, each in value.items())
    return {
        name: masked(below, each)
        for name, below, each in wanted
        if below is not None and (below.whole or _has_fields(each))
    }


def _has_fields(value: Any) -> bool:
    """Whether a mask can go further down here."""
    return isinstance(value[0] if isinstance(value, list) and value else value, dict)


def _check(text: str, mask: Mask, name: str, schemas: Schemas, schema: str, at: str) -> None:
    """Sees to it that a name of a mask, and all below it, are fields of a schema. Raises InvalidFields."""
    path, below = f"{at}{name}", mask.below[name]
    fields = schemas[schema].fields if schema else {}
    found = list(fields.values()) if name == "*" else [fields[name]] if name in fields else []
    if not found:
        raise InvalidFields(text, path)
    for wanted in below.below:
        _check_one(text, below, wanted, schemas, found, f"{path}.")


def _check_one(text: str, mask: Mask, name: str, schemas: Schemas, places: list[Field], at: str) -> None:
    """The same for a name that must be in one of several places. Raises what the last of them raises."""
    for number, place in enumerate(places, 1):
        try:
            return _check(text, mask, name, schemas, place.innermost.schema, at)
        except InvalidFields:
            if number == len(places):
                raise


class _Reader:
    """Reads a mask from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._groups = [Mask()]  # the objects whose parentheses are open, outermost first
        self._at = self._groups[0]  # what the next name is below of
        self._named: Mask | None = None  # what the last name stands for, until something follows
        self._closed = False  # whether the last thing was a closing parenthesis
        self._depth = 0

    def read(self) -> Mask:
        """The mask. Raises InvalidFields."""
        position, text = 0, self._text.rstrip()
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None:
                raise InvalidFields(self._text, self._text)
            position = token.end()
            self._take(token["mark"], next((name for name in token.group(2, 3, 4) if name is not None), None))
        self._end()
        if len(self._groups) > 1:
            raise InvalidFields(self._text, self._text)
        return self._groups[0]

    def _take(self, mark: str | None, name: str | None) -> None:
        if name is not None:
            self._name(name)
        elif mark == ",":
            self._end()
            self._at, self._closed, self._depth = self._groups[-1], False, len(self._groups) - 1
        elif mark == ")":
            self._end()
            self._close()
        else:
            self._down(mark == "(")

    def _name(self, name: str) -> None:
        if self._named is not None or self._closed or not name:
            raise InvalidFields(self._text, self._text)
        self._named = self._at.below.setdefault(name, Mask())

    def _down(self, opens: bool) -> None:
        self._depth += 1
        if self._named is None or self._depth > _DEEPEST:
            raise InvalidFields(self._text, self._text)
        self._at, self._named = self._named, None
        if opens:
            self._groups.append(self._at)

    def _close(self) -> None:
        if len(self._groups) == 1:
            raise InvalidFields(self._text, self._text)
        self._groups.pop()
        self._named, self._closed = None, True

    def _end(self) -> None:
        """A name ends here: all of it is wanted."""
        if self._named is not None:
            self._named.whole, self._named = True, None
        elif not self._closed:
            raise InvalidFields(self._text, self._text)
