"""Push notifications: a Pub/Sub topic is told of each change in a mailbox, in the transaction that made it
(developers.google.com/workspace/gmail/api/guides/push; the envelope: github.com/byeokim/gmailpush/issues/4).

`PARACOSM_TOPICS=projects/p/topics/mail=http://127.0.0.1:3000/push` says where the messages of a topic are
pushed to, with commas between several; those of any other topic are kept in the outbox.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import orjson

from fakes.core import outbox
from fakes.core.clock import utc
from fakes.core.outbox import NotSendable, Outgoing, Post, Stamp
from fakes.core.people import Person
from fakes.gmail.rules.labels import INTERNAL
from fakes.gmail.schema import Message, Watch
from fakes.gmail.store.mailbox import labels_of

if TYPE_CHECKING:
    from fakes.core.journal import Tx
    from fakes.core.world import World

VARIABLE = "PARACOSM_TOPICS"
KIND = "push"
Noted = tuple[Message, tuple[str, ...]]
"""A message, and the labels that were put on it or taken off; all it had, where it came or went."""


def watch_of(world: World, owner: str) -> Watch | None:
    """Who is told of this mailbox's changes now."""
    found = world.get(Watch, owner)
    return found if found is not None and found.expires_at > world.now() else None


def tell(tx: Tx, world: World, owner: str, history_id: int, noted: Sequence[Noted]) -> None:
    """Puts a notification into the outbox, if somebody watches what changed."""
    found = watch_of(world, owner)
    person = world.get(Person, owner) if found is not None else None
    if found is None or person is None or not _is_watched(world, found, noted):
        return
    payload = {"emailAddress": person.email, "historyId": str(history_id)}
    outbox.put(
        tx, service="gmail", kind=KIND, receiver=found.topic, topic=person.email, created_at=world.now(),
        payload=payload,
    )  # fmt: skip


def _is_watched(world: World, found: Watch, noted: Sequence[Noted]) -> bool:
    """Whether one of the changes is told: none of the mailbox's own marks, and by the labels asked for."""
    told = [each for each in noted if not each[1] or set(each[1]) - INTERNAL]
    wanted = set(found.labels.split())
    if not wanted or not told:
        return bool(told)
    has = labels_of(world, [message.id for message, _ in told])
    hits = [bool(wanted & {*changed, *has[message.id]}) for message, changed in told]
    return any(hits) if found.behavior == "include" else not all(hits)


def post(world: World, row: Outgoing, stamp: Stamp) -> Post:
    """A notification as Pub/Sub pushes it. Raises NotSendable where the topic leads nowhere."""
    url = _targets().get(row.receiver)
    if url is None:
        raise NotSendable(
            f"Nobody is subscribed to {row.receiver!r}. Start the server with "
            f"{VARIABLE}={row.receiver}=http://127.0.0.1:3000/push to have it pushed there."
        )
    project = row.receiver.split("/")[1]
    at = utc(row.created_at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    message = {
        "data": base64.b64encode(row.payload_json.encode()).decode(),
        "messageId": str(row.id), "message_id": str(row.id), "publishTime": at, "publish_time": at,
    }  # fmt: skip
    body = {"message": message, "subscription": f"projects/{project}/subscriptions/{stamp.delivery[:8]}"}
    return Post(url, {"Content-Type": "application/json"}, orjson.dumps(body))


def _targets() -> dict[str, str]:
    """Where the messages of each topic go."""
    pairs = (part.strip().partition("=") for part in os.environ.get(VARIABLE, "").split(","))
    return {topic: url for topic, _, url in pairs if url}
