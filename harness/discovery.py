"""Finds environments and tasks by folder: scenarios/<env>/environment.py and scenarios/<env>/tasks/*.py.

Only what is named is imported: a scenario that is broken stands in nobody else's way.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from harness.app import BrokenScenario, blaming, scenario_folders
from harness.environment import Environment
from harness.frames import shown
from harness.guards import TaskError
from harness.task import Task


class UnknownTarget(LookupError):
    """No environment or task of that name; the sentence lists those there are."""


@dataclass
class Found:
    """The environments and tasks that were asked for, and a sentence for each environment that is broken."""

    chosen: list[tuple[Environment, list[Task]]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


def environment_names() -> list[str]:
    """Every environment with a world, by name; none is imported for it. Those with a `task/` set a code task:
    harness.code.discovery finds them.
    """
    return [
        name
        for name, folder in scenario_folders().items()
        if (folder / "environment.py").is_file() and not (folder / "task").is_dir()
    ]


def discover_environments() -> dict[str, Environment]:
    """Every environment by name, with its tasks. Raises BrokenScenario."""
    return {name: load_environment(name) for name in environment_names()}


@cache
def load_environment(name: str) -> Environment:
    """An environment with its tasks. Raises BrokenScenario, for a task that is declared wrongly too."""
    folder = scenario_folders()[name]
    try:
        with blaming(folder):
            return _load(name, folder)
    except BrokenScenario:
        _forget(name)
        raise


def _forget(name: str) -> None:
    """Lets an environment that broke half-way be imported from the start when it is asked for again."""
    for module in list(sys.modules):
        if module == f"scenarios.{name}.environment" or module.startswith(f"scenarios.{name}.tasks"):
            del sys.modules[module]


def _load(name: str, folder: Path, *, whole: bool = True) -> Environment:
    """Imports an environment and its tasks; each must be `whole`, unless it is still being written."""
    module = importlib.import_module(f"scenarios.{name}.environment")
    env = getattr(module, "env", None)
    if not isinstance(env, Environment):
        raise TaskError(f"{shown(folder / 'environment.py')} must export `env`, an Environment.")
    if (folder / "tasks" / "__init__.py").is_file():
        tasks = importlib.import_module(f"scenarios.{name}.tasks")
        for info in pkgutil.iter_modules(tasks.__path__):
            importlib.import_module(f"{tasks.__name__}.{info.name}")
    for task in env.tasks.values() if whole else ():
        _check(task)
    return env


def _check(task: Task) -> None:
    try:
        task.check()
    except TaskError as error:
        raise TaskError(f"{shown(task.file)}: {error}") from None


def find(targets: Iterable[str]) -> Found:
    """The environments and tasks that ENV or ENV/TASK name; all of them for no targets.

    Raises UnknownTarget.
    """
    known = environment_names()
    chosen: dict[str, dict[str, Task]] = {}
    broken: dict[str, str] = {}
    for target in list(targets) or known:
        name, slug = _named(target, known)
        try:
            env = load_environment(name)
        except BrokenScenario as error:
            broken[name] = str(error)
            continue
        if slug and slug not in env.tasks:
            raise UnknownTarget(
                f"{env.slug} has no task {slug!r}; its tasks are: {', '.join(env.tasks) or 'none'}."
            )
        chosen.setdefault(name, {}).update({slug: env.tasks[slug]} if slug else env.tasks)
    found = [(load_environment(name), list(tasks.values())) for name, tasks in chosen.items()]
    return Found(found, list(broken.values()))


def _named(target: str, known: list[str]) -> tuple[str, str]:
    """An environment's folder, and a task's name or nothing. Raises UnknownTarget."""
    name, _, slug = target.partition("/")
    folder = next((each for each in (name, name.replace("-", "_")) if each in known), None)
    if folder is None and (_code_folder(name) or _code_folder(name.replace("-", "_"))):
        raise UnknownTarget(f"{name!r} is a code task, and has no world; `prove`, `run` and `grade` take it.")
    if folder is None:
        code = ", ".join(each for each in scenario_folders() if _code_folder(each))
        raise UnknownTarget(
            f"There is no environment {name!r}; there are: {', '.join(known) or 'none'}"
            f"{f'; of code: {code}' if code else ''}.{_elsewhere(target)}"
        )
    return folder, slug


def _code_folder(name: str) -> bool:
    folder = scenario_folders().get(name)
    return folder is not None and (folder / "task").is_dir() and (folder / "environment.py").is_file()


def _elsewhere(target: str) -> str:
    """What to do where a path was named, or the working directory is inside of scenarios/; else nothing."""
    parts = Path(target).parts
    if "scenarios" in parts[:-1]:
        where = parts[parts.index("scenarios") + 1 :]
        task = f"/{Path(where[2]).stem.replace('_', '-')}" if len(where) > 2 else ""
        return f" Write ENV/TASK, not a path: {where[0]}{task}."
    above = folder_above()
    return f" Scenarios are looked for in ./scenarios: go to {above}." if above else ""


def folder_above() -> Path | None:
    """Where commands belong, if the working directory is the scenarios/ of that folder, or inside of it."""
    for each in (Path.cwd(), *Path.cwd().parents):
        if each.name == "scenarios" and any(each.glob("*/environment.py")):
            return each.parent
    return None


def find_task(name: str) -> Task:
    """The task that ENV/TASK names. Raises UnknownTarget and BrokenScenario."""
    found = find([name])
    if found.broken:
        raise BrokenScenario(found.broken[0])
    tasks = found.chosen[0][1]
    if "/" not in name or len(tasks) != 1:
        names = ", ".join(task.name for task in tasks)
        raise UnknownTarget(f"{name!r} names no single task; write ENV/TASK: {names or 'there is none'}.")
    return tasks[0]


def find_unfinished(name: str) -> Task:
    """As `find_task`, where tasks may still lack what makes them whole: a reference, guards."""
    folder, slug = _named(name, environment_names())
    try:
        return find_task(name)
    except BrokenScenario:
        with blaming(scenario_folders()[folder]):
            env = _load(folder, scenario_folders()[folder], whole=False)
    if slug not in env.tasks:
        raise UnknownTarget(f"{name!r} names no task; {folder} has {', '.join(env.tasks) or 'none'}.")
    return env.tasks[slug]
