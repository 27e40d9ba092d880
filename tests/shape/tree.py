"""The tree as the shape tests see it: what is in the repository, or would be with the next commit."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("fakes", "sites", "scenarios", "harness")
CODE_TASK = {"task", "grader", "reference", "witnesses", "runs"}
"""Folders of an environment that are a code task's: other people's programs, not ours to judge."""


@cache
def files() -> tuple[Path, ...]:
    """Every file that is tracked, or neither tracked nor ignored; paths from the root, sorted."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True)
        names = listed.stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):  # unpacked without git
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
        names = [name for name in names if not any(part.startswith(".") for part in Path(name).parts)]
    return tuple(path for path in sorted(map(Path, filter(None, names))) if (ROOT / path).is_file())


def ours(path: Path) -> bool:
    """Whether it lies in one of the packages, and is neither vendored nor part of a code task."""
    parts = path.parts
    in_code_task = parts[0] == "scenarios" and len(parts) > 2 and parts[2] in CODE_TASK
    return parts[0] in PACKAGES and "vendor" not in parts and not in_code_task


def modules(*, tests: bool = False) -> list[Path]:
    """Our Python modules."""
    return [p for p in files() if p.suffix == ".py" and (ours(p) or (tests and p.parts[0] == "tests"))]


def services() -> list[Path]:
    """The folder of each fake and each site."""
    kinds = [ROOT / "fakes", ROOT / "sites"]
    found = [path.parent for kind in kinds for path in sorted(kind.glob("*/__init__.py"))]
    return [folder.relative_to(ROOT) for folder in found if folder != ROOT / "fakes" / "core"]


def parts_of(service: Path, *names: str) -> list[Path]:
    """The modules that make up these parts of a service: `api.py`, or those below `api/`."""
    wanted = {service / f"{name}.py" for name in names}
    below = {service / name for name in names}
    return [p for p in modules() if p in wanted or below & set(p.parents)]


@cache
def parsed(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse((ROOT / path).read_text(), filename=str(path))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of all that a module imports, wherever in it; `from a import b` gives `a.b`."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join([*_base(path, node.level), *filter(None, [node.module])])
            yield from ((node.lineno, f"{package}.{alias.name}") for alias in node.names)


def _base(path: Path, level: int) -> tuple[str, ...]:
    return path.parts[: len(path.parts) - level] if level else ()
