"""What the bundle of a rollout at a code task shows: its holds, what the solution changed, transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.book.inside import Inside, outside
from harness.book.transcript import shortened
from harness.code.bundle import CodeBundle
from harness.code.declaring import CodeTask
from harness.grade import Verdict
from harness.hiding import Hiding

MOST_LINES = 3000
Lines = list[tuple[str, str]]


def solution(bundle: CodeBundle, task: CodeTask | None) -> Inside:
    """All that a code task's bundle shows; without its task, too."""
    hiding, manifest = Hiding(), bundle.manifest
    visible: Any = manifest.get("visible_tests")
    tests = f"{visible.get('passed')} of {visible.get('of')}" if isinstance(visible, dict) else ""
    answer = manifest.get("answer", "")
    return replace(
        outside(bundle, hiding),
        told=hiding.text(task.instance.adds) if task else "",
        holds=_holds(manifest.get("holds")),
        void=str(manifest.get("void", "")),
        visible_tests=tests,
        files=differences(hiding.code(bundle.diff)),
        answer=shortened(hiding.text(str(answer))) if answer else "",
        trouble=bundle.other_lock(task) if task else "Its task is not here any more.",
    )


def _holds(said: Any) -> Sequence[Verdict]:
    try:
        return [Verdict(each["guard"], each["state"], each.get("message", "")) for each in said or ()]
    except (AttributeError, KeyError, TypeError):
        return []


def differences(diff: str) -> Sequence[tuple[str, Lines]]:
    """A unified diff by file: each line with what it is, `added`, `removed`, `place` or `same`."""
    found: list[tuple[str, Lines]] = []
    lines = diff.splitlines()
    for number, line in enumerate(lines[:MOST_LINES]):
        if (
            line.startswith("--- ")
            and lines[number + 1 : number + 2]
            and lines[number + 1].startswith("+++ ")
        ):
            found.append((_name(line, lines[number + 1]), []))
        elif line.endswith("differs, and is not text to be read here"):
            found.append((line.partition(" differs,")[0], [("place", "not text to be read here")]))
        elif found and not line.startswith("+++ "):
            found[-1][1].append((_KINDS.get(line[:1], "same"), line))
    if len(lines) > MOST_LINES:
        found.append((f"{len(lines) - MOST_LINES:,} more lines in the bundle", []))
    return found


_KINDS = {"+": "added", "-": "removed", "@": "place"}


def _name(old: str, new: str) -> str:
    """The file that two head lines are about."""
    name = new[4:] if new[4:] != "/dev/null" else old[4:]
    verb = (
        "" if "/dev/null" not in (old[4:], new[4:]) else " (new)" if old[4:] == "/dev/null" else " (removed)"
    )
    return name.partition("/")[2] + verb
