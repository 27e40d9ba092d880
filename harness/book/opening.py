"""Opens the bundle of a rollout, wherever it is and whoever made it, for its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from fakes.core.service import Service
from harness.app import BrokenScenario
from harness.archive.places import bundle_at
from harness.archive.records import Rollout
from harness.book.inside import Inside, inside, outside
from harness.book.solution import solution
from harness.bundle import Bundle, BundleError
from harness.code.bundle import CodeBundle, is_code_bundle
from harness.code.discovery import find_code_tasks
from harness.discovery import UnknownTarget, find_task
from harness.hiding import Hiding

_ABSENT = (UnknownTarget, BrokenScenario)


def open_rollout(rollout: Rollout, data: Path, services: Mapping[str, Service]) -> Inside:
    """What its bundle shows; where that can't be read, why."""
    if not rollout.bundle:
        return Inside(trouble="No bundle was kept of it.")
    try:
        path = bundle_at(data, rollout.bundle)
    except ValueError as error:
        return Inside(trouble=f"{error}.")
    try:
        content = path.read_bytes()
        bundle = CodeBundle(content) if is_code_bundle(content) else Bundle(content)
    except (OSError, ValueError) as error:
        return Inside(trouble=f"Its bundle can't be read: {getattr(error, 'strerror', '') or error}.")
    except BundleError as error:
        return Inside(trouble=str(error))
    if bundle.task_name != rollout.task:
        return Inside(trouble=f"The bundle is one of {bundle.task_name}.")
    if isinstance(bundle, CodeBundle):
        return _solution(bundle)
    return _world(bundle, rollout, services)


def _world(bundle: Bundle, rollout: Rollout, services: Mapping[str, Service]) -> Inside:
    try:
        task = find_task(rollout.task)
    except _ABSENT:
        return outside(bundle, Hiding(), "Its task is not here any more, so its worlds can't be read.")
    shown = inside(bundle, task, rollout.verdicts, services)
    return replace(shown, trouble=shown.trouble or bundle.other_revision(task))


def _solution(bundle: CodeBundle) -> Inside:
    try:
        return solution(bundle, find_code_tasks(bundle.task_name)[0])
    except _ABSENT:
        return solution(bundle, None)
