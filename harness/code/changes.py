"""What a solution changed: files added, changed and removed, seen from the workspace that was handed out."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from harness.code.overlay import files_of

MOST_FILES, MOST_BYTES = 4000, 64 << 20
SHOWN_BYTES = 1 << 20  # of a file in the diff that people read


class TooLarge(Exception):
    """A workspace that is too large to be kept; the sentence says how large it is."""


@dataclass(frozen=True)
class Changes:
    """The files of a solution that the workspace did not have so, and those that it has no more."""

    files: Mapping[str, bytes]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def onto(self, workspace: Path) -> None:
        """Makes them in a workspace that is as it was handed out."""
        for name in self.removed:
            (workspace / name).unlink(missing_ok=True)
            for folder in Path(name).parents[:-1]:  # a file may be in its place now
                with suppress(OSError):
                    (workspace / folder).rmdir()
        for name, content in self.files.items():
            (workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (workspace / name).write_bytes(content)


def changes(before: Path, after: Path) -> Changes:
    """What is other in a workspace. Links, what tools leave behind, and names that are no names elsewhere do
    not count. Raises TooLarge.
    """
    was = {*files_of(before)}
    left = () if after.is_symlink() else files_of(after)
    now = [path for path in left if is_safe(path.as_posix())]
    size = sum((after / path).stat().st_size for path in now)
    if len(now) > MOST_FILES or size > MOST_BYTES:
        raise TooLarge(
            f"The workspace has {len(now)} files of {size >> 20} MB, which is more than is kept: "
            f"{MOST_FILES} files of {MOST_BYTES >> 20} MB."
        )
    other = [path for path in now if path not in was or _differs(path, before, after)]
    found = {path.as_posix(): (after / path).read_bytes() for path in other}
    added = tuple(path.as_posix() for path in now if path not in was)
    return Changes(found, added, tuple(sorted(path.as_posix() for path in was - {*now})))


def _differs(path: Path, before: Path, after: Path) -> bool:
    return (before / path).read_bytes() != (after / path).read_bytes()


def diff(before: Path, made: Changes) -> str:
    """The changes as a unified diff, for people to read."""
    names = sorted({*made.files, *made.removed})
    return "".join(line for name in names for line in _diff(name, before, made.files.get(name)))


def _diff(name: str, before: Path, new: bytes | None) -> Iterator[str]:
    path = before / name
    old = path.read_bytes() if path.is_file() else None
    if any(_is_unreadable(content) for content in (old, new)):
        yield f"{name} differs, and is not text to be read here\n"
        return
    source = "/dev/null" if old is None else f"a/{name}"
    target = "/dev/null" if new is None else f"b/{name}"
    for line in difflib.unified_diff(_lines(old), _lines(new), source, target):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _is_unreadable(content: bytes | None) -> bool:
    return content is not None and (len(content) > SHOWN_BYTES or b"\0" in content)


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode(errors="replace").splitlines(keepends=True)


def is_safe(name: str) -> bool:
    """Whether a path that anyone may have written stays inside of a workspace."""
    path = PurePosixPath(name)
    return (
        0 < len(name) < 400
        and not path.is_absolute()
        and path.as_posix() == name
        and ".." not in path.parts
        and name.isprintable()
        and not set(name) & set("\\:")
    )
