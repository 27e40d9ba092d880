"""Finds environments and tasks by folder: scenarios/<env>/environment.py and scenarios/<env>/tasks/*.py."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache

from harness.app import package_root
from harness.environment import Environment
from harness.guards import TaskError
from harness.task import Task


class UnknownTarget(LookupError):
    """No environment or task of that name; the sentence lists those there are."""


@cache
def discover_environments() -> dict[str, Environment]:
    """Every environment by name, with its tasks. Raises TaskError for a task that is declared wrongly."""
    root = package_root("scenarios")
    found: dict[str, Environment] = {}
    for info in pkgutil.iter_modules(root.__path__):
        if info.ispkg and importlib.util.find_spec(f"scenarios.{info.name}.environment"):
            found[info.name] = _load(info.name)
    return found


def _load(name: str) -> Environment:
    module = importlib.import_module(f"scenarios.{name}.environment")
    env = getattr(module, "env", None)
    if not isinstance(env, Environment):
        raise TaskError(f"scenarios/{name}/environment.py must export `env`, an Environment.")
    if importlib.util.find_spec(f"scenarios.{name}.tasks"):
        tasks = importlib.import_module(f"scenarios.{name}.tasks")
        for info in pkgutil.iter_modules(tasks.__path__):
            importlib.import_module(f"{tasks.__name__}.{info.name}")
    for task in env.tasks.values():
        task.check()
    return env


def find(
    targets: Iterable[str], among: Mapping[str, Environment] | None = None
) -> list[tuple[Environment, list[Task]]]:
    """The environments and tasks that ENV or ENV/TASK name; all of them for no targets.

    Raises UnknownTarget.
    """
    environments = discover_environments() if among is None else among
    chosen: dict[str, dict[str, Task]] = {}
    for target in list(targets) or list(environments):
        name, _, slug = target.partition("/")
        env = environments.get(name.replace("-", "_")) or environments.get(name)
        if env is None:
            raise UnknownTarget(
                f"There is no environment {name!r}; there are: {', '.join(environments) or 'none'}."
            )
        if slug and slug not in env.tasks:
            raise UnknownTarget(
                f"{env.slug} has no task {slug!r}; its tasks are: {', '.join(env.tasks) or 'none'}."
            )
        chosen.setdefault(env.slug, {}).update({slug: env.tasks[slug]} if slug else env.tasks)
    return [(environments[slug], list(tasks.values())) for slug, tasks in chosen.items()]


def find_task(name: str, among: Mapping[str, Environment] | None = None) -> Task:
    """The task that ENV/TASK names. Raises UnknownTarget."""
    found = find([name], among)[0][1]
    if "/" not in name or len(found) != 1:
        raise UnknownTarget(f"{name!r} names no single task; write ENV/TASK.")
    return found[0]
