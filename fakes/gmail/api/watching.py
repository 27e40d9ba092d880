"""users.watch and users.stop: a topic that is told of each change."""

from __future__ import annotations

from typing import Any

from fakes.gmail import store
from fakes.gmail.api.calls import Call


async def watch(call: Call) -> dict[str, Any]:
    """users.watch: until when changes are told, and the newest history id."""
    given = await call.json()
    behavior = given.get("labelFilterBehavior") or given.get("labelFilterAction") or "include"
    topic, labels = given.get("topicName", ""), given.get("labelIds", [])
    made = store.watch(call.world, call.person, topic, labels, behavior)
    history_id = store.mailbox_of(call.world, call.person.id).history_id
    return {"historyId": str(history_id), "expiration": str(made.expires_at)}


async def stop(call: Call) -> None:
    """users.stop: nothing is told any more, nor was before."""
    store.stop_watching(call.world, call.person.id)


FAKED = {"users.stop": stop, "users.watch": watch}
