"""Facts and answers as tagged JSON: what a bundle keeps of them, read back by declared types and by nothing
else.

Plain JSON values stand for themselves; everything else is an object with one tag: {"$date": "2025-10-21"}. A
tag names a table or a dataclass that the declared facts type mentions, so a bundle can't make us build
anything else.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import typing
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from fakes.core.store import Row

Rows = Mapping[str, type[Row]]


class FactsError(ValueError):
    """A value that facts can't hold, or a tag that the declared facts type does not know."""


def dump(value: Any) -> str:
    """A value as tagged JSON text. Raises FactsError."""
    return json.dumps(_encode(value), ensure_ascii=False, allow_nan=False)


def load(text: str, rows: Rows, *types: Any) -> Any:
    """The value of tagged JSON text; `types` are the annotations in which dataclasses may be named."""
    known: dict[str, type[Any]] = {}
    for annotation in types:
        _collect(annotation, known)
    return _decode(json.loads(text), rows, known)


def _encode(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)) and type(value) in (bool, int, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, Row):
        return {"$row": value.__table__.name, "values": [_encode(item) for item in value.values().values()]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"$data": type(value).__qualname__, "values": fields}
    return _encode_other(value)


def _encode_other(value: Any) -> Any:
    match value:
        case list():
            return [_encode(item) for item in value]
        case tuple():
            return {"$tuple": [_encode(item) for item in value]}
        case frozenset() | set():
            return {"$set": sorted((_encode(item) for item in value), key=json.dumps)}
        case dict():
            return {"$dict": [[_encode(key), _encode(item)] for key, item in value.items()]}
        case bytes():
            return {"$bytes": base64.b64encode(value).decode()}
        case datetime():
            return {"$datetime": value.isoformat()}
        case date():
            return {"$date": value.isoformat()}
        case time():
            return {"$time": value.isoformat()}
        case Decimal():
            return {"$decimal": str(value)}
    raise FactsError(
        f"Facts can't hold {value!r}: use rows, dataclasses, dates, numbers, text, bytes, lists or dicts."
    )


_READERS: dict[str, Callable[[Any], Any]] = {
    "$float": float,
    "$bytes": base64.b64decode,
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
    "$decimal": Decimal,
}


def _decode(value: Any, rows: Rows, known: Mapping[str, type[Any]]) -> Any:
    if isinstance(value, list):
        return [_decode(item, rows, known) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), "")
    if tag in _READERS:
        return _READERS[tag](value[tag])
    if tag == "$tuple":
        return tuple(_decode(value[tag], rows, known))
    if tag == "$set":
        return frozenset(_decode(value[tag], rows, known))
    if tag == "$dict":
        return {_decode(key, rows, known): _decode(item, rows, known) for key, item in value[tag]}
    if tag == "$row" and value[tag] in rows:
        return rows[value[tag]].read(_decode(value["values"], rows, known))
    if tag == "$data" and value[tag] in known:
        return known[value[tag]](
            **{name: _decode(item, rows, known) for name, item in value["values"].items()}
        )
    raise FactsError(f"{tag} {value.get(tag)!r} is nothing that these facts are declared to hold.")


def _collect(annotation: Any, known: dict[str, type[Any]]) -> None:
    for inner in typing.get_args(annotation):
        _collect(inner, known)
    if not (isinstance(annotation, type) and dataclasses.is_dataclass(annotation)) or issubclass(
        annotation, Row
    ):
        return
    if annotation.__qualname__ not in known:
        known[annotation.__qualname__] = annotation
        for hint in typing.get_type_hints(annotation).values():
            _collect(hint, known)
