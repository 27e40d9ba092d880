from __future__ import annotations

from typing import Any

import pytest

from fakes.core.google.errors import InvalidFields
from fakes.core.google.fields import mask_for, masked, parsed
from fakes.core.google.schemas import TEXT, Schema, many, ref

SCHEMAS = {
    "Shelf": Schema("Books.", {"books": many(ref("Book")), "next": TEXT}),
    "Book": Schema(
        "A book.", {"id": TEXT, "title": TEXT, "writer": ref("Person"), "parts": many(ref("Book"))}
    ),
    "Person": Schema("Somebody.", {"id": TEXT, "name": TEXT}),
}
BOOK = {"id": "1", "title": "T", "writer": {"id": "7", "name": "N"}, "parts": [{"id": "2", "title": "P"}]}
SHELF = {"books": [BOOK], "next": "n"}


def left(mask: str, value: Any = SHELF) -> Any:
    """What a mask leaves of the shelf."""
    return masked(mask_for(mask, SCHEMAS, "Shelf"), value)


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("next", {"next": "n"}),
        (" next ", {"next": "n"}),
        ("books/id,next", {"books": [{"id": "1"}], "next": "n"}),
        ("books.id", {"books": [{"id": "1"}]}),
        ("books(id,title)", {"books": [{"id": "1", "title": "T"}]}),
        ("books(id, writer/name), next", {"books": [{"id": "1", "writer": {"name": "N"}}], "next": "n"}),
        ("books(writer(id,name))", {"books": [{"writer": {"id": "7", "name": "N"}}]}),
        ("books/parts(id)", {"books": [{"parts": [{"id": "2"}]}]}),
        ("books/parts/parts/id", {"books": [{"parts": [{}]}]}),
        ("books(id),books(title)", {"books": [{"id": "1", "title": "T"}]}),
        ("books/id,books", {"books": [BOOK]}),
        ("*", SHELF),
        ("books/*", {"books": [BOOK]}),
        ("books/*/name", {"books": [{"writer": {"name": "N"}, "parts": [{}]}]}),
        ("*/id", {"books": [{"id": "1"}]}),
        ("books(*/id,title)", {"books": [{"title": "T", "writer": {"id": "7"}, "parts": [{"id": "2"}]}]}),
        ('"next","books"/\'id\'', {"books": [{"id": "1"}], "next": "n"}),
    ],
)
def test_a_mask_leaves_what_it_names(mask: str, expected: Any) -> None:
    assert left(mask) == expected


@pytest.mark.parametrize(
    ("mask", "path"),
    [
        ("nope", "nope"),
        ("books/nope", "books.nope"),
        ("books(id,writer(nope))", "books.writer.nope"),
        ("next/id", "next.id"),
        ("*/nope", "*.nope"),
        ("Books", "Books"),
        ("books/parts/parts/nope", "books.parts.parts.nope"),
    ],
)
def test_a_name_that_no_answer_has_is_refused(mask: str, path: str) -> None:
    with pytest.raises(InvalidFields) as raised:
        left(mask)
    told = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
    assert raised.value.details()[0]["fieldViolations"] == [{"field": mask, "description": told}]


@pytest.mark.parametrize(
    "mask",
    [
        "", ",", "next,", ",next", "next,,books", "books(", "books(id", "books)", "books()", "(id)", "books/",
        "/books", "books id", "books(id)next", "books(id)/title", '"next', '""', "books((id))",
        "books/" + "parts/" * 200 + "id", "(" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_mask_is_refused(mask: str) -> None:
    with pytest.raises(InvalidFields):
        parsed(mask)


def test_a_field_that_is_missing_is_no_matter() -> None:
    assert left("books/writer/name", {"books": [{"id": "1"}, {"parts": []}]}) == {"books": [{}, {}]}
