"""Facts go into a bundle and come back as they were, and nothing else comes out of one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from harness import facts
from tests.harness.toy import Box

ROWS = {"toy_boxes": Box}


@dataclass(frozen=True)
class Place:
    """A nested dataclass."""

    street: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class Held:
    """Facts that hold a bit of everything."""

    box: Box
    places: dict[str, Place]
    maybe: Place | None
    values: list[Any]


def box(due: Any) -> Box:
    return Box(id="b", seq=1, label="Ümlaut", weight=None, due=due, fragile=True, closed_at=5)


def there_and_back(value: Any) -> Any:
    return facts.load(facts.dump(value), ROWS, Held)


def test_a_dataclass_of_rows_and_dataclasses_comes_back() -> None:
    place = Place("Main", (box(date(2025, 2, 28)), box(None)))
    held = Held(box=box(date(2025, 10, 21)), places={"a": place}, maybe=None, values=[place, (1, 2)])
    assert there_and_back(held) == held


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        0,
        0.0,
        False,
        True,
        1,
        2**70,
        "text",
        b"\x00\xff",
        date(2024, 2, 29),
        time(9, 30),
        Decimal("1.10"),
        datetime(2025, 1, 1, 9, 30, tzinfo=UTC),
        (1, (2,)),
        [1, [2]],
        {"$date": "no tag"},
        {1: "one", (1, 2): b"x"},
        frozenset({"a", "b"}),
        float("inf"),
    ],
)
def test_a_value_comes_back_as_itself_and_of_its_type(value: Any) -> None:
    back = there_and_back(value)
    assert back == value and type(back) is type(value)


def test_not_a_number_comes_back_as_not_a_number() -> None:
    assert math.isnan(there_and_back(float("nan")))


def test_a_broken_date_stays_the_text_it_was() -> None:
    assert there_and_back(box("soon")).due == "soon"


def test_a_tag_that_was_not_declared_is_refused() -> None:
    with pytest.raises(facts.FactsError, match="declared to hold"):
        facts.load('{"$data": "Popen", "values": {"args": "true"}}', ROWS, Held)
    with pytest.raises(facts.FactsError, match="declared to hold"):
        facts.load('{"$row": "people", "values": []}', ROWS, Held)


def test_what_facts_cannot_hold_is_refused() -> None:
    with pytest.raises(facts.FactsError, match="Facts can't hold"):
        facts.dump(object())
