"""Worlds as whole states: images, forks, resets, hashes, on disk and in memory, and their clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.core import agenda
from fakes.core.agenda import Planned
from fakes.core.capabilities import MAIL_DELIVER, NotOffered
from fakes.core.clock import ClockState
from fakes.core.requests import RequestRecord, acting
from fakes.core.store import StoreError
from fakes.core.world import Genesis, World, open_world

from .conftest import AT, Note, add_note, toy


def write(world: World, text: str = "x") -> Note:
    with world.tx() as tx:
        return add_note(tx, world, text=text)


def test_reset_returns_the_pristine_hash_and_the_state_has_it(world: World) -> None:
    pristine = world.state_hash()
    write(world)
    assert world.state_hash() != pristine
    assert world.reset() == pristine == world.state_hash()
    assert world.diff() == [] and world.log.rows() == []


def test_reset_takes_clock_and_counters_back(world: World) -> None:
    first = write(world)
    world.advance(AT + 60_000)
    world.reset()
    assert world.now() == AT and write(world).id == first.id


def test_two_worlds_of_one_genesis_hold_the_same_bytes(world: World, base: bytes) -> None:
    twin = open_world("twin", {"toy": toy}, image=base)
    write(world)
    assert twin.state_hash() != world.state_hash()
    write(twin)
    assert twin.state_hash() == world.state_hash()


def test_a_fork_goes_its_own_way(world: World) -> None:
    write(world, "before")
    fork = world.fork("fork")
    assert fork.state_hash() == world.state_hash() and fork.diff() == world.diff()
    write(fork, "after")
    assert world.count(Note) == 2 and fork.count(Note) == 3
    assert fork.reset() == world.pristine_hash


def test_a_disk_world_survives_closing_and_resets(base: bytes, tmp_path: Path) -> None:
    path = tmp_path / "main.world"
    world = open_world("main", {"toy": toy}, image=base, path=path)
    write(world)
    state = world.state_hash()
    world.close()
    world = open_world("main", {"toy": toy}, path=path)
    assert world.state_hash() == state and len(world.diff()) == 1
    assert world.reset() == world.state_hash() == world.pristine_hash
    world.close()


def test_the_image_of_a_disk_world_opens_in_memory(base: bytes, tmp_path: Path) -> None:
    disk = open_world("main", {"toy": toy}, image=base, path=tmp_path / "main.world")
    write(disk)
    fork = disk.fork("fork")
    assert fork.state_hash() == disk.state_hash() and fork.path is None
    write(fork)
    disk.close()


def test_a_reset_works_with_cursors_half_read(world: World) -> None:
    cursor = world.con.execute("SELECT * FROM toy_notes")
    assert world.reset() == world.pristine_hash
    del cursor


def test_the_log_and_the_journal_are_not_part_of_the_hash(world: World) -> None:
    state = world.state_hash()
    world.log.finish(world.log.begin(RequestRecord(method="GET", path="/")))
    assert len(world.log.rows()) == 1 and world.state_hash() == state


def test_open_world_wants_a_source() -> None:
    with pytest.raises(StoreError, match="needs"):
        open_world("x", {})


def test_a_capability_that_nobody_offers(world: World) -> None:
    with pytest.raises(NotOffered, match=r"mail\.deliver"):
        world.capability(MAIL_DELIVER)


def test_a_stepping_clock_moves_with_each_request_that_wrote(world: World) -> None:
    world.set_clock(ClockState("stepping", AT, step_ms=500))
    with acting(RequestRecord(method="GET")) as read:
        pass
    world.finish(read)
    assert world.now() == AT
    with acting(RequestRecord(method="POST")) as post:
        write(world)
        write(world)
    world.finish(post)
    assert world.now() == AT + 500


def test_the_clock_never_goes_back(world: World) -> None:
    with pytest.raises(ValueError, match="can't go back"):
        world.advance(AT - 1)


def test_a_running_clock_moves_by_itself(world: World) -> None:
    world.turn_clock("running")
    assert AT <= world.now() < AT + 60_000
    world.turn_clock("frozen")
    assert world.now() == world.now()


def test_what_is_due_fires_in_order_and_once(world: World) -> None:
    with world.tx() as tx:
        for minutes in (3, 1, 2):
            agenda.schedule(
                tx,
                service="toy",
                kind="remember",
                ref=str(minutes),
                due_at=AT + minutes * 60_000,
                payload={"text": str(minutes)},
            )
    assert world.advance(AT + 2 * 60_000) == 2
    assert [n.text for n in world.all(Note, "ORDER BY seq")] == ["seeded", "1", "2"]
    assert world.advance(AT + 9 * 60_000) == 1 and world.advance(AT + 99 * 60_000) == 0
    assert [r.kind for r in world.log.rows()] == ["clock"] * 3


def test_due_work_that_fails_keeps_its_error_and_nothing_else(world: World) -> None:
    with world.tx() as tx:
        agenda.schedule(tx, service="toy", kind="remember", ref="1", due_at=AT + 1, payload={"fail": True})
    world.advance(AT + 1)
    (planned,) = world.all(Planned)
    assert planned.error == "RuntimeError: told to fail" and world.count(Note) == 1


def test_cancelled_work_does_not_fire(world: World) -> None:
    with world.tx() as tx:
        agenda.schedule(tx, service="toy", kind="remember", ref="1", due_at=AT + 1)
        assert agenda.cancel(tx, world, service="toy", kind="remember", ref="1") == 1
    assert world.advance(AT + 1) == 0


def test_seeding_history_leaves_the_clock_alone(world: World) -> None:
    with world.at_time(AT - 1000):
        assert world.now() == AT - 1000
    assert world.now() == AT


def test_today_is_the_zones_date() -> None:
    midnight = 1_761_019_200_000  # 2025-10-21 00:00 in New York, 13:00 in Tokyo
    worlds = [
        open_world("x", {}, genesis=Genesis(1, b"s" * 32, midnight - 1, zone))
        for zone in ("America/New_York", "Asia/Tokyo")
    ]
    assert [world.today().day for world in worlds] == [20, 21]


def test_a_disk_reset_works_with_cursors_half_read(base: bytes, tmp_path: Path) -> None:
    world = open_world("main", {"toy": toy}, image=base, path=tmp_path / "main.world")
    write(world)
    cursor = world.con.execute("SELECT * FROM toy_notes")
    assert world.reset() == world.state_hash()
    write(world)
    world.close()
    del cursor
