"""Where a module opens SQLite, or keeps rows by another library, read from its text: nothing is imported.

Importing `sqlite3` for its types and errors is no opening.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

ELSEWHERE = frozenset({"_sqlite3", "aiosqlite", "apsw", "ctypes", "dbm", "pysqlite3", "shelve", "sqlalchemy"})
"""Ways around the store that no module of a solution needs."""
OPENS = frozenset({"connect", "Connection", "dbapi2", "*"})
BY_NAME = frozenset({"import_module", "__import__"})


def openings(source: bytes) -> list[tuple[int, str]]:
    """Line and what is done there. A module that can't be parsed opens nothing, and can't be imported."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    bound = _names_of_sqlite(tree)
    return sorted({found for node in ast.walk(tree) for found in _found(node, bound)})


def _names_of_sqlite(tree: ast.Module) -> set[str]:
    """What `sqlite3` is called in a module."""
    imports = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    return {"sqlite3"} | {alias.asname for alias in imports if alias.name == "sqlite3" and alias.asname}


def _found(node: ast.AST, bound: set[str]) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if _is_elsewhere(alias.name) or alias.name.startswith("sqlite3."):
                yield node.lineno, f"imports {alias.name}"
    elif isinstance(node, ast.ImportFrom) and not node.level:
        for alias in node.names:
            if _is_elsewhere(node.module or "") or _opens(node.module or "", alias.name):
                yield node.lineno, f"imports {alias.name} of {node.module}"
    elif isinstance(node, ast.Attribute) and node.attr in ("connect", "dbapi2"):
        if _last(node.value) in bound:
            yield node.lineno, f"reaches for sqlite3.{node.attr}"
    elif isinstance(node, ast.Call):
        yield from _called(node, bound)


def _called(node: ast.Call, bound: set[str]) -> Iterator[tuple[int, str]]:
    name, first = _last(node.func), node.args[0] if node.args else None
    if name == "Connection" and isinstance(node.func, ast.Attribute) and _last(node.func.value) in bound:
        yield node.lineno, "makes a sqlite3.Connection"
    if name in BY_NAME and isinstance(first, ast.Constant) and isinstance(first.value, str):
        if first.value.partition(".")[0] == "sqlite3" or _is_elsewhere(first.value):
            yield node.lineno, f"imports {first.value}"
    if name == "getattr" and first is not None and _last(first) in bound:
        yield node.lineno, "reaches into sqlite3 by a name"


def _opens(module: str, name: str) -> bool:
    return module.partition(".")[0] == "sqlite3" and (module != "sqlite3" or name in OPENS - {"Connection"})


def _is_elsewhere(module: str) -> bool:
    return module.partition(".")[0] in ELSEWHERE


def _last(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
