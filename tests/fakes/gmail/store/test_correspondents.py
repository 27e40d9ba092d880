from __future__ import annotations

import pytest

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.town import Cast, raw


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("le", ["lena@harborlight.example"]),
        ("FISCH", ["lena@harborlight.example"]),
        ("dan", ["dana@out.example"]),
        ("out", ["dana@out.example"]),
        ("harbor", ["tom@harborlight.example", "mira@harborlight.example", "lena@harborlight.example"]),
        ("ena", []),
        (" ", []),
    ],
)
def test_people_are_found_by_how_their_words_begin(
    lone_world: World, cast: Cast, typed: str, found: list[str]
) -> None:
    store.send(lone_world, cast.mira, raw(To=f"{cast.tom.email}, dana@out.example"))
    store.send(lone_world, cast.tom, raw(To=cast.lena.email, Cc="hidden@out.example"))
    assert [each.email for each in store.correspondents(lone_world, cast.mira, typed)] == found


def test_no_more_are_told_than_asked_for(lone_world: World, cast: Cast) -> None:
    many = ", ".join(f"d{n}@out.example" for n in range(20))
    store.send(lone_world, cast.mira, raw(To=many))
    assert len(store.correspondents(lone_world, cast.mira, "d", limit=5)) == 5
