"""The bundle of an attempt at a code task: what it changed, from which anyone grades it again.

The same family as a world's bundle: `manifest.json` with `"kind": "code"`, `files/…` as they were left,
`solution.diff` for people, `answer.json`, `error.txt`, and `extra/`. It may come from anyone: its files are
written into a fresh workspace alone, and run in processes of their own.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from harness import facts
from harness.attempt import product_version
from harness.bundle import EXTRA, FORMAT, MANIFEST, Bundle, BundleError, sealed
from harness.code.changes import MOST_BYTES, MOST_FILES, Changes, diff, is_safe
from harness.code.declaring import CodeTask
from harness.code.grading import CodeReport
from harness.code.locks import lock_of
from harness.code.solutions import open_workspace
from harness.driven import Driven

KIND, FILES, DIFF = "code", "files/", "solution.diff"
LIMIT = 4 * MOST_BYTES  # bytes of all parts, unpacked


def pack(
    task: CodeTask, attempt: Driven, made: Changes, before: Path, rail: str, took_s: float,
    report: CodeReport | None = None, *, confined: bool = False,
) -> bytes:  # fmt: skip
    """The bundle of an attempt, with its verdicts if it was graded."""
    parts = {f"{FILES}{name}": content for name, content in made.files.items()}
    parts[DIFF] = diff(before, made).encode()
    parts["answer.json"] = facts.dump(attempt.answer).encode()
    if attempt.trace:
        parts["error.txt"] = attempt.trace.encode(errors="replace")
    parts |= {f"{EXTRA}{name}": content for name, content in attempt.extras.items()}
    lock = lock_of(task)
    manifest = {
        "format": FORMAT,
        "kind": KIND,
        "env": task.env.slug,
        "task": task.slug,
        "revision": lock,
        "rail": rail,
        "ended": attempt.ended,
        "error": attempt.error,
        "confined": confined,
        "usage": asdict(attempt.usage),
        "took_s": round(took_s, 3),
        "versions": {"paracosm": product_version(), "revision": lock},
        "added": list(made.added),
        "removed": list(made.removed),
        **_graded(report),
    }
    return sealed(manifest, parts)


def _graded(report: CodeReport | None) -> dict[str, Any]:
    if report is None:
        return {"state": None, "verdicts": [], "holds": [], "void": "", "visible_tests": None}
    visible = report.holding.visible
    return {
        "state": report.grade.state,
        "void": report.grade.void,
        "verdicts": [asdict(verdict) for verdict in report.grade.verdicts],
        "holds": [asdict(verdict) for verdict in report.holding.verdicts],
        "visible_tests": {"passed": visible.passed, "of": visible.of, "added": visible.added},
        "crash_points": report.crash_points,
        "graded_s": round(report.seconds, 3),
    }


class CodeBundle(Bundle):
    """A bundle of a code task that was read. Raises BundleError, as Bundle does."""

    needed: ClassVar[Mapping[str, type]] = {
        "env": str, "task": str, "revision": str, "rail": str, "ended": str, "error": str,
        "versions": dict, "added": list, "removed": list, "sha256": dict,
    }  # fmt: skip

    def __init__(self, content: bytes) -> None:
        _check_size(content)
        super().__init__(content)
        if self.manifest.get("kind") != KIND:
            raise BundleError("This is no bundle of a code task.")
        for name in (*self.files, *self.manifest["removed"]):
            if not isinstance(name, str) or not is_safe(name):
                raise BundleError(f"This bundle has a file at {name!r}, which is no place in a workspace.")

    @property
    def files(self) -> dict[str, bytes]:
        """The files that were added or changed, by their paths in the workspace."""
        return {n.removeprefix(FILES): part for n, part in self._parts.items() if n.startswith(FILES)}

    @property
    def diff(self) -> str:
        """What was changed, as a unified diff."""
        return self._parts.get(DIFF, b"").decode(errors="replace")

    def unpack(self, task: CodeTask, workspace: Path) -> None:
        """Makes the workspace as it was left, from what the task hands out. Raises BundleError."""
        open_workspace(task, workspace)
        try:
            Changes(self.files, (), tuple(self.manifest["removed"])).onto(workspace)
        except OSError as error:  # a file where another has its folder
            raise BundleError(
                f"This bundle of {self.task_name} can't be laid out: {error.strerror}."
            ) from None

    def other_lock(self, task: CodeTask) -> str:
        """A sentence if the instance was another when the attempt was made; empty if it was this one."""
        found, now = self.manifest["revision"], lock_of(task)
        return "" if found == now else f"The bundle was made for {task.name} as {found}; it is {now} now."


def is_code_bundle(content: bytes) -> bool:
    """Whether this is a bundle of a code task, damaged or not."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file, file.open(MANIFEST) as part:
            found = json.loads(part.read(1 << 24))
            return isinstance(found, dict) and found.get("kind") == KIND
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError, ValueError, RuntimeError):
        return False


def _check_size(content: bytes) -> None:
    """Refuses what would unpack to more than an attempt can leave, before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            infos = file.infolist()
    except (zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        raise BundleError(f"This is no bundle of evidence, or a damaged one: {error}.") from None
    if len(infos) > 2 * MOST_FILES or sum(info.file_size for info in infos) > LIMIT:
        raise BundleError("This bundle unpacks to more than an attempt at a code task may leave.")
