"""Each fake and site has the same shape, modules stay small, and names say something."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.shape.tree import PACKAGES, ROOT, files, modules, parsed, services

# A name without a suffix is a module or a package.
BASICS = ("README.md", "__init__.py", "service.py", "schema.py", "seed.py", "store", "rules", "errors", "api")
FOR_PAGES = ("web", "templates", "static")
# Not "manager": in a product that is a person.
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "misc", "data", "common"}
MOST_LINES = 600


def _has(folder: Path, name: str) -> bool:
    path = ROOT / folder / name
    return path.exists() or (ROOT / folder / f"{name}.py").is_file()


def test_each_service_has_its_files() -> None:
    assert not [f"{folder}/{name}" for folder in services() for name in BASICS if not _has(folder, name)]


def test_pages_come_with_templates_and_static_files() -> None:
    missing = [
        f"{folder}/{name}"
        for folder in services()
        if folder.parts[0] == "sites" or any(_has(folder, name) for name in FOR_PAGES)
        for name in FOR_PAGES
        if not _has(folder, name)
    ]
    assert not missing


def test_sites_have_no_mcp() -> None:
    assert not [folder for folder in services() if folder.parts[0] == "sites" and _has(folder, "mcp")]


def test_modules_are_small() -> None:
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in modules(tests=True)}
    assert not {str(path): lines for path, lines in lengths.items() if lines > MOST_LINES}


def test_names_say_what_a_module_is_for() -> None:
    assert not [str(path) for path in modules(tests=True) if SAYS_NOTHING & {*path.parts, path.stem}]


def test_modules_say_what_they_are_for() -> None:
    silent = [str(path) for path in modules() if parsed(path).body and not ast.get_docstring(parsed(path))]
    assert not silent


def test_tests_mirror_the_packages() -> None:
    tests = [path for path in files() if path.parts[0] == "tests" and path.match("test_*.py")]
    mirrored = {Path(*path.parts[1:-1]) for path in tests if path.parts[1] in PACKAGES}
    assert not [str(folder) for folder in sorted(mirrored) if not (ROOT / folder).is_dir()]
