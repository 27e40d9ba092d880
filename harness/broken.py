"""Broken values: what probes put in the place of a right one, according to its type."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from fakes.core.store import SqlValue

DAY_MS = 86_400_000


def broken(name: str, kind: type, value: SqlValue, today: date) -> list[tuple[str, SqlValue]]:
    """Other values for a column, each with what it is called: near misses, NULL, blank."""
    nulled: list[tuple[str, SqlValue]] = [] if value is None else [("nulled", None)]
    match value:
        case None:
            given: dict[type, SqlValue] = {str: "x", int: 1, bool: 1, float: 1.0, bytes: b"x"}
            return [("filled in", given.get(kind, today.isoformat()))]
        case str() if kind is date:
            days = [("a day early", -1), ("a day late", 1)] if _is_date(value) else []
            moved = [(said, (date.fromisoformat(value) + timedelta(days=n)).isoformat()) for said, n in days]
            return [*moved, *nulled, ("blank", "")]
        case str() if name.endswith("_json"):
            return [("emptied", "[]" if value.startswith("[") else "{}"), *nulled]
        case str():
            case = [("in another case", value.swapcase())] if value.swapcase() != value else []
            near = [("with more", f"{value}x"), ("with a beginning", f"x{value}"), *case]
            return [*near, *nulled, ("blank", "")]
        case int() if kind is bool:
            return [("the other way round", 1 - value), *nulled]
        case int() if name.endswith("_at"):
            return [("a day early", value - DAY_MS), ("a day late", value + DAY_MS), *nulled]
        case int() | float():
            return [("one more", value + 1), ("zero", 0), *nulled]
        case bytes():
            return [("otherwise", value + b"x"), ("empty", b""), *nulled]
    return nulled


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def other_answers(value: Any) -> list[tuple[str, Any]]:
    """Other values for a field of an answer, each with what it is called."""
    missing = [("nulled", None), ("NaN", float("nan")), ("zero", 0), ("blank", "")]
    match value:
        case bool():
            other: list[tuple[str, Any]] = [("the other way round", not value)]
        case int() | float():
            other = [("one more", value + 1)]
        case date():
            other = [("a day late", value + timedelta(days=1))]
        case str():
            other = [("otherwise", f"{value}x")]
        case list() | tuple():
            other = [("without its last", value[:-1]), ("empty", [])]
        case _:
            other = []
    return other + [(label, held) for label, held in missing if held != value]
