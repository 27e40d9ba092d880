"""The worlds of one server, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import apsw

from fakes.core.errors import BadWorldName, TooManyWorlds, UnknownWorld, WorldExists
from fakes.core.files import SCRATCH
from fakes.core.pages import Pages
from fakes.core.service import Service
from fakes.core.world import World, open_world

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_FILES = (".world", ".world-wal", ".world-shm", ".pristine")
RESERVED = frozenset({"control", "localhost", "this", "www"})


class Worlds:
    """Creates, finds and removes worlds. With a folder, worlds are kept on disk as NAME.world."""

    def __init__(
        self, services: Mapping[str, Service], *, folder: Path | None = None, limit: int = 2000
    ) -> None:
        self.services = services
        self.folder = folder
        self.limit = limit
        self.broken: dict[str, str] = {}
        self._open: dict[str, World] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        """The names of the worlds, sorted."""
        return sorted(self._open)

    def get(self, name: str) -> World:
        """The world of that name. Raises UnknownWorld."""
        try:
            return self._open[name]
        except KeyError:
            known = ", ".join(self.names()[:8]) or "none"
            raise UnknownWorld(f"There is no world {name!r} here. Worlds: {known}.") from None

    def create(self, name: str, base: bytes) -> World:
        """A new world in its pristine state. Raises BadWorldName, WorldExists, TooManyWorlds."""
        self._check(name)
        return self._make(name, base)

    def fork(self, name: str, new_name: str, image: bytes | None = None) -> World:
        """A copy of a world with its log and journal: as it is now, or the earlier state `image` of it."""
        self._check(new_name)
        source = self.get(name)
        return self._make(new_name, image or source.state(), source.pristine)

    def _make(self, name: str, image: bytes | Pages, pristine: bytes | None = None) -> World:
        """A new world and its files; one that can't be made leaves none, such as on a full disk."""
        path = self._path(name)
        try:
            return self._keep(open_world(name, self.services, image=image, pristine=pristine, path=path))
        except BaseException:
            _delete(path)
            raise

    def reopen(self) -> list[str]:
        """Opens the worlds that the folder holds; returns their names. `broken` says which could not be."""
        for path in sorted(self.folder.glob("*.world")) if self.folder else ():
            try:
                self._keep(open_world(path.stem, self.services, path=path))
            except (apsw.Error, OSError, LookupError, ValueError) as error:
                self.broken[path.name] = f"{type(error).__name__}: {error}"
        return self.names()

    def remove(self, name: str) -> None:
        """Closes a world and deletes its files."""
        world = self.get(name)
        del self._open[name]
        world.close()
        _delete(self._path(name))

    def put_aside(self, name: str) -> None:
        """Closes a world and keeps its files as NAME.world.old and NAME.pristine.old."""
        self._open.pop(name).close()
        path = self._path(name)
        for suffix in (".world", ".pristine") if path else ():
            assert path is not None
            path.with_suffix(suffix).replace(path.with_suffix(f"{suffix}.old"))

    def close(self) -> None:
        """Closes every world."""
        for world in self._open.values():
            world.close()
        self._open.clear()

    def _path(self, name: str) -> Path | None:
        return self.folder / f"{name}.world" if self.folder else None

    def _keep(self, world: World) -> World:
        self._open[world.name] = world
        return world

    def _check(self, name: str) -> None:
        labels = {service.host_label for service in self.services.values()} | set(self.services)
        if not _NAME.fullmatch(name):
            raise BadWorldName(f"{name!r} is no world name: use 1 to 32 of a-z, 0-9 and inner hyphens.")
        if name in RESERVED or name in labels:
            raise BadWorldName(f"{name!r} is reserved; choose another world name.")
        if name in self._open:
            raise WorldExists(f"There is a world {name!r} already; reset it or choose another name.")
        if len(self._open) >= self.limit:
            raise TooManyWorlds(f"This server holds {self.limit} worlds, its limit; remove one first.")


def _delete(path: Path | None) -> None:
    """The files of a disk world, and what was left of writing them."""
    for suffix in (*_FILES, *(f"{suffix}{SCRATCH}" for suffix in _FILES)) if path else ():
        assert path is not None
        path.with_suffix(suffix).unlink(missing_ok=True)
