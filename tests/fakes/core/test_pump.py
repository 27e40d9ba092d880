"""The pump against real receivers: at least once, in order within a lane, nobody holds up anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from fakes.core import outbox
from fakes.core.outbox import DeliveryView
from fakes.core.pump import ANSWER, AT_ONCE, TO_ONE, Pump
from fakes.core.world import World
from fakes.core.worlds import Worlds

from .receiver import AWAY, BUSY, HALF, HANG, HUGE, NOTHING, OK, PLAIN_TEXT, Got, Receiver, receiving
from .telling import IMAGE, SERVICES, tell

AT_ONCE_AGAIN = (0, 0, 0)  # three more attempts, without a pause
OWN_PORT = 4


@asynccontextmanager
async def pumping(
    *, delays: tuple[int, ...] = AT_ONCE_AGAIN, patience: float = 20, names: tuple[str, ...] = ("main",)
) -> AsyncIterator[Worlds]:
    """Worlds whose pump is on, and the pump."""
    worlds = Worlds(SERVICES)
    for name in names:
        worlds.create(name, IMAGE).turn_pump(True)
    pump = Pump(worlds, lambda: OWN_PORT, delays=delays, patience=patience)
    pump.start()
    try:
        yield worlds
    finally:
        await pump.stop()
        worlds.close()


async def until(happened: Callable[[], bool]) -> None:
    """Waits for what is on its way."""
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.002)


async def settled(world: World) -> list[DeliveryView]:
    """What became of everything, oldest first, once nothing waits any more."""
    await until(lambda: all(v.state not in ("waiting", "sending") for v in outbox.deliveries(world)))
    return outbox.deliveries(world)[::-1]


def states(views: list[DeliveryView]) -> list[str]:
    return [view.state for view in views]


async def test_a_delivery_arrives_once_with_its_id_and_the_wall_clock() -> None:
    async with receiving() as receiver, pumping() as worlds:
        tell(worlds.get("main"), receiver.url(), said="hello")
        (view,) = await settled(worlds.get("main"))
        (got,) = receiver.got
    assert view.state == "delivered" and got.body == {"id": view.stamp, "said": "hello"}
    assert got.headers["x-delivery"] == view.stamp
    (attempt,) = view.attempts
    assert int(got.headers["x-wall"]) == attempt.began_wall_ms and attempt.began_wall_ms > 0
    assert (attempt.status, attempt.error, attempt.answer) == (200, None, "done")


# I1: retries cannot create duplicate effects


@pytest.mark.parametrize("first", [BUSY, HALF, NOTHING, AWAY, PLAIN_TEXT])
async def test_what_failed_arrives_again_with_the_same_id(first: bytes) -> None:
    async with receiving(lambda got, n: OK if n else first) as receiver, pumping() as worlds:
        tell(worlds.get("main"), receiver.url())
        (view,) = await settled(worlds.get("main"))
    assert view.state == "delivered" and [got.id for got in receiver.got] == [view.stamp, view.stamp]
    failed, taken = view.attempts
    assert failed.error and taken.error is None
    assert failed.status == {BUSY: 503, HALF: 200, AWAY: 307}.get(first)


async def test_no_redirect_is_followed() -> None:
    async with receiving(lambda got, n: AWAY) as receiver, pumping() as worlds:
        tell(worlds.get("main"), receiver.url())
        (view,) = await settled(worlds.get("main"))
    assert view.state == "dead" and {got.path for got in receiver.got} == {"/hook"}


async def test_each_event_has_an_id_of_its_own_in_each_world() -> None:
    async with receiving() as receiver, pumping(names=("main", "other")) as worlds:
        for name in ("main", "other"):
            tell(worlds.get(name), receiver.url(), "a")
            tell(worlds.get(name), receiver.url(), "b")
            await settled(worlds.get(name))
    assert len({got.id for got in receiver.got}) == len(receiver.got) == 4


# I2: what is settled stays so


async def test_what_was_taken_or_given_up_is_not_sent_again_by_itself() -> None:
    async with receiving(lambda got, n: BUSY if got.path == "/bad" else OK) as receiver, pumping() as worlds:
        world = worlds.get("main")
        tell(world, receiver.url("/good"))
        tell(world, receiver.url("/bad"))
        assert states(await settled(world)) == ["delivered", "dead"]
        count = len(receiver.got)
        tell(world, receiver.url("/later"))
        await settled(world)
    assert len(receiver.got) == count + 1


async def test_a_dead_letter_goes_out_again_when_asked_and_stays_delivered() -> None:
    async with receiving(lambda got, n: BUSY if n < 4 else OK) as receiver, pumping() as worlds:
        world = worlds.get("main")
        row = tell(world, receiver.url())
        assert states(await settled(world)) == ["dead"] and len(receiver.got) == 4
        outbox.resend(world, row.id)
        assert states(await settled(world)) == ["delivered"]
    assert len({got.id for got in receiver.got}) == 1


# I3: a receiver that fails vetoes nothing


async def test_the_cause_is_committed_while_nobody_listens_and_told_once_somebody_does() -> None:
    async with receiving() as receiver:
        url = receiver.url()
        async with pumping(delays=(0,) * 2000) as worlds:
            world = worlds.get("main")
            port = receiver.port
            gone = f"http://127.0.0.1:{_closed_port()}/hook"
            row = tell(world, gone)
            await until(lambda: outbox.view(world, row.id).failures > 2)
            assert world.select("SELECT count(*) FROM toy_notes WHERE text = 'cause'") == [(1,)]
            with world.tx() as tx:
                tx.execute("UPDATE outbox SET receiver = ?", (url,))
            (view,) = await settled(world)
            assert view.state == "delivered" and receiver.port == port


def _closed_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def test_a_receiver_that_hangs_is_given_up_in_time_and_the_late_answer_changes_nothing() -> None:
    async with receiving(lambda got, n: OK if n else HANG) as receiver, pumping(patience=0.5) as worlds:
        tell(worlds.get("main"), receiver.url())
        (view,) = await settled(worlds.get("main"))
        receiver.gate.set()
    first, *_, last = view.attempts
    assert first.status is None and "0.5 seconds" in (first.error or "") and last.status == 200
    assert {got.id for got in receiver.got} == {view.stamp} and view.state == "delivered"


# I5: a poisoned delivery does not block the rest


async def test_lanes_keep_their_order_and_a_poisoned_delivery_blocks_no_other() -> None:
    def answer(got: Got, n: int) -> bytes:
        return BUSY if got.body["said"] == "poison" else OK

    async with receiving(answer) as receiver, pumping() as worlds:
        world = worlds.get("main")
        for said in ("one", "poison", "two", "three"):
            tell(world, receiver.url(), "a", said=said)
            tell(world, receiver.url("/other"), "a", said=said.upper())
        views = await settled(world)
    in_order = list(dict.fromkeys(got.body["said"] for got in receiver.of("/hook")))
    assert in_order == ["one", "poison", "two", "three"]
    assert [got.body["said"] for got in receiver.of("/other")] == ["ONE", "POISON", "TWO", "THREE"]
    assert [v.outgoing.payload["said"] for v in views if v.state == "dead"] == ["poison"]


async def test_receivers_that_hang_hold_up_nobody_else() -> None:
    async with receiving(lambda got, n: HANG if got.path == "/hung" else OK) as receiver, pumping() as worlds:
        world = worlds.get("main")
        for topic in range(AT_ONCE * 2):
            tell(world, receiver.url("/hung"), str(topic))
        for topic in range(5):
            tell(world, receiver.url("/well"), str(topic))
        await until(lambda: len(receiver.of("/well")) == 5)
        assert len(receiver.of("/hung")) == TO_ONE


async def test_a_world_that_fails_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async with receiving() as receiver, pumping(names=("a-broken", "main")) as worlds:
        worlds.get("a-broken").con.execute("PRAGMA writable_schema = ON")
        with worlds.get("a-broken").kernel_write():
            worlds.get("a-broken").con.execute("DROP TABLE deliveries")
        tell(worlds.get("main"), receiver.url())
        assert states(await settled(worlds.get("main"))) == ["delivered"]
    assert "what leaves world a-broken" in caplog.text


# where things may go


async def test_what_is_far_away_or_the_server_itself_is_kept_and_never_sent() -> None:
    far = ("http://receiver.example/hook", "http://10.0.0.1:80/", f"http://127.9.9.9:{OWN_PORT}/w/main/api")
    async with pumping() as worlds:
        world = worlds.get("main")
        for url in far:
            tell(world, url)
        views = await settled(world)
    assert states(views) == ["kept"] * 3 and all(view.attempts == () for view in views)
    assert "PARACOSM_CALLBACKS=receiver.example:80" in (views[0].why or "")
    assert "this server itself" in (views[2].why or "")


async def test_names_of_this_machine_are_dialled_without_asking_anybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def resolve(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"{args[0]} was looked up")

    async with receiving() as receiver, pumping() as worlds:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
        tell(worlds.get("main"), f"http://app.localhost:{receiver.port}/hook")
        assert states(await settled(worlds.get("main"))) == ["delivered"]
    assert receiver.got[0].headers["host"] == f"app.localhost:{receiver.port}"


async def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{_closed_port()}")
    async with receiving() as receiver, pumping() as worlds:
        tell(worlds.get("main"), receiver.url())
        assert states(await settled(worlds.get("main"))) == ["delivered"]


async def test_no_more_of_an_answer_is_read_than_is_kept() -> None:
    async with receiving(lambda got, n: HUGE) as receiver, pumping() as worlds:
        tell(worlds.get("main"), receiver.url())
        (view,) = await settled(worlds.get("main"))
    assert view.state == "delivered" and view.attempts[0].answer == "x" * ANSWER


# the switch, and worlds that go away


async def test_nothing_is_sent_while_the_pump_is_off() -> None:
    async with receiving() as receiver, pumping(names=("main", "other")) as worlds:
        world, other = worlds.get("main"), worlds.get("other")
        tell(world, receiver.url())
        await settled(world)
        fork = worlds.fork("main", "fork")
        world.turn_pump(False)
        for silent in (world, fork, worlds.create("off", IMAGE)):
            tell(silent, receiver.url())
        tell(other, receiver.url())
        await settled(other)  # a round that had all of them before it
        assert len(receiver.got) == 2
        world.turn_pump(True)
        await settled(world)
        tell(other, receiver.url())
        await settled(other)
    assert len(receiver.got) == 4


def _held(receiver: Receiver) -> Callable[[], bool]:
    return lambda: len(receiver.got) == 1


async def test_a_reset_while_a_delivery_is_in_flight_is_safe() -> None:
    async with receiving(lambda got, n: HANG if n == 0 else OK) as receiver, pumping() as worlds:
        world = worlds.get("main")
        tell(world, receiver.url(), said="before")
        await until(_held(receiver))
        world.reset()
        row = tell(world, receiver.url(), said="after")
        await until(lambda: outbox.view(world, row.id).state == "delivered")
        receiver.gate.set()
        await asyncio.sleep(0.02)
        assert [len(view.attempts) for view in outbox.deliveries(world)] == [1]
    before, after = receiver.got
    assert before.id != after.id and (before.body["said"], after.body["said"]) == ("before", "after")


async def test_a_world_that_is_removed_while_a_delivery_is_in_flight_is_safe(nothing_logged: None) -> None:
    async with receiving(lambda got, n: HANG) as receiver, pumping(names=("main", "other")) as worlds:
        tell(worlds.get("main"), receiver.url())
        await until(_held(receiver))
        worlds.remove("main")
        receiver.gate.set()
        tell(worlds.get("other"), receiver.url())
        assert states(await settled(worlds.get("other"))) == ["delivered"]


async def test_what_a_stop_cuts_off_is_sent_by_the_next_start() -> None:
    async with receiving(lambda got, n: OK if n else HANG) as receiver:
        worlds = Worlds(SERVICES)
        world = worlds.create("main", IMAGE)
        world.turn_pump(True)
        row = tell(world, receiver.url())
        pump = Pump(worlds, lambda: OWN_PORT)
        pump.start()
        pump.start()
        await until(_held(receiver))
        await pump.stop()
        assert outbox.view(world, row.id).state == "waiting"
        pump.start()
        await until(lambda: outbox.view(world, row.id).state == "delivered")
        await pump.stop()
        view = outbox.view(world, row.id)
        worlds.close()
    assert [got.id for got in receiver.got] == [view.stamp] * 2
    assert [attempt.error for attempt in view.attempts] == ["cut off", None]
