"""Plays of a code task: its own solutions, laid into the workspace as an agent would leave them."""

from __future__ import annotations

from harness.code.attempt import CodeAttempt, CodeDrive
from harness.code.declaring import CodeTask
from harness.code.overlay import lay_over
from harness.code.solutions import REFERENCE
from harness.rollout import UnknownPlay

PLAYS = "reference, null, done or witness:NAME"


def code_drive_of(task: CodeTask, play: str) -> CodeDrive:
    """Lets a play of a code task act. Raises UnknownPlay."""
    kind, _, name = play.partition(":")
    if play in ("null", "done"):
        return _idle(says_done=play == "done")
    if play == REFERENCE:
        return _laying(task, [REFERENCE])
    if kind != "witness" or not name:
        raise UnknownPlay(f"A play of a code task is {PLAYS}, not {play!r}.")
    if name not in task.env.witnesses:
        known = ", ".join(task.env.witnesses) or "none"
        raise UnknownPlay(f"{task.name} has no witness {name!r}; it has {known}.")
    return _laying(task, [REFERENCE, f"witnesses/{name}"])


def _idle(*, says_done: bool) -> CodeDrive:
    async def drive(attempt: CodeAttempt) -> None:
        attempt.answer = "Done." if says_done else None

    return drive


def _laying(task: CodeTask, overlays: list[str]) -> CodeDrive:
    async def drive(attempt: CodeAttempt) -> None:
        async def lay() -> None:
            for overlay in overlays:
                lay_over(attempt.workspace, task.env.folder / overlay)

        await attempt.drive(lay)

    return drive
