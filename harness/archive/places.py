"""What lies where in a data folder: the archive, bundles by run, and the file by which a run is held."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ARCHIVE, RUNS, LOCK = "archive.db", "runs", "lock"


class RunHeld(RuntimeError):
    """Another process is at this run; the sentence says which."""


def archive_in(data: Path) -> Path:
    """The archive of a data folder, whether it is there or not."""
    return data / ARCHIVE


def bundle_name(run: str, task: str, seed: int, number: int) -> str:
    """The path of a rollout's bundle, from the archive's folder: `runs/7-null/desk-file-it-s1-n2.zip`."""
    env, _, slug = task.partition("/")
    return f"{RUNS}/{run}/{env}-{slug}-s{seed}-n{number}.zip"


def bundle_at(data: Path, name: str) -> Path:
    """Where a bundle is that an archive names. Raises ValueError for one outside of the archive's folder,
    links followed: an archive may come from anyone.
    """
    path = (data / name).resolve()
    if not path.is_relative_to(data.resolve()):
        raise ValueError("The archive names a bundle outside of its folder, which is not read")
    return path


def slug_of(label: str) -> str:
    """What a label is called in a run's id and so in paths: `my_agent.py-agent` of `./my_agent.py:agent`."""
    return re.sub(r"[^\w.-]+", "-", Path(label).name, flags=re.ASCII).strip("-.")[:40] or "run"


@contextmanager
def holding(data: Path, run: str) -> Iterator[Path]:
    """Holds a run for as long as this process lives; gives its folder, made for the owner alone.

    The kernel lets go of it however the process ends. Raises RunHeld, and OSError where nothing can be
    written.
    """
    folder = data / RUNS / run
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    held = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            by = os.read(held, 20).decode(errors="replace").strip()
            raise RunHeld(f"Run {run} is under way{f' in process {by}' if by else ''}.") from None
        os.ftruncate(held, 0)
        os.write(held, str(os.getpid()).encode())
        yield folder
    finally:
        os.close(held)


def is_held(data: Path, run: str) -> bool:
    """Whether some process is at a run now."""
    with suppress(FileNotFoundError):
        lock = os.open(data / RUNS / run / LOCK, os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
    return False
