"""A task's answer as a form: its fields, and what becomes of what is filled in."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from harness.portal.answer_form import fields_of, values_of


class Line(BaseModel):
    """A line with its amount."""

    number: int
    cents: int


class Found(BaseModel):
    """What was found."""

    who: str
    note: str | None
    cents: int = Field(description="In cents.")
    share: float | None = None
    due_by: date
    ours: bool
    state: Literal["open", "closed"]
    numbers: list[int]
    lines: list[Line]


FILLED = {
    "who": " Dana ", "note": "", "cents": "1200", "share": "", "due_by": "2025-10-26", "ours": "no",
    "state": "open", "numbers": "1\n\n 2 \n", "lines": '[{"number": 1, "cents": 2}]',
}  # fmt: skip


def test_each_value_has_a_field_of_its_kind() -> None:
    fields = {field.name: field for field in fields_of(Found)}
    assert {name: field.kind for name, field in fields.items()} == {
        "who": "text", "note": "text", "cents": "number", "share": "number", "due_by": "date",
        "ours": "choice", "state": "choice", "numbers": "lines", "lines": "json",
    }  # fmt: skip
    assert [name for name, field in fields.items() if field.optional] == ["note", "share"]
    assert (fields["ours"].options, fields["state"].options) == (("yes", "no"), ("open", "closed"))
    assert (fields["due_by"].label, fields["cents"].hint, fields["numbers"].hint) == (
        "Due by", "In cents.", "One a line.",
    )  # fmt: skip


def test_what_is_filled_in_becomes_plain_values() -> None:
    assert values_of(Found, FILLED) == (
        {
            "who": "Dana", "note": None, "cents": 1200, "share": None, "due_by": "2025-10-26", "ours": False,
            "state": "open", "numbers": [1, 2], "lines": [{"number": 1, "cents": 2}],
        },
        {},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "value", "problem"),
    [
        ("who", "", "", None),
        ("note", "-", "-", None),
        ("cents", "", ..., "Field required"),
        ("cents", "0", 0, None),
        ("cents", "12.5", 12.5, "valid integer"),
        ("cents", "a lot", "a lot", "valid integer"),
        ("share", "nan", pytest.approx(float("nan"), nan_ok=True), None),
        ("due_by", "", ..., "Field required"),
        ("ours", "", ..., "Field required"),
        ("state", "", ..., "Field required"),
        ("numbers", "", [], None),
        ("numbers", "one", ["one"], "valid integer"),
        ("lines", "{", "{", "valid list"),
    ],
)
def test_a_blank_is_told_from_nothing_and_from_naught(
    name: str, text: str, value: Any, problem: str | None
) -> None:
    values, errors = values_of(Found, FILLED | {name: text})
    assert values.get(name, ...) == value
    assert list(errors) == ([name] if problem else []) and (problem or "") in errors.get(name, "")
