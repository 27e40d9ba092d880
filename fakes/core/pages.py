"""Databases in memory that share their pages: a fork costs what was written, whatever the size of the world.

A base is one immutable image that any number of worlds stand on. SQLite reads and writes each world's file
through a VFS of ours, which keeps the pages that this world wrote and takes all others from the base. So a
copy is a copy of a few references, a reset forgets the pages, and an image that nobody wrote to is the base.

Each file has one connection, in exclusive locking mode and with its rollback journal in memory: between reads
nothing is asked of the file but pages that are not in SQLite's own cache.
"""

from __future__ import annotations

from itertools import count

import apsw

_PAGE = 4096
# Spilling would write pages of an open transaction, and an image is of what was committed.
_SET_UP = """PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY; PRAGMA cache_spill = OFF"""


class Pages:
    """One database's file: an image, which others may share, and the pages written since."""

    __slots__ = ("_base", "_page", "_shared", "_size", "_written")

    def __init__(self, image: bytes = b"") -> None:
        self._base = image
        self._written: dict[int, bytes] = {}
        self._size = self._shared = len(image)
        self._page = int.from_bytes(image[16:18], "big") or _PAGE
        if self._page == 1:
            self._page = 65536

    def copy(self) -> Pages:
        """Another file with the same pages; what is written to one does not show in the other."""
        other = Pages(self._base)
        other._written = self._written.copy()
        other._size, other._shared, other._page = self._size, self._shared, self._page
        return other

    def image(self) -> bytes:
        """The file as bytes, as the last commit left it; they are the base from now on."""
        if self._written or not self._size == self._shared == len(self._base):
            self._base = self._joined()
            self._written = {}
            self._shared = self._size
        return self._base

    def _joined(self) -> bytes:
        base, at = memoryview(self._base), 0
        parts: list[bytes | memoryview] = []
        for offset in sorted(self._written):
            parts += [base[at:offset], self._written[offset]]
            at = offset + self._page
        return b"".join([*parts, base[at : self._size]])

    def connect(self) -> apsw.Connection:
        """The file's connection: there is only ever one. Raises apsw.Error for what is no database."""
        name = f"pages-{next(_numbers)}"
        _opening[name] = self
        try:
            con = apsw.Connection(name, vfs=_PagesVFS.NAME)
        finally:
            del _opening[name]
        try:
            con.execute(_SET_UP).fetchall()
        except apsw.Error:
            con.close()
            raise
        return con

    # what SQLite asks of a file

    def xRead(self, amount: int, offset: int) -> bytes:
        """Bytes of one page."""
        page = self._written.get(offset)
        if page is not None:
            return page[:amount]
        within = offset % self._page
        if within and (page := self._written.get(offset - within)) is not None:
            return page[within : within + amount]
        return self._base[offset : min(offset + amount, self._shared)]

    def xWrite(self, data: bytes, offset: int) -> None:
        """Keeps a page."""
        self._written[offset] = bytes(data)
        self._size = max(self._size, offset + len(data))

    def xTruncate(self, size: int) -> None:
        """Lets go of the pages at the end."""
        self._size = size
        self._shared = min(self._shared, size)
        self._written = {offset: page for offset, page in self._written.items() if offset < size}

    def xFileSize(self) -> int:
        """How many bytes there are."""
        return self._size

    def xLock(self, level: int) -> None:
        """Nobody else has this file."""

    def xUnlock(self, level: int) -> None:
        """Nobody else has this file."""

    def xCheckReservedLock(self) -> bool:
        """Nobody else has this file."""
        return False

    def xSync(self, flags: int) -> None:
        """There is no disk."""

    def xFileControl(self, op: int, pointer: int) -> bool:
        """Nothing is known here that SQLite does not know."""
        return False

    def xSectorSize(self) -> int:
        """Pages are written whole."""
        return self._page

    def xDeviceCharacteristics(self) -> int:
        """Nothing that needs another journal."""
        return 0

    def xClose(self) -> None:
        """The pages stay, for the next connection."""


class _PagesVFS(apsw.VFS):
    """Opens the files above by name. Temporary files, where SQLite wants one, are the system's."""

    NAME = "paracosm-pages"

    def __init__(self) -> None:
        super().__init__(self.NAME, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        if name is None:
            return super().xOpen(name, flags)
        return _opening[name if isinstance(name, str) else name.filename()]  # type: ignore[return-value]

    def xFullPathname(self, name: str) -> str:
        return name

    def xAccess(self, pathname: str, flags: int) -> bool:
        return False  # there is no journal beside a file

    def xDelete(self, filename: str, syncdir: bool) -> None:
        """There is nothing beside a file."""


_numbers = count(1)
_opening: dict[str, Pages] = {}
_vfs = _PagesVFS()  # registered for as long as this lives
