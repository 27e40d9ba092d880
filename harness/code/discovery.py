"""Finds code environments by folder: scenarios/<env>/ with `environment.py` and `task/`.

Only what is named is imported.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from functools import cache

from harness.app import BrokenScenario, blaming, scenario_folders
from harness.code.declaring import CodeEnvironment, CodeTask
from harness.code.grader import grader_of
from harness.discovery import UnknownTarget
from harness.frames import shown
from harness.guards import TaskError


def code_environment_names() -> list[str]:
    """Every code environment by name; none is imported for it."""
    return [
        name
        for name, folder in scenario_folders().items()
        if (folder / "environment.py").is_file() and (folder / "task").is_dir()
    ]


def is_code(target: str) -> bool:
    """Whether ENV or ENV/INSTANCE names a code environment."""
    return _folder(target.partition("/")[0]) is not None


def _folder(name: str) -> str | None:
    known = code_environment_names()
    return next((each for each in (name, name.replace("-", "_")) if each in known), None)


@cache
def load_code_environment(name: str) -> CodeEnvironment:
    """A code environment, with a grader that fits it. Raises BrokenScenario."""
    folder = scenario_folders()[name]
    try:
        with blaming(folder):
            env = getattr(importlib.import_module(f"scenarios.{name}.environment"), "env", None)
            if not isinstance(env, CodeEnvironment):
                raise TaskError(f"{shown(folder / 'environment.py')} must export `env`, a CodeEnvironment.")
            grader_of(env)
            return env
    except BrokenScenario:
        for module in [each for each in sys.modules if each.startswith(f"scenarios.{name}.")]:
            del sys.modules[module]  # imported from the start when it is asked for again
        raise


def find_code_tasks(target: str) -> list[CodeTask]:
    """The task that ENV/INSTANCE names, or all of ENV. Raises UnknownTarget and BrokenScenario."""
    name, _, slug = target.partition("/")
    folder = _folder(name)
    if folder is None:
        known = ", ".join(code_environment_names()) or "none"
        raise UnknownTarget(f"There is no code environment {name!r}; there are: {known}.")
    env = load_code_environment(folder)
    if slug and slug not in env.tasks:
        raise UnknownTarget(f"{env.slug} has no task {slug!r}; its tasks are: {', '.join(env.tasks)}.")
    return [env.tasks[slug]] if slug else list(env.tasks.values())


def find_all(targets: Iterable[str]) -> list[CodeTask]:
    """The tasks that targets name, each once. Raises UnknownTarget and BrokenScenario."""
    found = {task.name: task for target in targets for task in find_code_tasks(target)}
    return list(found.values())
