"""`scenarios/<env>/qualified.json`: when a code environment's grader was last qualified, and what it said."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fakes.core.clock import utc, wall_ms
from harness.code import locks
from harness.code.declaring import CodeEnvironment
from harness.code.overlay import files_of
from harness.code.qualify import Qualification
from harness.code.solutions import solution_names

FOLDERS = ("task", "grader", "reference", "witnesses")


@dataclass(frozen=True)
class Qualified:
    """A qualification as it is kept. It is `fresh` while it held, and all that it is about is what it was.

    `solutions` are those that were tried, with the invariants that each failed and the holds that it broke.
    """

    date: str
    fresh: bool
    proved: int
    total: int
    crash_points: int
    locks: Mapping[str, str]
    solutions: Mapping[str, tuple[str, ...]]


def path_of(env: CodeEnvironment) -> Path:
    """Where an environment's qualification is kept."""
    return env.folder / "qualified.json"


def fingerprint(env: CodeEnvironment) -> str:
    """Sixteen hex digits over declaration, task, grader, reference and witnesses."""
    digest = hashlib.sha256(env.file.read_bytes())
    for folder in FOLDERS:
        for path in files_of(env.folder / folder):
            content = (env.folder / folder / path).read_bytes()
            digest.update(f"{folder}/{path.as_posix()}".encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:16]


def read(env: CodeEnvironment) -> Qualified | None:
    """The qualification that is kept; None when there was none."""
    try:
        kept: dict[str, Any] = json.loads(path_of(env).read_text())
        fresh = bool(kept["qualified"]) and kept["of"] == fingerprint(env)
        return Qualified(
            kept["date"], fresh, kept["proved"], kept["total"], kept["crash_points"], kept["locks"],
            {name: tuple(refused) for name, refused in kept["solutions"].items()},
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write(made: Qualification) -> bool:
    """Keeps a qualification of all instances, if it says something new; whether it did. What qualified is
    locked, if it was not yet.
    """
    env = made.env
    whole = len(made.tasks) == len(env.tasks) and len(made.found) == len(solution_names(env))
    try:
        if made.qualified:
            for task in made.tasks:
                locks.keep(task)
        kept = json.loads(path_of(env).read_text()) if path_of(env).exists() else {}
        new = _plain(made)
        if not whole or {name: value for name, value in kept.items() if name != "date"} == new:
            return False
        text = json.dumps({"date": utc(wall_ms()).date().isoformat(), **new}, indent=2)
        path_of(env).write_text(text + "\n")
    except (OSError, ValueError):  # a folder that can't be written, or holds something else
        return False
    return True


def _plain(made: Qualification) -> dict[str, Any]:
    return {
        "qualified": made.qualified,
        "of": fingerprint(made.env),
        "proved": made.proved,
        "total": made.total,
        "crash_points": made.crash_points,
        "locks": locks.read(made.env),
        "solutions": {
            found.solution: [v.guard for v in found.verdicts if v.state == "refused"] for found in made.found
        },
    }
