"""What a grader's program answers with, inside a life. It is copied beside the program, and imports nothing
that is slow: each life is a process of its own.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import IO, Any

_answers: list[IO[str]] = []


def take_output() -> None:
    """Takes standard output away from everything else: what a solution prints, by whatever means, goes to
    standard error from now on, and disturbs no answer. A life begins with it.
    """
    _answers.append(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    sys.stdout = sys.stderr


def serve(handle: Callable[[Any], Any]) -> None:
    """Reads a JSON value a line, and answers with what `handle` returns, or with what it raised."""
    for line in sys.stdin:
        answer(_handled(handle, json.loads(line)))


def answer(value: Any) -> None:
    """Writes one line."""
    _answers[0].write(json.dumps(value, default=repr) + "\n")
    _answers[0].flush()


def _handled(handle: Callable[[Any], Any], value: Any) -> dict[str, Any]:
    try:
        return {"ok": handle(value)}
    except Exception as error:  # the solution's own, for the grader to judge
        return {"raised": type(error).__name__, "said": str(error), "code": getattr(error, "code", None)}
