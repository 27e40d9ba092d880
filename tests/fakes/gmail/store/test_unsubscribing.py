from __future__ import annotations

import pytest

from fakes.core.outbox import Outgoing
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.errors import NotFound
from fakes.gmail.schema import Message, Unsubscription
from tests.fakes.gmail.town import Cast, raw


def _bulk(world: World, cast: Cast, **headers: str) -> Message:
    store.send(world, cast.tom, raw("Buy!", To=cast.mira.email, Subject="Offers", **headers))
    return world.all(Message, "WHERE owner = ? ORDER BY seq DESC LIMIT 1", (cast.mira.id,))[0]


def test_a_list_is_left_by_the_mail_that_it_asks_for(lone_world: World, cast: Cast) -> None:
    message = _bulk(lone_world, cast, List_Unsubscribe="<mailto:leave@shop.example?subject=go>")
    left = store.unsubscribe(lone_world, cast.mira, message)
    assert (left.way, left.target, left.sender) == ("mailto", "leave@shop.example", cast.tom.email)
    [sent] = lone_world.all(Outgoing)
    assert (sent.kind, sent.receiver, sent.payload["subject"]) == ("mail", "leave@shop.example", "go")


def test_a_list_is_left_by_one_click_once(lone_world: World, cast: Cast) -> None:
    message = _bulk(
        lone_world, cast, List_Unsubscribe="<https://shop.example/u>",
        List_Unsubscribe_Post="List-Unsubscribe=One-Click",
    )  # fmt: skip
    left = store.unsubscribe(lone_world, cast.mira, message)
    assert store.unsubscribe(lone_world, cast.mira, message) == left
    [sent] = lone_world.all(Outgoing)
    assert (sent.kind, sent.receiver) == ("unsubscribe", "https://shop.example/u")
    assert sent.payload["body"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("headers", [{}, {"List_Unsubscribe": "<https://shop.example/u>"}])
def test_a_mail_that_offers_no_way_is_refused(lone_world: World, cast: Cast, headers: dict[str, str]) -> None:
    with pytest.raises(NotFound):
        store.unsubscribe(lone_world, cast.mira, _bulk(lone_world, cast, **headers))
    assert not lone_world.count(Unsubscription)
