"""Where an exception came from, in a line: file and line of the last frame in somebody's own files.

What people write for us (scenarios, plays, agents) breaks in their code or beneath it; what they need to see
is the last place of theirs on the way down.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path


def told(error: BaseException, own: Sequence[Path], said: str | None = None) -> str:
    """`agent.py:14: KeyError: 'nope'`; the place is left out when no frame is in `own`.

    Of those files and folders, the first that has a frame counts. `said` stands in for class and text.
    """
    place = place_of(error, own)
    said = said or f"{type(error).__name__}: {_text(error)}".rstrip(": ")
    return f"{place}: {said}" if place else said


def place_of(error: BaseException, own: Sequence[Path]) -> str:
    """`agent.py:14`, or nothing."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_file():
        return f"{shown(Path(error.filename))}:{error.lineno}"
    frames = [frame for link in _chain(error) for frame in reversed(traceback.extract_tb(link.__traceback__))]
    for files in own:
        root = files.resolve()
        for frame in frames:
            if Path(frame.filename).resolve().is_relative_to(root):
                return f"{shown(Path(frame.filename))}:{frame.lineno}"
    return ""


def shown(file: Path) -> str:
    """A file as it is named from the working directory, if it lies there."""
    resolved, here = file.resolve(), Path.cwd().resolve()
    return str(resolved.relative_to(here)) if resolved.is_relative_to(here) else str(file)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, and what it was raised from: of a time-out, what was cut short."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _text(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return str(error.msg)
    return " ".join(str(error).split())


__all__ = ["place_of", "shown", "told"]
