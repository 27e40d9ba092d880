"""The worlds of a server: names, limits, files."""

from __future__ import annotations

from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest

from fakes.core import auth
from fakes.core.errors import BadWorldName, TooManyWorlds, UnknownWorld, WorldExists
from fakes.core.people import Person
from fakes.core.worlds import Worlds

from .conftest import Note, add_note, toy

SERVICES = {"toy": toy}


@pytest.mark.parametrize(
    "name", ["", "A", "a_b", "a.b", "-a", "a-", "x" * 33, "control", "toy", "this", "ä", "a\n"]
)
def test_bad_and_reserved_names_are_refused(base: bytes, name: str) -> None:
    with pytest.raises(BadWorldName):
        Worlds(SERVICES).create(name, base)


def test_a_name_is_taken_once(base: bytes) -> None:
    worlds = Worlds(SERVICES)
    worlds.create("a", base)
    with pytest.raises(WorldExists):
        worlds.create("a", base)


def test_the_limit_is_said(base: bytes) -> None:
    worlds = Worlds(SERVICES, limit=1)
    worlds.create("a", base)
    with pytest.raises(TooManyWorlds, match="1 worlds"):
        worlds.create("b", base)


def test_an_unknown_world_is_named_with_the_known_ones(base: bytes) -> None:
    worlds = Worlds(SERVICES)
    worlds.create("a", base)
    with pytest.raises(UnknownWorld, match=r"'b'.*a\."):
        worlds.get("b")


def test_a_write_in_one_world_leaves_the_others_alone(base: bytes) -> None:
    worlds = Worlds(SERVICES)
    one, other = worlds.create("a", base), worlds.create("b", base)
    state = other.state_hash()
    with one.tx() as tx:
        add_note(tx, one)
    assert other.state_hash() == state and other.diff() == []


def test_worlds_on_disk_are_found_again_and_removed_whole(base: bytes, tmp_path: Path) -> None:
    worlds = Worlds(SERVICES, folder=tmp_path)
    world = worlds.create("a", base)
    with world.tx() as tx:
        add_note(tx, world)
    worlds.fork("a", "b")
    worlds.close()
    again = Worlds(SERVICES, folder=tmp_path)
    assert again.reopen() == ["a", "b"] and again.get("b").count(Note) == 2
    again.remove("a")
    again.remove("b")
    assert list(tmp_path.iterdir()) == []


def test_a_world_on_disk_keeps_its_log_beside_it_and_does_not_wait_for_the_platter(
    base: bytes, tmp_path: Path
) -> None:
    world = Worlds(SERVICES, folder=tmp_path).create("a", base)
    assert world.select("PRAGMA journal_mode") == [("wal",)] and world.select("PRAGMA synchronous") == [(1,)]
    world.close()


def test_a_new_world_takes_nothing_from_one_that_was_there_before(base: bytes, tmp_path: Path) -> None:
    worlds = Worlds(SERVICES, folder=tmp_path)
    old = worlds.create("a", base)
    with old.tx() as tx:
        add_note(tx, old, text="old")
    left = (tmp_path / "a.world-wal").read_bytes()
    worlds.remove("a")
    (tmp_path / "a.world-wal").write_bytes(left)
    new = worlds.create("a", base)
    assert [note.text for note in new.all(Note)] == ["seeded"] and new.state_hash() == new.pristine_hash
    worlds.close()


def test_a_half_made_world_on_disk_is_not_found(base: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.pristine").write_bytes(base)
    (tmp_path / "a.world.new").write_bytes(base[:100])
    assert Worlds(SERVICES, folder=tmp_path).reopen() == []


def test_a_world_that_the_disk_does_not_take_leaves_nothing_there(base: bytes, tmp_path: Path) -> None:
    worlds = Worlds(SERVICES, folder=tmp_path)
    before = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (len(base) // 2, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            worlds.create("a", base)
    finally:
        setrlimit(RLIMIT_FSIZE, before)
    assert worlds.names() == [] and list(tmp_path.iterdir()) == []
    assert worlds.create("a", base).select("SELECT 1") == [(1,)]
    worlds.close()


def test_a_broken_world_on_disk_is_named_and_stops_no_other(base: bytes, tmp_path: Path) -> None:
    worlds = Worlds(SERVICES, folder=tmp_path)
    worlds.create("a", base)
    worlds.close()
    (tmp_path / "b.world").write_bytes(b"no database at all" * 100)
    (tmp_path / "b.pristine").write_bytes(base)
    (tmp_path / "c.world").write_bytes(base)
    (tmp_path / "d.world").mkdir()
    again = Worlds(SERVICES, folder=tmp_path)
    assert again.reopen() == ["a"] and sorted(again.broken) == ["b.world", "c.world", "d.world"]


def test_a_fork_takes_none_of_its_sources_credentials(base: bytes) -> None:
    worlds = Worlds(SERVICES)
    world = worlds.create("a", base)
    mira = world.one(Person)
    assert mira is not None
    token = auth.issue_token(world, mira, "toy")
    assert auth.find_token(world, "toy", token)
    assert auth.find_token(worlds.fork("a", "b"), "toy", token) is None
