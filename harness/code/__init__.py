"""Code tasks: an agent reworks a small program, and a hidden grader tries what must hold of it.

A folder of scenarios/ with `environment.py` and `task/` is one; see README.md here.
"""

from __future__ import annotations

from harness.code.declaring import (
    CodeEnvironment,
    CodeTask,
    Hold,
    Instance,
    Invariant,
    Witness,
    hold,
    invariant,
)

__all__ = [
    "CodeEnvironment",
    "CodeTask",
    "Hold",
    "Instance",
    "Invariant",
    "Witness",
    "hold",
    "invariant",
]
