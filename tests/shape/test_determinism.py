"""Nothing of ours reads the wall clock or draws by chance but the two kernel modules that own them.

For Python, ruff says the same while one types; this reads the same table of banned names, so that neither a
`noqa` nor a missing linter lets one through. JavaScript and SQL have no such linter.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from tests.shape.tree import ROOT, files, modules, ours, parsed

RUFF = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
BANNED: frozenset[str] = frozenset(RUFF["flake8-tidy-imports"]["banned-api"])
OWNERS = [pattern for pattern, rules in RUFF["per-file-ignores"].items() if "TID251" in rules]

JS = re.compile(
    r"\bDate\s*\(|\bDate\.now\b|\bnew\s+Date\b|\bMath\.random\b|\bcrypto\.(?:randomUUID|getRandomValues)\b"
)
SQL = re.compile(
    r"\bcurrent_(?:timestamp|date|time)\b|'now'|\brandom(?:blob)?\s*\(\s*\d*\s*\)"
    r"|\bunixepoch\s*\(\s*\)|\bdatetime\s*\(\s*\)|\bdate\s*\(\s*\)",
    re.IGNORECASE,
)
STATEMENT = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|VALUES|DEFAULT|SET)\b", re.IGNORECASE)


def _owned(path: Path) -> bool:
    return any(fnmatch(path.as_posix(), pattern) for pattern in OWNERS)


def _uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and full name of all that a module imports, or reaches through what it imported."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or bound] = bound
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield node.lineno, f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (dotted := _dotted(node)):
            first, _, rest = dotted.partition(".")
            if first in names:
                yield node.lineno, f"{names[first]}.{rest}"


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := _dotted(node.value)):
        return f"{base}.{node.attr}"
    return None


def _banned(name: str) -> bool:
    return any(name == ban or name.startswith(f"{ban}.") for ban in BANNED)


def _literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string that is no docstring."""
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.lineno, node.value


def test_the_fence_names_what_it_must() -> None:
    assert {"datetime.datetime.now", "datetime.date.today", "time.time", "uuid.uuid4"} <= BANNED
    assert {"random", "secrets", "sqlite3.connect", "aiosqlite.connect"} <= BANNED


def test_python_takes_time_and_chance_from_the_kernel() -> None:
    assert not sorted(
        {
            f"{path}:{line} uses {name}"
            for path in modules(tests=True)
            if not _owned(path)
            for line, name in _uses(parsed(path))
            if _banned(name)
        }
    )


def test_sql_takes_time_and_chance_from_the_kernel() -> None:
    assert not [
        f"{path}:{line} says {found[0]}"
        for path in modules()
        for line, text in _literals(parsed(path))
        if STATEMENT.search(text) and (found := SQL.search(text))
    ]


def test_javascript_takes_time_and_chance_from_the_server() -> None:
    scripts = [path for path in files() if ours(path) and path.suffix == ".js"]
    assert not [
        f"{path}:{number} says {found[0]}"
        for path in scripts
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
        if (found := JS.search(line))
    ]
