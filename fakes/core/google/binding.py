"""What a query binds to: each name must be a parameter of the method, each value of its type.

All that is wrong is told at once, each place in its own line (the sentences are measured at
github.com/rapidwebltd/php-google-people-api/issues/25 and github.com/google/googleapis.dart/issues/109).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fakes.core.google.asked import NAMES, OF_UPLOADS
from fakes.core.google.errors import InvalidValue, Malformed, UnknownField
from fakes.core.google.methods import Method
from fakes.core.google.schemas import BOUNDS, Field, proto_name

TRUE, FALSE = frozenset({"true", "t", "yes", "y", "1"}), frozenset({"false", "f", "no", "n", "0"})
"""How a boolean may be spelled, in any case (measured: github.com/brekkylab/backlot/issues/339)."""
_NUMBER = re.compile(r"-?[0-9]{1,20}")


def check_query(method: Method, given: Iterable[tuple[str, str]], *, uploads: bool = False) -> None:
    """Sees to it that a method takes these parameters. Raises Malformed."""
    wrong = [each for name, value in given for each in _wrong(method, name, value, uploads)]
    if wrong:
        raise Malformed(*wrong)


def _wrong(method: Method, name: str, value: str, uploads: bool) -> Iterable[tuple[str, str]]:
    """What is wrong with a parameter, as places and sentences."""
    if name in NAMES or name in method.in_path or (uploads and name in OF_UPLOADS):
        return ()
    field = method.query.get(name)
    if field is None:
        return UnknownField(name[:80], why=_unbound(method, name[:80])).found
    kind = _kind(field.innermost)
    if kind is None or _fits(field.innermost, value):
        return ()
    return InvalidValue(proto_name(name), kind, f'"{value[:80]}"').found


def _unbound(method: Method, name: str) -> str:
    if name == method.body:
        told = f"'{name}' is a message type. Parameters can only be bound to primitive types."
    else:
        told = f"Field '{name}' could not be found in request message."
    return f"Cannot bind query parameter. {told}"


def _kind(field: Field) -> str | None:
    if field.type == "boolean":
        return "TYPE_BOOL"
    return f"TYPE_{field.format.upper()}" if field.format in BOUNDS else None


def _fits(field: Field, value: str) -> bool:
    if field.type == "boolean":
        return value.lower() in TRUE or value.lower() in FALSE
    least, beyond = BOUNDS[field.format]
    return bool(_NUMBER.fullmatch(value)) and least <= int(value) < beyond
