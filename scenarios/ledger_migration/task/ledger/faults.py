"""Kills the process at a chosen write or commit, so that crashes can be tried one by one.

LEDGER_FAULT=commit:3 ends it after the third commit, LEDGER_FAULT=write:3 after the third write, before that
write is committed. Nothing is cleaned up: it is as if the machine had lost its power.
"""

import os

EXIT = 86


class Faults:
    """Counts what happens, and strikes when it is time."""

    def __init__(self, planned: str) -> None:
        self.kind, _, count = planned.partition(":")
        self.left = int(count or 0)

    def after(self, kind: str) -> None:
        """Something of this kind was done: "write" or "commit"."""
        if kind == self.kind:
            self.left -= 1
            if self.left == 0:
                os._exit(EXIT)


FAULTS = Faults(os.environ.get("LEDGER_FAULT", ""))
