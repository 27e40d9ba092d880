"""A product that tells others: over HTTP what is of kind `call`, and the service `ear` inside its world."""

from __future__ import annotations

from typing import Any

import orjson

from fakes.core import outbox
from fakes.core.outbox import NotSendable, Outgoing, Post, Stamp
from fakes.core.seeding import build_base
from fakes.core.service import Service
from fakes.core.world import Genesis, World, open_world

from .conftest import AT, Note, add_note

SECRET = b"s" * 32


def to_call(world: World, row: Outgoing, stamp: Stamp) -> Post:
    """A POST with the delivery's id, unless the payload wants it otherwise."""
    if row.payload.get("kept"):
        raise NotSendable("Nobody listens any more.")
    if row.payload.get("broken"):
        raise RuntimeError("no such field")
    headers = {"X-Delivery": stamp.delivery, "X-Wall": str(stamp.wall_ms)}
    return Post(row.receiver, headers, orjson.dumps({"id": stamp.delivery, **row.payload}))


def hear(world: World, row: Outgoing) -> None:
    """Writes down what it is told; fails until the note `awake` is there, or for ever."""
    with world.tx() as tx:
        add_note(tx, world, text=row.payload["said"])
    if row.payload.get("deaf") or (row.payload.get("asleep") and not _awake(world)):
        raise RuntimeError("did not listen")


def _awake(world: World) -> bool:
    return world.one(Note, "WHERE text = 'awake'") is not None


voice = Service(
    name="voice", title="Voice", summary="Tells.", kind="site", tables=(Note,), routes=list,
    sends={"call": to_call},
)  # fmt: skip
ear = Service(
    name="ear", title="Ear", summary="Listens.", kind="site", tables=(), routes=list, takes={"word": hear}
)
SERVICES = {"voice": voice, "ear": ear}
IMAGE = build_base(SERVICES, Genesis(seed=1, secret=SECRET, at_ms=AT), lambda w: None).image


def telling_world(name: str = "main") -> World:
    """A world of both services, in memory."""
    return open_world(name, SERVICES, image=IMAGE)


def tell(world: World, receiver: str, topic: str = "", kind: str = "call", **payload: Any) -> Outgoing:
    """Puts something into the outbox, in a transaction with a note that causes it."""
    with world.tx() as tx:
        add_note(tx, world, text="cause")
        return outbox.put(
            tx, service="voice", kind=kind, receiver=receiver, topic=topic, created_at=world.now(),
            payload=payload,
        )  # fmt: skip
