from __future__ import annotations

import httpx

from fakes.core.world import World
from fakes.gmail import store
from tests.fakes.gmail.town import Cast, raw


async def test_the_profile_counts(api: httpx.AsyncClient, world: World, cast: Cast) -> None:
    store.send(world, cast.mira, raw(To=cast.tom.email))
    assert (await api.get("profile")).json() == {
        "emailAddress": "mira@harborlight.example", "messagesTotal": 1, "threadsTotal": 1, "historyId": "2",
    }  # fmt: skip


async def test_system_labels_are_listed(api: httpx.AsyncClient) -> None:
    labels = {label["id"]: label for label in (await api.get("labels")).json()["labels"]}
    assert labels["INBOX"] == {"id": "INBOX", "name": "INBOX", "type": "system"}
    assert labels["TRASH"]["labelListVisibility"] == "labelHide"
    assert len(labels) == 14
