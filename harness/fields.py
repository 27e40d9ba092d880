"""The fields of a JSON body, read one by one at the edge, each refusal a sentence that says what to send."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import orjson
from starlette.requests import Request

C = TypeVar("C", bound=str)
_LARGEST = 2**53  # what JSON numbers carry exactly


class BadInput(ValueError):
    """A request that can't be done as it was put; the argument is the sentence to show."""


class Fields:
    """A JSON object. A field without a default is needed; one that nobody reads is refused."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    @classmethod
    async def read(cls, request: Request, *allowed: str) -> Fields:
        """The body of a request; an empty one is {}. Raises BadInput, for a field not allowed too."""
        body = await request.body()
        try:
            values = orjson.loads(body) if body.strip() else {}
        except orjson.JSONDecodeError as error:
            raise BadInput(f"The body is no JSON: {error}.") from None
        if not isinstance(values, dict):
            raise BadInput("The body must be a JSON object.")
        for name in values:
            if name not in allowed:
                raise BadInput(f"There is no field {name!r} here. Fields: {', '.join(allowed)}.")
        return cls({name: value for name, value in values.items() if value is not None})

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def text(self, name: str, default: str | None = None) -> str:
        """A string; an empty one counts as none."""
        value = self._values.get(name) or default
        if value is None:
            raise BadInput(f"The field {name!r} is missing.")
        if not isinstance(value, str):
            raise BadInput(f"{name!r} must be a string, not {value!r}.")
        return value

    def number(self, name: str, default: int) -> int:
        """A whole number."""
        value = self._values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
            raise BadInput(f"{name!r} must be a whole number, not {value!r}.")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false when it is not there."""
        value = self._values.get(name, False)
        if not isinstance(value, bool):
            raise BadInput(f"{name!r} must be true or false, not {value!r}.")
        return value

    def choice(self, name: str, options: Sequence[C], default: C) -> C:
        """One of the options."""
        value = self._values.get(name, default)
        for option in options:
            if value == option:
                return option
        raise BadInput(f"{name!r} must be one of {', '.join(options)}, not {value!r}.")


def number_in_query(request: Request, name: str, default: int, *, most: int = _LARGEST) -> int:
    """A whole number from 0 to `most` in the query string. Raises BadInput."""
    text = request.query_params.get(name, str(default))
    number = whole_number(text)
    if number is None or number > most:
        raise BadInput(f"{name!r} must be a whole number from 0 to {most}, not {text!r}.")
    return number


def whole_number(text: str) -> int | None:
    """The number that up to 16 digits spell; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 17 else None
