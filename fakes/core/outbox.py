"""What leaves a world, or comes later: committed with its cause, delivered at least once.

`put` writes an `outbox` row in the transaction of what caused it, and that row never changes. How far its
delivery has come stands beside it, in tables that are neither judged nor hashed nor journaled: a world holds
the same state whether anything was sent or not.

Deliveries keep their order per receiver and topic, a *lane*: one waits until those before it were taken or
given up. What was given up is a dead letter, and its lane goes on without it: the receiver hears of later
events, and whoever mended it sends the dead letter again. The kinds that a service `sends` go to real
receivers, by the wall clock, while a pump is on (`pump`). What is for a service inside goes by the run clock,
as planned work. Anything else, such as mail to people outside, is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import orjson

from fakes.core import agenda
from fakes.core.store import Row

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.core.journal import Tx
    from fakes.core.world import World

SERVICE = "outbox"
INSIDE = "inside:"

State = Literal["waiting", "delivered", "dead", "kept"]
STATES: tuple[State, ...] = ("waiting", "delivered", "dead", "kept")


class Outgoing(Row, table="outbox", key="id"):
    """Something for a receiver outside its service. Those of one receiver and topic arrive in order."""

    id: int
    service: str
    kind: str
    receiver: str
    topic: str
    created_at: int
    payload_json: str

    @property
    def payload(self) -> dict[str, Any]:
        """What the cause handed over."""
        loaded: dict[str, Any] = orjson.loads(self.payload_json)
        return loaded


class Delivery(
    Row,
    table="deliveries",
    key="id",
    indexes=("state, lane, id", "lane, state, id"),
    journaled=False,
    judged=False,
    hashed=False,
):
    """How far an outgoing row has come. `due_ms` is by the wall clock, inside the world by the run clock.

    `stamp` is the id that the receiver gets, the same with each attempt. It is drawn with the first, so that
    neither another world's event nor one after a reset ever has it too.
    """

    id: int
    lane: str
    state: State
    failures: int
    due_ms: int
    stamp: str | None
    why: str | None


class DeliveryAttempt(
    Row, table="delivery_attempts", key=("delivery", "n"), journaled=False, judged=False, hashed=False
):
    """One attempt; `at` is by the run clock, the others by the wall clock (UTC ms; 0 inside the world).

    `ended_wall_ms` is None while it lasts, or when it was cut off: then nobody knows whether the receiver got
    it. `answer` is the beginning of what came back.
    """

    delivery: int
    n: int
    began_wall_ms: int
    ended_wall_ms: int | None
    at: int
    status: int | None
    error: str | None
    answer: str | None


TABLES: tuple[type[Row], ...] = (Outgoing, Delivery, DeliveryAttempt)


class UnknownDelivery(LookupError):
    """There is no outgoing row with this number."""


class NotSendable(Exception):
    """What can't be sent, or not again; the sentence says why."""


@dataclass(frozen=True)
class Stamp:
    """What an attempt is marked with: the delivery's id, and the wall clock (UTC ms) that receivers check."""

    delivery: str
    wall_ms: int


@dataclass(frozen=True)
class Post:
    """A delivery as HTTP: what a service makes of an outgoing row, signed in its own way."""

    url: str
    headers: dict[str, str]
    content: bytes


@dataclass(frozen=True)
class DeliveryView:
    """An outgoing row and how far it has come. Its state is "sending" while an attempt lasts; `due_ms` is
    given while it waits.
    """

    outgoing: Outgoing
    state: State | Literal["sending"]
    failures: int
    due_ms: int | None
    stamp: str | None
    why: str | None
    attempts: tuple[DeliveryAttempt, ...]


def put(
    tx: Tx,
    *,
    service: str,
    kind: str,
    receiver: str,
    created_at: int,
    payload: dict[str, Any],
    topic: str = "",
) -> Outgoing:
    """Keeps an effect for `receiver` in the transaction of its cause.

    `inside:NAME` as receiver is the service NAME of this world; it takes the kinds in its manifest's `takes`.
    """
    row = tx.insert(Outgoing(
        id=tx.seq("outbox"), service=service, kind=kind, receiver=receiver, topic=topic,
        created_at=created_at, payload_json=orjson.dumps(payload).decode(),
    ))  # fmt: skip
    inside = receiver.startswith(INSIDE)
    if inside or sender(tx.world, row) is not None:
        tx.insert(Delivery(
            id=row.id, lane=f"{receiver}\n{topic}", state="waiting", failures=0, due_ms=0, stamp=None,
            why=None,
        ))  # fmt: skip
    if inside:
        plan(tx, row, created_at)
    return row


def sender(world: World, row: Outgoing) -> Callable[[World, Outgoing, Stamp], Post] | None:
    """What makes an HTTP delivery of this row; None where it is kept."""
    service = world.services.get(row.service)
    return service.sends.get(row.kind) if service is not None else None


def why_kept(world: World, row: Outgoing) -> str:
    """The sentence for what nobody sends."""
    service = world.services.get(row.service)
    return f"{service.title if service else row.service} sends nothing of kind {row.kind!r}: it is kept here."


def plan(tx: Tx, row: Outgoing, due_at: int) -> None:
    """Plans an attempt inside the world."""
    payload = {"id": row.id}
    agenda.schedule(tx, service=SERVICE, kind="deliver", ref=str(row.id), due_at=due_at, payload=payload)


# what became of it


def deliveries(
    world: World, *, limit: int = 100, before: int | None = None, state: str | None = None
) -> list[DeliveryView]:
    """Outgoing rows with their attempts, newest first: below number `before`, in a stored state, if given."""
    narrowed, params = (" AND coalesce(d.state, 'kept') = ?", (state,)) if state else ("", ())
    sql = f"""SELECT o.id FROM outbox o LEFT JOIN deliveries d ON d.id = o.id
    WHERE o.id < ?{narrowed} ORDER BY o.id DESC LIMIT ?"""
    found = world.select(sql, (2**62 if before is None else before, *params, limit))
    return [view(world, id) for (id,) in found]


def deliveries_to(
    world: World, receiver: str, topics: str = "", *, limit: int = 100, before: int | None = None
) -> list[DeliveryView]:
    """What goes, or went, to one receiver, newest first; only topics that begin with `topics`."""
    first = f"{receiver}\n{topics}"
    sql = """SELECT d.id FROM deliveries d JOIN outbox o ON o.id = d.id
    WHERE d.lane >= ? AND d.lane < ? AND d.id < ? ORDER BY d.id DESC LIMIT ?"""
    last = first + "\U0010ffff"
    found = world.select(sql, (first, last, 2**62 if before is None else before, limit))
    return [view(world, id) for (id,) in found]


def dead(world: World) -> list[DeliveryView]:
    """The dead letters, newest first."""
    return deliveries(world, limit=2**31, state="dead")


def view(world: World, id: int) -> DeliveryView:
    """One outgoing row. Raises UnknownDelivery."""
    outgoing, delivery = world.get(Outgoing, id), world.get(Delivery, id)
    if outgoing is None:
        raise UnknownDelivery(f"World {world.name!r} has no delivery {id}.")
    if delivery is None:
        return DeliveryView(outgoing, "kept", 0, None, None, why_kept(world, outgoing), ())
    return DeliveryView(
        outgoing,
        "sending" if id in world.in_flight else delivery.state,
        delivery.failures,
        delivery.due_ms if delivery.state == "waiting" else None,
        delivery.stamp,
        delivery.why,
        tuple(world.all(DeliveryAttempt, "WHERE delivery = ? ORDER BY n", (id,))),
    )


def resend(world: World, id: int) -> DeliveryView:
    """Puts a delivery back into its lane, due at once, whatever became of it; its stamp stays.

    Raises UnknownDelivery, and NotSendable for what is on its way or what nobody sends.
    """
    found, delivery = view(world, id), world.get(Delivery, id)
    if found.state == "sending":
        raise NotSendable(f"Delivery {id} is being sent at this moment. Wait for what comes of it.")
    if delivery is None:
        raise NotSendable(f"Delivery {id} can't be sent. {found.why}")
    with world.tx() as tx:
        tx.update(delivery, state="waiting", failures=0, due_ms=0, why=None)
        if found.outgoing.receiver.startswith(INSIDE):
            agenda.cancel(tx, world, service=SERVICE, kind="deliver", ref=str(id))
            plan(tx, found.outgoing, world.now())
    world.tell(frozenset({Delivery.__table__.name}))
    return view(world, id)
