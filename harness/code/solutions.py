"""The solutions that an environment brings itself: the start, the reference, and its witnesses."""

from __future__ import annotations

from pathlib import Path

from harness.code.declaring import CodeEnvironment, CodeTask
from harness.code.overlay import copy_tree, lay_over

START, REFERENCE = "S0", "reference"
PROMPT = "PROMPT.md"


def solution_names(env: CodeEnvironment) -> list[str]:
    """All of them: task/ as it is, the reference, and each witness by its name."""
    return [START, REFERENCE, *env.witnesses]


def build(env: CodeEnvironment, solution: str, workspace: Path) -> None:
    """Makes the workspace of a solution: a witness is laid over the reference, and that over task/."""
    copy_tree(env.folder / "task", workspace)
    if solution != START:
        lay_over(workspace, env.folder / "reference")
    if solution not in (START, REFERENCE):
        lay_over(workspace, env.folder / "witnesses" / solution)


def open_workspace(task: CodeTask, workspace: Path) -> None:
    """Makes the workspace that an agent gets: task/ with what its instance asks for in PROMPT.md."""
    copy_tree(task.env.folder / "task", workspace)
    (workspace / PROMPT).write_text(task.instruction, encoding="utf-8")
