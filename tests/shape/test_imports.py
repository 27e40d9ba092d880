"""Imports run one way, and only some modules of a service know of HTTP, HTML or browsers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shape.tree import ROOT, imports, modules, parts_of, services

PURE = ("store", "rules", "schema", "errors")
OUTER = ("starlette", "jinja2", "mcp", "playwright")
SURFACES = ("api", "web", "mcp")
FOR_SCENARIOS = ("schema", "seed", "reading")


def _within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_the_contracts_are_kept() -> None:
    lint = "raise SystemExit(importlinter.cli.lint_imports('pyproject.toml', no_cache=True))"
    command = [sys.executable, "-c", f"import importlinter.cli; {lint}"]  # it turns its process's loggers off
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_what_writes_and_decides_knows_no_surface() -> None:
    assert not [
        f"{path}:{line} imports {name}"
        for service in services()
        for path in parts_of(service, *PURE)
        for line, name in imports(path)
        if _within(name, *OUTER)
    ]


@pytest.mark.parametrize("surface", SURFACES)
def test_surfaces_never_import_each_other(surface: str) -> None:
    others = [other for other in SURFACES if other != surface]
    assert not [
        f"{path}:{line} imports {name}"
        for service in services()
        for path in parts_of(service, surface)
        for line, name in imports(path)
        if _within(name, *(f"{_dotted(service)}.{other}" for other in others))
    ]


def test_scenarios_import_only_what_services_hand_them() -> None:
    """A guard that could import a store could write."""
    handed = [f"{_dotted(service)}.{part}" for service in services() for part in FOR_SCENARIOS]
    assert not [
        f"{path}:{line} imports {name}"
        for path in modules()
        if path.parts[0] == "scenarios"
        for line, name in imports(path)
        if _within(name, "fakes", "sites") and not _within(name, "fakes.core", *handed)
    ]


def _dotted(folder: Path) -> str:
    return ".".join(folder.parts)
