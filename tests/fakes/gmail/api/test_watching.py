"""users.watch and users.stop, and what a topic is told."""

from __future__ import annotations

import base64
from typing import Any

import httpx
import orjson
import pytest

from fakes.core import outbox
from fakes.core.outbox import Outgoing, Stamp
from fakes.core.world import World
from fakes.gmail import store
from fakes.gmail.store import pushing
from tests.fakes.gmail.api.asking import received, refused, told
from tests.fakes.gmail.town import MORNING, Cast, raw

TOPIC = "projects/harbor-light/topics/mail"
WEEK = 7 * 24 * 3_600_000


async def _watch(api: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    return told(await api.post("watch", json={"topicName": TOPIC, **more}))


async def test_each_change_is_told(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    made = await _watch(api)
    assert made == {"historyId": "1", "expiration": str(MORNING + WEEK)}
    mail = received(world, cast, Subject="Hi")
    store.mark_read(world, cast.mira.id, [mail.id])
    first, second = world.all(Outgoing)
    assert (first.kind, first.receiver) == ("push", TOPIC)
    assert first.payload == {"emailAddress": cast.mira.email, "historyId": "2"}
    assert second.payload["historyId"] == told(await api.get("profile"))["historyId"]
    assert (await api.post("stop")).status_code == 204
    received(world, cast, Subject="Again")
    assert world.count(Outgoing) == 2


async def test_who_does_not_watch_is_told_nothing(world: World, cast: Cast) -> None:
    received(world, cast)
    assert not world.all(Outgoing)


async def test_a_watch_ends_after_a_week_and_can_be_renewed(
    api: httpx.AsyncClient, world: World, cast: Cast
) -> None:
    await _watch(api)
    world.advance(MORNING + WEEK - 1)
    received(world, cast)
    world.advance(MORNING + WEEK)
    received(world, cast)
    assert world.count(Outgoing) == 1
    store.watch(world, cast.mira, TOPIC, [], "include")
    received(world, cast)
    assert world.count(Outgoing) == 2


@pytest.mark.parametrize(
    ("filter", "counts"),
    [
        ({"labelIds": ["STARRED"]}, [0, 1, 1]),
        ({"labelIds": ["INBOX"], "labelFilterBehavior": "exclude"}, [0, 0, 1]),
        ({"labelIds": ["INBOX"], "labelFilterAction": "include"}, [1, 2, 2]),
    ],
)
async def test_labels_narrow_what_is_told(
    api: httpx.AsyncClient, world: World, cast: Cast, filter: dict[str, Any], counts: list[int]
) -> None:
    await _watch(api, **filter)
    mail = received(world, cast)
    seen = [world.count(Outgoing)]
    store.relabel(world, cast.mira.id, [mail.id], add=["STARRED"])
    seen.append(world.count(Outgoing))
    store.send(world, cast.mira, raw(To=cast.tom.email))
    assert [*seen, world.count(Outgoing)] == counts


async def test_a_topic_that_leads_somewhere_is_pushed_to(
    api: httpx.AsyncClient, world: World, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _watch(api)
    received(world, cast)
    [row] = world.all(Outgoing)
    stamp = Stamp("abc", 0)
    with pytest.raises(outbox.NotSendable, match="Nobody is subscribed"):
        pushing.post(world, row, stamp)
    monkeypatch.setenv(
        pushing.VARIABLE, f"projects/x/topics/y=http://127.0.0.1:1/, {TOPIC}=http://127.0.0.1:3000/push"
    )
    post = pushing.post(world, row, stamp)
    assert post.url == "http://127.0.0.1:3000/push"
    message = orjson.loads(post.content)["message"]
    assert orjson.loads(base64.b64decode(message["data"])) == row.payload
    assert message["publishTime"] == "2025-10-21T13:30:00.000Z"
    assert outbox.view(world, row.id).state == "waiting"


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "topicName required"),
        ({"topicName": "mail"}, "Invalid topicName does not match projects/"),
        ({"topicName": TOPIC, "labelIds": ["NOPE"]}, "Invalid label: NOPE"),
        ({"topicName": TOPIC, "labelFilterBehavior": "only"}, "Invalid value at 'label_filter_behavior'"),
    ],
)
async def test_wrong_watches_are_refused(
    api: httpx.AsyncClient, world: World, body: dict[str, Any], sentence: str
) -> None:
    before = world.state_hash()
    assert refused(await api.post("watch", json=body)).startswith(sentence)
    assert world.state_hash() == before


async def test_one_topic_is_told_at_a_time(api: httpx.AsyncClient) -> None:
    await _watch(api)
    assert (await _watch(api))["expiration"]
    answer = await api.post("watch", json={"topicName": TOPIC + "2"})
    assert refused(answer).startswith("Only one user push notification client allowed per developer")
    await api.post("stop")
    assert (await api.post("stop")).status_code == 204
    told(await api.post("watch", json={"topicName": TOPIC + "2"}))
