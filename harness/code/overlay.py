"""Workspaces: a folder laid over another, and what makes a solution out of task, reference and witness.

Only plain files count: links are left out, and so is what tools leave behind.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LEFT_OUT = frozenset(
    {"__pycache__", ".git", ".venv", "venv", "node_modules", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)
REMOVED = ".removed"
"""In an overlay: paths that it takes away, one a line."""


def files_of(folder: Path) -> Iterator[Path]:
    """The plain files of a folder, by their paths inside of it, in order."""
    waiting = [""]  # no recursion: they may be nested as deep as a system can
    while waiting:
        inner, entries = waiting.pop(), []
        with suppress(OSError), os.scandir(os.path.join(folder, inner)) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            if entry.is_file(follow_symlinks=False) and not entry.name.endswith(".pyc"):
                yield Path(inner, entry.name)
        waiting += [
            os.path.join(inner, entry.name)
            for entry in reversed(entries)
            if entry.name not in LEFT_OUT and entry.is_dir(follow_symlinks=False)
        ]


def copy_tree(source: Path, target: Path) -> None:
    """Copies plain files over whatever is there."""
    target.mkdir(parents=True, exist_ok=True)
    for path in files_of(source):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target / path)


def lay_over(workspace: Path, overlay: Path) -> None:
    """Lays an overlay over a workspace: copies its files, then removes what its `.removed` names."""
    copy_tree(overlay, workspace)
    named = workspace / REMOVED
    if named.is_file():
        for line in named.read_text(encoding="utf-8").split():
            (workspace / line).unlink()
        named.unlink()
