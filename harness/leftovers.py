"""Processes that somebody else's programs leave behind: they are known by a mark in their environment, or by
where they work, whichever group they are in.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path


def kill_left(mark: str, value: str, folder: Path | None = None) -> None:
    """Kills what carries this mark, or works in the folder; where there is no /proc, nothing."""
    wanted = f"{mark}={value}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it is gone, or another user's
            marked = wanted in (process / "environ").read_bytes().split(b"\0")
            if marked or (folder is not None and (process / "cwd").readlink().is_relative_to(folder)):
                os.kill(int(process.name), signal.SIGKILL)
