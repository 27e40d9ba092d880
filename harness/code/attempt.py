"""An attempt at a code task: a fresh workspace, what acts in it, and the grade of what it leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from harness.code.bundle import CodeBundle, pack
from harness.code.changes import Changes, TooLarge, changes
from harness.code.declaring import CodeTask
from harness.code.grading import CodeReport, Holding, report
from harness.code.regrading import regraded
from harness.code.solutions import open_workspace
from harness.code.visible import Visible
from harness.driven import Driven
from harness.folders import fresh_folder
from harness.grade import Grade
from harness.parallel import Crew


@dataclass(kw_only=True)
class CodeAttempt(Driven):
    """One attempt under way. `workspace` is all that it may work on, and `prompt` what it is told."""

    task: CodeTask
    workspace: Path
    prompt: str
    rail: str
    confined: bool = False


CodeDrive = Callable[[CodeAttempt], Awaitable[None]]


@dataclass(frozen=True)
class CodeRollout:
    """What came of an attempt. Its workspace is gone: the bundle has what was changed there."""

    grade: Grade
    bundle: bytes
    attempt: CodeAttempt
    report: CodeReport


async def code_rollout(
    task: CodeTask, drive: CodeDrive, *, rail: str, crew: Crew | None = None
) -> CodeRollout:
    """Hands out a workspace, and grades what is left in it, from the bundle, as it can be graded again."""
    with fresh_folder("paracosm-attempt-") as root, fresh_folder("paracosm-before-") as before:
        workspace = root / task.env.slug
        open_workspace(task, workspace)
        attempt = CodeAttempt(task=task, workspace=workspace, prompt=task.instruction, rail=rail)
        began = time.monotonic()
        await drive(attempt)
        took = time.monotonic() - began
        open_workspace(task, before)  # only now: what acts there could change it
        made = _changes(before, attempt)
        packed = pack(task, attempt, made, before, rail, took, confined=attempt.confined)
        found = await asyncio.to_thread(_graded, task, attempt, packed, crew)
        bundle = pack(task, attempt, made, before, rail, took, found, confined=attempt.confined)
        return CodeRollout(found.grade, bundle, attempt, found)


def _changes(before: Path, attempt: CodeAttempt) -> Changes:
    try:
        return changes(before, attempt.workspace)
    except (TooLarge, OSError) as error:  # a result as any other: nothing of it can be graded
        attempt.fail(error, "error", str(error))
        return Changes({})


def _graded(task: CodeTask, attempt: CodeAttempt, packed: bytes, crew: Crew | None) -> CodeReport:
    if attempt.ended == "not-run":
        return report(task, Holding((), Visible(0)), {}, attempt.ended)
    return regraded(CodeBundle(packed), task, crew)
