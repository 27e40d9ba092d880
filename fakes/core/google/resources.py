"""A JSON resource of a request, held against its schema as Google's servers hold it.

Names may be in camelCase or with underscores, a field that is null counts as missing, one value may stand for
a list of one, numbers may come as text. Any other name, and any other kind of value, is refused, all that is
wrong at once. What bytes hold is looked at by whoever reads them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from fakes.core.google.errors import InvalidValue, Malformed, UnknownField
from fakes.core.google.methods import proto_name
from fakes.core.google.schemas import BOUNDS, Field, Schemas

MOST_TOLD = 20
"""How much that is wrong is told at once."""
_NUMBER = re.compile(r"-?[0-9]{1,20}")
_SHOWN = 80


def resource(given: Mapping[str, Any], schemas: Schemas, schema: str, at: str = "") -> dict[str, Any]:
    """The resource with its names in camelCase, without what is null; `at` is its own name in errors.

    Raises Malformed. Goes down as far as the schema does, so what is nested deep costs no stack.
    """
    read: dict[str, Any] = {}
    wrong: list[tuple[str, str]] = []
    waiting = deque([(given, read, schema, at)])  # objects, and what is made of them
    while waiting and len(wrong) < MOST_TOLD:
        values, into, kind, place = waiting.popleft()
        known = schemas[kind].names
        for told, value in values.items():
            name = known.get(told)
            if name is None:
                wrong += UnknownField(told[:_SHOWN], place).found
            elif value is not None:
                field = schemas[kind].fields[name]
                below = f"{place}.{proto_name(name)}" if place else proto_name(name)
                try:
                    into[name] = _value(field, value, told, place, below)
                except Malformed as error:
                    wrong += error.found
                    continue
                waiting.extend(_objects(field, value, into[name], below))
    if wrong:
        raise Malformed(*wrong[:MOST_TOLD])
    return read


def _value(field: Field, value: Any, told: str, at: str, below: str) -> Any:
    """A value as its field has it; objects are still empty."""
    if field.of is not None:
        each = value if isinstance(value, list) else [value]
        return [_single(field.of, one, f"{below}[{number}]") for number, one in enumerate(each)]
    if isinstance(value, list):
        raise UnknownField(told[:_SHOWN], at, "Proto field is not repeating, cannot start list.")
    return _single(field, value, below)


def _single(field: Field, value: Any, at: str) -> Any:
    if field.schema:
        if isinstance(value, dict):
            return {}
        raise InvalidValue(at, "TYPE_MESSAGE", _told(value))
    if field.type == "boolean":
        return _flag(value, at)
    if field.format in BOUNDS:
        return _number(field, value, at)
    if not isinstance(value, str):
        raise InvalidValue(at, "TYPE_BYTES" if field.format == "byte" else "TYPE_STRING", _told(value))
    if field.words and value not in field.words:
        raise InvalidValue(at, "TYPE_ENUM", _told(value))
    return value


def _flag(value: Any, at: str) -> bool:
    if isinstance(value, bool) or value in ("true", "false"):
        return value is True or value == "true"
    raise InvalidValue(at, "TYPE_BOOL", _told(value))


def _number(field: Field, value: Any, at: str) -> int | str:
    number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
    least, beyond = BOUNDS[field.format]
    if type(number) is not int or not least <= number < beyond:
        raise InvalidValue(at, f"TYPE_{field.format.upper()}", _told(value))
    return str(number) if field.type == "string" else number


def _objects(field: Field, value: Any, into: Any, at: str) -> Iterator[tuple[Any, Any, str, str]]:
    """The objects in a value, what is made of each, and where they are."""
    if not field.innermost.schema:
        return
    if field.of is None:
        yield value, into, field.schema, at
        return
    for number, each in enumerate(value if isinstance(value, list) else [value]):
        yield each, into[number], field.of.schema, f"{at}[{number}]"


def _told(given: Any) -> str:
    """A value as errors quote it; of an object or a list, which may be nested too deep, that it is one."""
    if isinstance(given, dict | list):
        return f"Starting {'an object' if isinstance(given, dict) else 'a list'} on a scalar field"
    return f'"{given[:_SHOWN]}"' if isinstance(given, str) else orjson.dumps(given).decode()
