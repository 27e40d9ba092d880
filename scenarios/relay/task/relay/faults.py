"""The crash injector: says at which commit or write the process is to die.

RELAY_FAULT=commit:K ends the process right after the K-th commit, RELAY_FAULT=write:K right after the K-th
write, before it is committed. The store reports both to here, so crash points are exact and can be counted.
"""

from __future__ import annotations

import os

EXIT = 86


class Fault:
    """One planned death; `commit:3` or `write:3`. None is planned where nothing is said."""

    def __init__(self, planned: str) -> None:
        self._kind, _, at = planned.partition(":")
        self._at = int(at or 0)
        self._counts = {"commit": 0, "write": 0}

    def due(self, kind: str) -> bool:
        """Whether the next commit or write is the one."""
        return kind == self._kind and self._counts[kind] + 1 == self._at

    def passed(self, kind: str) -> None:
        """Counts a commit or write that has just been done, and dies of it if it is the one."""
        due = self.due(kind)
        self._counts[kind] += 1
        if due:
            os._exit(EXIT)


FAULT = Fault(os.environ.get("RELAY_FAULT", ""))
