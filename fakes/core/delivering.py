"""Attempts at deliveries: to real receivers as claim, send, record; to services inside as planned work.

Claim and record are a transaction each, with the sending between them. A crash there leaves an attempt that
never ended, so the delivery is claimed again: it may arrive twice, with one stamp, and is never lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fakes.core import outbox
from fakes.core.ids import draw_token
from fakes.core.outbox import INSIDE, Delivery, DeliveryAttempt, NotSendable, Outgoing, Post, Stamp

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.core.journal import Tx
    from fakes.core.world import World

DELAYS = (1_000, 5_000, 30_000, 120_000, 600_000)
"""Milliseconds of the wall clock before the second, third … attempt; one more failure makes a dead letter."""

DELAYS_INSIDE = (60_000, 300_000, 1_800_000, 7_200_000, 43_200_000)
"""The same by the run clock."""

KEEP_HISTORY = f"""UPDATE deliveries SET state = 'kept', why = 'It left before this world began.'
WHERE state = 'waiting' AND lane NOT LIKE '{INSIDE}%'"""
"""What a seed told real receivers is history: nothing of it is sent."""

CUT_OFF = "cut off"
_LONGEST = 500  # letters of an error
_CLOSE = f"UPDATE delivery_attempts SET error = '{CUT_OFF}' WHERE delivery = ? AND ended_wall_ms IS NULL"
_RECORD = """UPDATE delivery_attempts SET ended_wall_ms = ?, status = ?, error = ?, answer = ?
WHERE delivery = ? AND n = ?"""


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt: taken or not, the status, what went wrong, the beginning of the answer."""

    taken: bool
    status: int | None = None
    error: str | None = None
    answer: str | None = None


@dataclass(frozen=True)
class Head:
    """The first delivery that waits in its lane; `due_ms` is by the wall clock."""

    id: int
    receiver: str
    due_ms: int


@dataclass(frozen=True)
class Begun:
    """An attempt that was begun and committed. `life` is the state of the world that it belongs to."""

    id: int
    n: int
    post: Post
    life: set[int]


def heads(world: World) -> list[Head]:
    """The first waiting delivery of each lane to a real receiver, oldest first; none that is being sent."""
    sql = """SELECT min(d.id), o.receiver, d.due_ms FROM deliveries d JOIN outbox o ON o.id = d.id
    WHERE d.state = 'waiting' GROUP BY d.lane ORDER BY min(d.id)"""  # all columns are of the row with that id
    found = [Head(*values) for values in world.select(sql)]
    return [h for h in found if h.id not in world.in_flight and not h.receiver.startswith(INSIDE)]


def claim(
    world: World, id: int, wall_ms: int, check: Callable[[str], None], delays: tuple[int, ...] = DELAYS
) -> Begun | None:
    """Begins an attempt: makes the request, notes it and commits.

    None where there is nothing to send: what its service or `check` of the URL refuse (NotSendable) is kept,
    and a service that fails to make the request has failed to deliver it.
    """
    outgoing, delivery = world.get(Outgoing, id), world.get(Delivery, id)
    assert outgoing is not None and delivery is not None
    stamp = delivery.stamp or draw_token(16)
    post, failed = None, None
    try:
        post = _post(world, outgoing, Stamp(stamp, wall_ms))
        check(post.url)
    except NotSendable as refusal:
        _keep(world, id, str(refusal))
        return None
    except Exception as error:  # it belongs to this delivery, not to those behind it
        failed = Outcome(False, error=f"{type(error).__name__}: {error}")
    with world.tx() as tx:
        tx.update(delivery, stamp=stamp)
        tx.execute(_CLOSE, (id,))
        n = _begin(tx, world, id, wall_ms)
        if failed is not None:
            _end(tx, id, n, failed, wall_ms)
            _settle(tx, delivery, failed, wall_ms, delays)
    if post is None or failed is not None:
        return None
    world.in_flight.add(id)
    return Begun(id, n, post, world.in_flight)


def _post(world: World, row: Outgoing, stamp: Stamp) -> Post:
    make = outbox.sender(world, row)
    if make is None:
        raise NotSendable(outbox.why_kept(world, row))
    return make(world, row, stamp)


def _begin(tx: Tx, world: World, id: int, wall_ms: int) -> int:
    n = int(tx.execute("SELECT count(*) + 1 FROM delivery_attempts WHERE delivery = ?", (id,))[0][0])
    tx.insert(DeliveryAttempt(
        delivery=id, n=n, began_wall_ms=wall_ms, ended_wall_ms=None, at=world.now(), status=None, error=None,
        answer=None,
    ))  # fmt: skip
    return n


def _keep(world: World, id: int, why: str) -> None:
    """Takes a delivery out of its lane without an attempt: it is not to be sent, or has nowhere to go."""
    with world.tx() as tx:
        tx.execute("UPDATE deliveries SET state = 'kept', why = ? WHERE id = ?", (why[:_LONGEST], id))
    world.tell(frozenset({Delivery.__table__.name}))


def record(
    world: World, claimed: Begun, outcome: Outcome, wall_ms: int, delays: tuple[int, ...] = DELAYS
) -> None:
    """Notes what came of an attempt; after `len(delays) + 1` failures the delivery is a dead letter.

    Does nothing where the world was reset, restored or closed meanwhile: the attempt belongs to a state that
    is gone.
    """
    claimed.life.discard(claimed.id)
    if world.is_closed or world.in_flight is not claimed.life:
        return
    delivery = world.get(Delivery, claimed.id)
    if delivery is None:
        return
    with world.tx() as tx:
        _end(tx, claimed.id, claimed.n, outcome, wall_ms)
        _settle(tx, delivery, outcome, wall_ms, delays)
    world.tell(frozenset({Delivery.__table__.name}))


def _end(tx: Tx, id: int, n: int, outcome: Outcome, wall_ms: int) -> None:
    tx.execute(_RECORD, (wall_ms, outcome.status, _cut(outcome.error), outcome.answer, id, n))


def _settle(tx: Tx, delivery: Delivery, outcome: Outcome, now_ms: int, delays: tuple[int, ...]) -> int | None:
    """The state that an attempt leaves; returns when the next one is due, if there is to be one."""
    failures, why = delivery.failures + 1, _cut(outcome.error)
    if outcome.taken:
        tx.update(delivery, state="delivered", why=None)
    elif failures > len(delays):
        tx.update(delivery, state="dead", failures=failures, why=why)
    else:
        due = now_ms + delays[failures - 1]
        tx.update(delivery, failures=failures, due_ms=due, why=why)
        return due
    return None


def _cut(text: str | None) -> str | None:
    return None if text is None else text[:_LONGEST]


# inside the world


def deliver_inside(world: World, payload: dict[str, Any]) -> None:
    """Hands a delivery to its service, and then those behind it in its lane, until one fails.

    A handler that raises leaves nothing but its error and is asked again later. A delivery whose turn has not
    come waits for the one before it, which brings it along.
    """
    turn = world.get(Delivery, payload["id"])
    while (
        turn is not None
        and turn.state == "waiting"
        and turn == _next(world, turn)
        and _hand_over(world, turn)
    ):
        turn = _next(world, turn)


def _next(world: World, turn: Delivery) -> Delivery | None:
    tail = """WHERE lane = ? AND state = 'waiting' AND EXISTS (SELECT 1 FROM outbox WHERE id = deliveries.id)
    ORDER BY id"""
    return world.one(Delivery, tail, (turn.lane,))


def _hand_over(world: World, turn: Delivery) -> bool:
    """One attempt; whether the lane may go on."""
    outgoing = world.get(Outgoing, turn.id)
    assert outgoing is not None
    outcome = _taken(world, outgoing)
    with world.tx() as tx:
        _end(tx, turn.id, _begin(tx, world, turn.id, 0), outcome, 0)
        due = _settle(tx, turn, outcome, world.now(), DELAYS_INSIDE)
        if due is not None:
            outbox.plan(tx, outgoing, due)
    return due is None


def _taken(world: World, outgoing: Outgoing) -> Outcome:
    name = outgoing.receiver.removeprefix(INSIDE)
    service = world.services.get(name)
    handler = service.takes.get(outgoing.kind) if service is not None else None
    if handler is None:
        return Outcome(False, error=f"No service {name!r} of this world takes {outgoing.kind!r}.")
    try:
        with world.tx():
            handler(world, outgoing)
    except Exception as error:  # it belongs to the delivery, not to whoever moved the clock
        return Outcome(False, error=f"{type(error).__name__}: {error}")
    return Outcome(True)


DUE = {"deliver": deliver_inside}
