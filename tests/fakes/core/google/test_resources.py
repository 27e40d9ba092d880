from __future__ import annotations

from typing import Any

import pytest

from fakes.core.google.errors import Malformed
from fakes.core.google.resources import MOST_TOLD, resource
from fakes.core.google.schemas import BYTES, FLAG, INT32, INT64, TEXT, Schema, many, one_of, ref

SCHEMAS = {
    "Book": Schema("A book.", {
        "title": TEXT, "pageCount": INT32, "soldAt": INT64, "isNew": FLAG, "cover": BYTES, "tags": many(TEXT),
        "kind": one_of("novel", "poem"), "mainWriter": ref("Person"), "parts": many(ref("Book")),
    }),
    "Person": Schema("Somebody.", {"fullName": TEXT}),
}  # fmt: skip


def read(given: dict[str, Any]) -> dict[str, Any]:
    """A book, read."""
    return resource(given, SCHEMAS, "Book", "book")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {}),
        ({"title": None, "tags": []}, {"tags": []}),
        ({"page_count": 3, "is_new": True}, {"pageCount": 3, "isNew": True}),
        ({"pageCount": "3", "soldAt": 5, "isNew": "false"}, {"pageCount": 3, "soldAt": "5", "isNew": False}),
        ({"tags": "one"}, {"tags": ["one"]}),
        ({"kind": "poem", "cover": "aGk="}, {"kind": "poem", "cover": "aGk="}),
        ({"mainWriter": {"full_name": "N"}}, {"mainWriter": {"fullName": "N"}}),
        ({"parts": [{"title": "P"}, {}]}, {"parts": [{"title": "P"}, {}]}),
        ({"parts": {"parts": {"title": "P"}}}, {"parts": [{"parts": [{"title": "P"}]}]}),
    ],
)
def test_a_resource_is_read_as_its_schema_says(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert read(given) == expected


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"nope": 1}, "Invalid JSON payload received. Unknown name \"nope\" at 'book': Cannot find field."),
        ({"title": 1}, "Invalid value at 'book.title' (TYPE_STRING), 1"),
        ({"title": {}}, "Invalid value at 'book.title' (TYPE_STRING), Starting an object on a scalar field"),
        (
            {"title": []},
            "Invalid JSON payload received. Unknown name \"title\" at 'book': "
            "Proto field is not repeating, cannot start list.",
        ),
        ({"pageCount": True}, "Invalid value at 'book.page_count' (TYPE_INT32), true"),
        ({"pageCount": 1 << 31}, "Invalid value at 'book.page_count' (TYPE_INT32), 2147483648"),
        ({"pageCount": 1.5}, "Invalid value at 'book.page_count' (TYPE_INT32), 1.5"),
        ({"soldAt": "9" * 40}, f"Invalid value at 'book.sold_at' (TYPE_INT64), \"{'9' * 40}\""),
        ({"isNew": "maybe"}, "Invalid value at 'book.is_new' (TYPE_BOOL), \"maybe\""),
        ({"isNew": 1}, "Invalid value at 'book.is_new' (TYPE_BOOL), 1"),
        ({"cover": 7}, "Invalid value at 'book.cover' (TYPE_BYTES), 7"),
        ({"kind": "NOVEL"}, "Invalid value at 'book.kind' (TYPE_ENUM), \"NOVEL\""),
        ({"tags": ["a", 7]}, "Invalid value at 'book.tags[1]' (TYPE_STRING), 7"),
        ({"mainWriter": "N"}, "Invalid value at 'book.main_writer' (TYPE_MESSAGE), \"N\""),
        (
            {"parts": [{}, {"nope": 1}]},
            "Invalid JSON payload received. Unknown name \"nope\" at 'book.parts[1]': Cannot find field.",
        ),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(Malformed) as raised:
        read(given)
    assert raised.value.message == told


def test_all_that_is_wrong_is_told_at_once_up_to_a_bound() -> None:
    with pytest.raises(Malformed) as raised:
        read({"nope": 1, "title": 1, "parts": [{"kind": "x"}]})
    assert [place for place, _ in raised.value.found] == ["book", "book.title", "book.parts[0].kind"]
    with pytest.raises(Malformed) as raised:
        read({f"n{number}": 1 for number in range(1000)})
    assert len(raised.value.found) == MOST_TOLD


def test_what_is_nested_deep_costs_no_stack() -> None:
    given: dict[str, Any] = {"title": "innermost"}
    for _ in range(50_000):
        given = {"parts": [given]}
    found = read(given)
    for _ in range(50_000):
        found = found["parts"][0]
    assert found == {"title": "innermost"}
