"""Folders of our own in which somebody else's programs have worked: whatever they left, they go away."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def fresh_folder(prefix: str, place: str | None = None) -> Iterator[Path]:
    """A new folder, in a `place` or the usual one; it is removed afterwards, and that raises nothing."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
    try:
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> None:
    """Removes a folder, as far as can be done; of a link that stands in its place, the link alone."""
    with suppress(OSError):
        if folder.is_symlink():
            folder.unlink()
            return
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:  # folders in folders, a thousand deep
        subprocess.run(["rm", "-rf", "--", str(folder)], stderr=subprocess.DEVNULL, check=False)
