"""What leaves a world: committed with its cause, in lanes, with attempts that nothing else feels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes.core import delivering, outbox
from fakes.core.delivering import Begun, Outcome
from fakes.core.outbox import Delivery, DeliveryAttempt, NotSendable, Outgoing, UnknownDelivery
from fakes.core.world import World, open_world

from .conftest import Note
from .telling import SERVICES, tell, telling_world

HERE, THERE = "http://127.0.0.1:3000/a", "http://127.0.0.1:3000/b"
TAKEN, FAILED = Outcome(True, 200), Outcome(False, 500, "Answered 500.", "oh no")
MINUTE = 60_000


@pytest.fixture
def world() -> Iterator[World]:
    opened = telling_world()
    yield opened
    opened.close()


def claim(world: World, id: int, wall_ms: int = 1) -> Begun:
    claimed = delivering.claim(world, id, wall_ms, lambda url: None)
    assert claimed is not None
    return claimed


def attempt(world: World, id: int, outcome: Outcome, wall_ms: int = 1) -> None:
    delivering.record(world, claim(world, id, wall_ms), outcome, wall_ms + 1)


def heads(world: World) -> list[int]:
    return [head.id for head in delivering.heads(world)]


def states(world: World) -> dict[int, str]:
    return {view.outgoing.id: view.state for view in outbox.deliveries(world)}


# with its cause


def test_what_is_put_goes_with_its_cause_or_not_at_all(world: World) -> None:
    with pytest.raises(RuntimeError), world.tx():
        tell(world, HERE)
        raise RuntimeError
    assert world.count(Outgoing) == world.count(Delivery) == 0
    tell(world, HERE, said="hello")
    (view,) = outbox.deliveries(world)
    assert (view.state, view.failures, view.stamp, view.attempts) == ("waiting", 0, None, ())
    assert view.outgoing.payload == {"said": "hello"}


def test_what_nobody_sends_is_kept_and_says_so(world: World) -> None:
    tell(world, "tom@elsewhere.example", kind="mail")
    (view,) = outbox.deliveries(world, state="kept")
    assert view.state == "kept" and "'mail'" in (view.why or "") and world.count(Delivery) == 0
    assert heads(world) == []
    with pytest.raises(NotSendable, match="'mail'"):
        outbox.resend(world, view.outgoing.id)


def test_the_state_of_a_world_is_the_same_whether_anything_was_sent_or_not(world: World) -> None:
    row = tell(world, HERE)
    fork = world.fork("fork")
    before, head = world.state_hash(), world.journal.head()
    attempt(world, row.id, FAILED)
    attempt(world, row.id, TAKEN)
    assert world.state_hash() == before == fork.state_hash() and world.journal.head() == head
    assert {change.table for change in world.diff()} == {"outbox", "toy_notes"}
    fork.close()


# lanes


def test_a_lane_goes_on_when_the_one_before_was_taken(world: World) -> None:
    first, second = tell(world, HERE, "a"), tell(world, HERE, "a")
    other, elsewhere = tell(world, HERE, "b"), tell(world, THERE, "a")
    assert heads(world) == [first.id, other.id, elsewhere.id]
    claimed = claim(world, first.id)
    assert heads(world) == [other.id, elsewhere.id]
    delivering.record(world, claimed, TAKEN, 2)
    assert heads(world) == [second.id, other.id, elsewhere.id]


def test_a_failure_waits_longer_each_time_and_its_lane_with_it(world: World) -> None:
    first = tell(world, HERE, "a")
    tell(world, HERE, "a")
    waits = []
    for _ in delivering.DELAYS:
        attempt(world, first.id, FAILED, 1_000_000)
        (head,) = delivering.heads(world)
        assert head.id == first.id
        waits.append(head.due_ms - 1_000_001)
    assert waits == list(delivering.DELAYS) == sorted(waits)


def test_a_poisoned_delivery_becomes_a_dead_letter_and_its_lane_goes_on(world: World) -> None:
    poisoned, next = tell(world, HERE, "a"), tell(world, HERE, "a")
    for _ in range(len(delivering.DELAYS) + 1):
        attempt(world, poisoned.id, FAILED)
    (letter,) = outbox.dead(world)
    assert letter.outgoing.id == poisoned.id and letter.why == "Answered 500."
    assert [a.status for a in letter.attempts] == [500] * (len(delivering.DELAYS) + 1)
    assert heads(world) == [next.id]


def test_a_dead_letter_is_sent_again_with_its_own_stamp_and_before_those_behind_it(world: World) -> None:
    poisoned, behind = tell(world, HERE, "a"), tell(world, HERE, "a")
    for _ in range(len(delivering.DELAYS) + 1):
        attempt(world, poisoned.id, FAILED)
    stamp = outbox.view(world, poisoned.id).stamp
    again = outbox.resend(world, poisoned.id)
    assert (again.state, again.failures, again.stamp, again.why) == ("waiting", 0, stamp, None)
    assert heads(world) == [poisoned.id]
    attempt(world, poisoned.id, TAKEN)
    assert heads(world) == [behind.id] and outbox.view(world, poisoned.id).stamp == stamp


def test_what_was_delivered_can_be_sent_again_but_not_while_it_is_being_sent(world: World) -> None:
    row = tell(world, HERE)
    claimed = claim(world, row.id)
    assert outbox.view(world, row.id).state == "sending"
    with pytest.raises(NotSendable, match="being sent"):
        outbox.resend(world, row.id)
    delivering.record(world, claimed, TAKEN, 2)
    assert outbox.view(world, row.id).state == "delivered" and heads(world) == []
    outbox.resend(world, row.id)
    assert heads(world) == [row.id]
    with pytest.raises(UnknownDelivery, match="99"):
        outbox.resend(world, 99)


def test_a_row_that_was_taken_back_blocks_no_lane(world: World) -> None:
    gone, next = tell(world, HERE, "a"), tell(world, HERE, "a")
    with world.tx() as tx:
        tx.delete(gone)
    assert heads(world) == [next.id] and list(states(world)) == [next.id]


# attempts


def test_an_attempt_is_kept_by_wall_and_run_clock(world: World) -> None:
    row = tell(world, HERE)
    attempt(world, row.id, Outcome(False, 503, "x" * 900, "busy"), 7_000)
    (made,) = world.all(DeliveryAttempt)
    assert (made.began_wall_ms, made.ended_wall_ms, made.at) == (7_000, 7_001, world.now())
    assert (made.status, made.error, made.answer) == (503, "x" * 500, "busy")


def test_a_stamp_is_drawn_once_and_no_other_world_has_it(world: World) -> None:
    row = tell(world, HERE)
    fork = world.fork("fork")
    claimed = claim(world, row.id)
    stamp = claimed.post.headers["X-Delivery"]
    delivering.record(world, claimed, FAILED, 2)
    assert claim(world, row.id).post.headers["X-Delivery"] == stamp
    assert claim(fork, row.id).post.headers["X-Delivery"] != stamp
    fork.close()


def test_an_attempt_that_was_cut_off_is_made_again_and_counts_for_nothing(world: World) -> None:
    row = tell(world, HERE)
    stamp = claim(world, row.id).post.headers["X-Delivery"]
    reopened = open_world("main", SERVICES, image=world.image())
    assert outbox.view(reopened, row.id).state == "waiting"
    assert claim(reopened, row.id).post.headers["X-Delivery"] == stamp
    first, second = reopened.all(DeliveryAttempt, "ORDER BY n")
    assert (first.error, first.ended_wall_ms, second.error) == ("cut off", None, None)
    assert outbox.view(reopened, row.id).failures == 0
    reopened.close()


def test_what_came_of_an_attempt_does_not_reach_a_world_that_was_reset(world: World) -> None:
    row = tell(world, HERE)
    claimed = claim(world, row.id)
    world.reset()
    again = tell(world, HERE)
    assert again.id == row.id
    delivering.record(world, claimed, TAKEN, 2)
    assert states(world) == {again.id: "waiting"} and heads(world) == [again.id]
    assert claim(world, again.id).post.headers["X-Delivery"] != claimed.post.headers["X-Delivery"]


def test_what_came_of_an_attempt_does_not_reach_a_world_that_is_closed() -> None:
    world = telling_world()
    claimed = claim(world, tell(world, HERE).id)
    world.close()
    delivering.record(world, claimed, TAKEN, 2)


def test_what_may_not_be_sent_is_kept_with_its_reason_and_can_be_tried_again(world: World) -> None:
    row, next = tell(world, HERE, "a", kept=True), tell(world, HERE, "a")

    def refuse(url: str) -> None:
        raise NotSendable(f"{url} is far away.")

    assert delivering.claim(world, row.id, 1, lambda url: None) is None
    assert delivering.claim(world, next.id, 1, refuse) is None
    kept = outbox.deliveries(world, state="kept")
    assert [view.why for view in kept] == [f"{HERE} is far away.", "Nobody listens any more."]
    assert heads(world) == [] and world.count(DeliveryAttempt) == 0
    outbox.resend(world, next.id)
    assert heads(world) == [next.id]


def test_a_request_that_its_service_fails_to_make_is_a_failed_attempt(world: World) -> None:
    row, other = tell(world, HERE, "a", broken=True), tell(world, HERE, "b")
    assert delivering.claim(world, row.id, 1, lambda url: None) is None
    view = outbox.view(world, row.id)
    assert (view.state, view.failures, view.why) == ("waiting", 1, "RuntimeError: no such field")
    assert heads(world) == [row.id, other.id]


# the pump's switch


def test_copies_begin_with_the_pump_off_and_a_reset_leaves_it(world: World) -> None:
    assert not world.pump_on
    world.turn_pump(True)
    fork, same = world.fork("fork"), open_world("main", SERVICES, image=world.image())
    assert world.pump_on and not fork.pump_on and same.pump_on
    world.reset()
    assert world.pump_on and world.state_hash() == world.pristine_hash
    world.restore(fork.image())
    assert not world.pump_on
    world.turn_pump(True)
    world.turn_pump(False)
    world.reset()
    assert not world.pump_on
    fork.close()
    same.close()


def test_what_a_seed_told_real_receivers_is_history_and_never_sent(world: World) -> None:
    tell(world, HERE, "a")
    tell(world, "inside:ear", kind="word", said="hello")
    world.seal()
    assert states(world) == {1: "kept", 2: "waiting"} and heads(world) == []
    assert "before this world began" in (outbox.view(world, 1).why or "")
    world.advance(world.now())
    assert words(world) == ["hello"]


# inside the world


def words(world: World) -> list[str | None]:
    return [note.text for note in world.all(Note, "WHERE text NOT IN ('cause', 'awake') ORDER BY seq")]


def test_a_service_inside_is_told_by_the_run_clock(world: World) -> None:
    tell(world, "inside:ear", kind="word", said="hello")
    assert words(world) == [] and heads(world) == []
    world.advance(world.now())
    assert words(world) == ["hello"] and list(states(world).values()) == ["delivered"]


def test_inside_too_a_lane_keeps_its_order_and_others_go_on(world: World) -> None:
    tell(world, "inside:ear", "a", kind="word", said="first", asleep=True)
    tell(world, "inside:ear", "a", kind="word", said="second")
    tell(world, "inside:ear", "b", kind="word", said="other")
    world.advance(world.now() + 10)
    assert words(world) == ["other"]
    assert outbox.view(world, 1).why == "RuntimeError: did not listen"
    with world.tx() as tx:
        tx.execute("UPDATE toy_notes SET text = 'awake' WHERE text = 'cause'")
    world.advance(world.now() + 2 * MINUTE)
    assert words(world) == ["other", "first", "second"]
    assert states(world) == {1: "delivered", 2: "delivered", 3: "delivered"}


def test_inside_too_a_poisoned_delivery_is_given_up(world: World) -> None:
    tell(world, "inside:ear", kind="word", said="poison", deaf=True)
    tell(world, "inside:ear", kind="word", said="second")
    tell(world, "inside:nobody", kind="word", said="lost")
    world.advance(world.now() + 24 * 60 * MINUTE)
    assert words(world) == ["second"] and states(world) == {1: "dead", 2: "delivered", 3: "dead"}
    assert "'nobody'" in (outbox.view(world, 3).why or "")
    with world.tx() as tx:
        tx.execute("UPDATE outbox SET payload_json = json_remove(payload_json, '$.deaf') WHERE id = 1")
    outbox.resend(world, 1)
    world.advance(world.now())
    assert words(world) == ["second", "poison"] and outbox.view(world, 1).state == "delivered"
