"""Which tasks a saved file bears on: by what their files import, and by the products they are set in."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

from harness.app import package_root
from harness.environment import Environment
from harness.task import Task


def affected(env: Environment, tasks: Iterable[Task], changed: Collection[Path]) -> list[Task]:
    """Of these tasks, those whose proof a change of these files can change."""
    saved = {file.resolve() for file in changed}
    common = _scenario_files({env.file})
    everything = saved & common or any(_is_everyones(env, file) for file in saved)
    return [task for task in tasks if everything or saved & _scenario_files({task.file})]


def folders(env: Environment) -> set[Path]:
    """The folders in which a change may bear on an environment's tasks."""
    files = _scenario_files({env.file, *(task.file for task in env.tasks.values())})
    return {env.file.parent.resolve(), *(file.parent for file in files), *_products(env)}


def _is_everyones(env: Environment, file: Path) -> bool:
    """Whether it is the product's, or lies beside the tasks and no module can be asked who imports it."""
    if any(file.is_relative_to(folder) for folder in _products(env)):
        return True
    home = env.file.parent.resolve()
    return file.is_relative_to(home) and (file.suffix != ".py" or file.name == "__init__.py")


def _products(env: Environment) -> set[Path]:
    """The folders of the services that the environment's people use, or that its files import."""
    files = _scenario_files({env.file, *(task.file for task in env.tasks.values())})
    imported = {name for file in files for name in _imports(file) if name.startswith(("fakes.", "sites."))}
    names = {*env.services, *(name.split(".")[1] for name in imported)} - {"core"}
    roots = [Path(root) for package in ("fakes", "sites") for root in package_root(package).__path__]
    return {(root / name).resolve() for root in roots for name in names if (root / name).is_dir()}


def _scenario_files(files: Collection[Path]) -> set[Path]:
    """These files, and those of scenarios that they import, and so on."""
    found: set[Path] = set()
    left = [file.resolve() for file in files]
    while left:
        file = left.pop()
        if file not in found:
            found.add(file)
            modules = (sys.modules.get(name) for name in _imports(file) if name.startswith("scenarios."))
            left += (Path(module.__file__).resolve() for module in modules if module and module.__file__)
    return found


def _imports(file: Path) -> set[str]:
    """The full names of the modules that a file's import statements may mean."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    package = _package_of(file)
    return {name for node in ast.walk(tree) for name in _named(node, package)}


def _package_of(file: Path) -> list[str]:
    """The package that a scenario's file is in: what its relative imports start from."""
    for root in map(Path, package_root("scenarios").__path__):
        if file.is_relative_to(root.resolve()):
            return ["scenarios", *file.parent.relative_to(root.resolve()).parts]
    return []


def _named(node: ast.AST, package: list[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    above = package[: len(package) - node.level + 1] if node.level else []
    home = ".".join([*above, *([node.module] if node.module else [])])
    return [home, *(f"{home}.{alias.name}" for alias in node.names)]
