"""Named snapshots of worlds: whole states that a person keeps, to come back to or to fork from.

A snapshot is one SQLite image with rows, files, sessions, log and journal, its clock standing at the instant
it was taken. Without a data folder the server keeps it in memory; with one, there, as
`snapshots/WORLD/NAME.snapshot`, for its owner alone. A reset leaves a world's snapshots as they are; they go
when the world goes.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass

import apsw

from fakes.core.errors import Refused
from fakes.core.files import write_whole
from fakes.core.world import World, open_world
from fakes.core.worlds import Worlds
from harness.comparing import differences

MOST = 64
SUFFIX = ".snapshot"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_FACT = "snapshot"  # the fact under which an image keeps the number it was taken under


class UnknownSnapshot(Refused):
    """The world has no snapshot of that name."""

    status, code = 404, "unknown_snapshot"


class BadSnapshotName(Refused):
    """Snapshot names match [a-z0-9-]{1,40}."""

    status, code = 400, "bad_snapshot_name"


class SnapshotExists(Refused):
    """The world has a snapshot of that name already."""

    status, code = 409, "snapshot_exists"


class TooManySnapshots(Refused):
    """The world has as many snapshots as a server keeps."""

    status, code = 429, "too_many_snapshots"


class StaleSnapshot(Refused):
    """The snapshot was taken of another world of that name, or by another version."""

    status, code = 409, "stale_snapshot"


@dataclass(frozen=True)
class Snapshot:
    """What is known of a snapshot. `at` is the run clock in UTC milliseconds, `size` bytes.

    `number` orders a world's snapshots; `hash` is the state hash, `requests` the newest logged one;
    `schema` and `pristine_hash` are those of the world that it was taken of.
    """

    world: str
    name: str
    number: int
    at: int
    size: int
    hash: str
    requests: int
    schema: str
    pristine_hash: str


@dataclass
class _Kept:
    about: Snapshot
    load: Callable[[], bytes]
    counted: tuple[object, int, int] = (None, -1, 0)  # log, journal head: rows that differ


UNWRITABLE = (OSError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError)
"""What is raised where the data folder takes nothing more, or can't be read."""


def no_room(error: Exception) -> str:
    """What to tell whoever asked for something that could not be written."""
    why = getattr(error, "strerror", None) or str(error)
    full = isinstance(error, apsw.FullError)
    return f"The data folder can't be used: {'no space is left on its disk' if full else why}."


class Snapshots:
    """The snapshots of one server's worlds."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        self._folder = worlds.folder / "snapshots" if worlds.folder else None
        self._kept: dict[str, dict[str, _Kept]] = {}
        self.broken: dict[str, str] = {}
        self.moves = 0
        """Moves with each snapshot that is taken or deleted."""

    def of(self, world: str) -> list[Snapshot]:
        """A world's snapshots, oldest first. Raises UnknownWorld."""
        kept = self._of(self._worlds.get(world).name)
        return sorted((each.about for each in kept.values()), key=lambda snapshot: snapshot.number)

    def get(self, world: str, name: str) -> Snapshot:
        """One of them. Raises UnknownWorld, UnknownSnapshot."""
        return self._find(world, name).about

    def image(self, world: str, name: str) -> bytes:
        """A snapshot as the bytes of a SQLite file. Raises UnknownWorld, UnknownSnapshot."""
        return self._find(world, name).load()

    def next_name(self, world: str) -> str:
        """A name that is free: "s1", "s2" …"""
        taken = self._of(world)
        return next(name for n in range(1, len(taken) + 2) if (name := f"s{n}") not in taken)

    def take(self, world: str, name: str) -> Snapshot:
        """Keeps the present state of a world.

        Raises UnknownWorld, BadSnapshotName, SnapshotExists, TooManySnapshots.
        """
        source = self._worlds.get(world)
        kept = self._of(world)
        if not _NAME.fullmatch(name):
            raise BadSnapshotName(f"{name!r} is no snapshot name: use 1 to 40 of a-z, 0-9 and inner hyphens.")
        if name in kept:
            raise SnapshotExists(f"World {world!r} has a snapshot {name!r} already; choose another name.")
        if len(kept) >= MOST:
            raise TooManySnapshots(f"World {world!r} has {MOST} snapshots, the most; delete one first.")
        number = 1 + max((each.about.number for each in kept.values()), default=0)
        image, about = _stilled(source, name, number)
        kept[name] = _Kept(about, self._store(about, image))
        self.moves += 1
        return about

    def restore(self, world: str, name: str) -> Snapshot:
        """Puts a world back to a snapshot of it; its clock goes on from there in the mode that it has now.

        Leases and claimed browsers stay. Raises UnknownWorld, UnknownSnapshot, StaleSnapshot.
        """
        target, kept = self._worlds.get(world), self._fitting(world, name)
        mode = target.clock.mode
        target.restore(kept.load())
        if target.clock.mode != mode:
            target.turn_clock(mode)
        return kept.about

    def fork(self, world: str, name: str, new_name: str) -> World:
        """A new world that begins at a snapshot, its clock in the mode that the world's has now.

        Raises UnknownWorld, UnknownSnapshot, StaleSnapshot, BadWorldName, WorldExists, TooManyWorlds.
        """
        kept = self._fitting(world, name)
        forked = self._worlds.fork(world, new_name, kept.load())
        forked.turn_clock(self._worlds.get(world).clock.mode)
        return forked

    def delete(self, world: str, name: str) -> None:
        """Forgets a snapshot. Raises UnknownWorld, UnknownSnapshot."""
        self._find(world, name)
        del self._kept[world][name]
        if self._folder is not None:
            (self._folder / world / f"{name}{SUFFIX}").unlink(missing_ok=True)
        self.moves += 1

    def forget(self, world: str) -> None:
        """The world is gone: its snapshots go too."""
        self._kept.pop(world, None)
        if self._folder is not None:
            shutil.rmtree(self._folder / world, ignore_errors=True)
        self.moves += 1

    def opened(self, world: str, name: str) -> World:
        """A snapshot as a memory world for reading; close it.

        Raises UnknownWorld, UnknownSnapshot, StaleSnapshot.
        """
        kept, present = self._fitting(world, name), self._worlds.get(world)
        return open_world(world, present.services, image=kept.load(), pristine=present.pristine)

    def changed(self, world: str, name: str) -> int | None:
        """How many rows are not now as they were; None for a snapshot that no longer fits the world."""
        present, kept = self._worlds.get(world), self._find(world, name)
        if _misfit(kept.about, present):
            return None
        log, head, count = kept.counted
        if log is not present.log or head != present.journal.head():
            then = self.opened(world, name)
            try:
                count = len(differences(then, present))
            finally:
                then.close()
            kept.counted = (present.log, present.journal.head(), count)
        return count

    # finding

    def _find(self, world: str, name: str) -> _Kept:
        kept = self._of(self._worlds.get(world).name)
        if name not in kept:
            known = ", ".join(sorted(kept)) or "none"
            raise UnknownSnapshot(f"World {world!r} has no snapshot {name!r}. Snapshots: {known}.")
        return kept[name]

    def _fitting(self, world: str, name: str) -> _Kept:
        kept = self._find(world, name)
        why = _misfit(kept.about, self._worlds.get(world))
        if why:
            raise StaleSnapshot(f"Snapshot {name!r} {why}; it can be downloaded or deleted.")
        return kept

    def _of(self, world: str) -> dict[str, _Kept]:
        if world not in self._kept:
            self._kept[world] = self._read_folder(world)
        return self._kept[world]

    # the folder

    def _store(self, about: Snapshot, image: bytes) -> Callable[[], bytes]:
        if self._folder is None:
            return lambda: image
        folder = self._folder / about.world
        for made in (self._folder, folder):
            made.mkdir(mode=0o700, exist_ok=True)
        return write_whole(folder / f"{about.name}{SUFFIX}", image).read_bytes

    def _read_folder(self, world: str) -> dict[str, _Kept]:
        found: dict[str, _Kept] = {}
        folder = self._folder / world if self._folder else None
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder else ():
            name = path.name.removesuffix(SUFFIX)
            try:
                found[name] = _Kept(self._described(world, name, path.read_bytes()), path.read_bytes)
            except (apsw.Error, OSError, LookupError, ValueError) as error:
                self.broken[f"{world}/{path.name}"] = f"{type(error).__name__}: {error}"
        return found

    def _described(self, world: str, name: str, image: bytes) -> Snapshot:
        copy = open_world(world, self._worlds.services, image=image)
        try:
            number = int(dict(copy.select("SELECT name, value FROM world"))[_FACT])
            return _about(copy, name, number, len(image))
        finally:
            copy.close()


def _stilled(source: World, name: str, number: int) -> tuple[bytes, Snapshot]:
    """A world's image with the clock standing still where it is, and what to know of it."""
    copy = open_world(source.name, source.services, image=source.state(), pristine=source.pristine)
    try:
        copy.set_clock(source.clock.turned("frozen"))
        with copy.kernel_write():
            copy.con.execute("DELETE FROM world WHERE name = ?", (_FACT,))
            copy.con.execute("INSERT INTO world VALUES (?, ?)", (_FACT, str(number)))
        image = copy.image()
        return image, _about(copy, name, number, len(image))
    finally:
        copy.close()


def _about(copy: World, name: str, number: int, size: int) -> Snapshot:
    return Snapshot(
        world=copy.name, name=name, number=number, at=copy.now(), size=size, hash=copy.state_hash(),
        requests=copy.log.newest, schema=copy.schema, pristine_hash=copy.pristine_hash,
    )  # fmt: skip


def _misfit(about: Snapshot, world: World) -> str:
    """Why a world can't take this state, or nothing."""
    if about.schema != world.schema:
        return "was taken by another version"
    if about.pristine_hash != world.pristine_hash:
        return f"was taken of another world {world.name!r}, seeded otherwise"
    return ""
