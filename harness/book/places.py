"""Where each page of the book is, from its root. No name from an archive leads out of its folder."""

from __future__ import annotations

import hashlib
import re

INDEX, CONTENTS, COMPARE = "index.html", "contents.html", "compare.html"
_PLAIN = re.compile(r"[A-Za-z0-9][\w.-]{0,79}", re.ASCII)


def file_name(name: str) -> str:
    """A name as a file's: as it is where it is plain, else a digest of it."""
    if _PLAIN.fullmatch(name):
        return name
    return f"x-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:16]}"


def environment(slug: str) -> str:
    """The page of an environment."""
    return f"environments/{file_name(slug)}.html"


def task(name: str) -> str:
    """The page of a task, ENV/TASK."""
    env, _, slug = name.partition("/")
    return f"environments/{file_name(env)}/{file_name(slug)}.html"


def run(run_id: str) -> str:
    """The page of a run."""
    return f"runs/{file_name(run_id)}.html"


def rollout(number: int) -> str:
    """The page of a rollout."""
    return f"rollouts/{number}.html"


def medium(number: int, file: str) -> str:
    """A picture or film of a rollout."""
    return f"rollouts/{number}/{file_name(file.rpartition('.')[0])}.{file.rpartition('.')[2]}"
