"""`scenarios/<env>/locks.json`: what an instance is, for good.

The hash goes over the prompt as the instance sees it, the locked files, and the grader. An entry is written
once and never again: a change of the contract makes a new instance.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from harness.code.asked import grader_parts
from harness.code.declaring import CodeEnvironment, CodeTask
from harness.code.holds import locked_files


def path_of(env: CodeEnvironment) -> Path:
    """Where an environment's locks are kept."""
    return env.folder / "locks.json"


def lock_of(task: CodeTask) -> str:
    """Sixteen hex digits: the instance as it is now. Of the grader counts what its invariants rest on."""
    digest = hashlib.sha256()
    for name, content in _parts(task):
        digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:16]


def _parts(task: CodeTask) -> Iterator[tuple[str, bytes]]:
    env = task.env
    said = {name: getattr(env, name) for name in ("package", "tests", "store", "fault", "fault_exit")}
    yield "contract", json.dumps([task.instance.invariants, said]).encode()
    yield "prompt", task.instruction.encode()
    for path in locked_files(env):
        yield f"task/{path.as_posix()}", (env.folder / "task" / path).read_bytes()
    for path, content in grader_parts(env.folder / "grader", task.instance.invariants):
        yield f"grader/{path.as_posix()}", content


def read(env: CodeEnvironment) -> dict[str, str]:
    """The locks that are kept, by instance."""
    try:
        kept = json.loads(path_of(env).read_text())
    except FileNotFoundError:
        return {}
    return {str(slug): str(lock) for slug, lock in kept.items()}


def complaint(task: CodeTask) -> str:
    """A sentence if the instance is another than the one that was locked; else nothing."""
    kept, now = read(task.env).get(task.slug), lock_of(task)
    if kept in (None, now):
        return ""
    return (
        f"{task.name} was locked as {kept}, and its prompt, locked files and grader make {now} now: undo the "
        "change, or declare a new instance for it."
    )


def keep(task: CodeTask) -> bool:
    """Locks an instance that has no lock yet; whether it did."""
    kept = read(task.env)
    if task.slug in kept:
        return False
    kept[task.slug] = lock_of(task)
    path_of(task.env).write_text(json.dumps(kept, indent=2) + "\n")
    return True
