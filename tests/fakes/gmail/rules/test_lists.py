from __future__ import annotations

import pytest

from fakes.gmail.rules import mime
from fakes.gmail.rules.lists import Leaving, leaving
from tests.fakes.gmail.town import raw


def _leaving(offer: str, **more: str) -> Leaving | None:
    return leaving(mime.read(raw(From="n@shop.example", List_Unsubscribe=offer, **more)))


@pytest.mark.parametrize(
    ("offer", "way"),
    [
        ("<mailto:leave@shop.example>", Leaving("mailto", "leave@shop.example", "unsubscribe")),
        (
            "<https://shop.example/u>, <mailto:Leave@shop.example?subject=go%20away&body=now>",
            Leaving("mailto", "leave@shop.example", "go away", "now"),
        ),
        ("<https://shop.example/u>", Leaving("page", "https://shop.example/u")),
    ],
)
def test_a_list_is_left_as_it_offers(offer: str, way: Leaving) -> None:
    assert _leaving(offer) == way


def test_one_click_comes_first() -> None:
    offer = "<mailto:leave@shop.example>, <https://shop.example/u?id=1>"
    found = _leaving(offer, List_Unsubscribe_Post="List-Unsubscribe=One-Click")
    assert found == Leaving("https", "https://shop.example/u?id=1", text="List-Unsubscribe=One-Click")


@pytest.mark.parametrize(
    "offer",
    ["", "leave@shop.example", "<mailto:nobody>", "<javascript:x>", "<https://[>", "<mailto:a@b.example"],
)
def test_what_is_no_way_is_none(offer: str) -> None:
    assert _leaving(offer, List_Unsubscribe_Post="List-Unsubscribe=One-Click") is None
