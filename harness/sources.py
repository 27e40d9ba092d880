"""The source of a scenario's files: where a function stands, and which text, dates and names it has."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from harness.frames import shown
from harness.task import Task

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (*_FUNCTIONS, ast.ClassDef, ast.Module)


@dataclass(frozen=True)
class Text:
    """A string in the source that is no docstring, or a call such as `date(2025, 10, 21)`, as written."""

    place: str
    text: str


def tree(file: Path) -> ast.Module:
    """A file's syntax; of one that can't be read, nothing."""
    try:
        return _parsed(file.read_text())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


@lru_cache(maxsize=64)
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def place_of(function: Callable[..., Any]) -> str:
    """`scenarios/hello/tasks/first.py:14`: where a function begins."""
    code = _plain(function).__code__
    return f"{shown(Path(code.co_filename))}:{code.co_firstlineno}"


def _plain(function: Callable[..., Any]) -> FunctionType:
    while not isinstance(function, FunctionType):
        function = function.__func__ if hasattr(function, "__func__") else type(function).__call__
    return function


def place_in(task: Task, text: str) -> str:
    """Where a task's declaration says `text`, or has it in a longer text; else where it begins."""
    calls = [node for node in ast.walk(tree(task.file)) if _declares(node, task.line)]
    said = [(_line(node), _string(node) or "") for call in calls for node in ast.walk(call)]
    fitting = [line for line, found in said if found == text] or [ln for ln, found in said if text in found]
    return f"{shown(task.file)}:{min(fitting, default=task.line)}"


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))


def _declares(node: ast.AST, line: int) -> bool:
    """Whether this is the call of `env.task` in that line."""
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "task":
        return False
    return node.lineno <= line <= (node.end_lineno or 0)


def _string(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def nodes_of(function: Callable[..., Any]) -> list[ast.AST]:
    """The syntax of a function, of a lambda the first in its line, and of what it calls in its own file."""
    found: dict[tuple[str, int], ast.AST] = {}
    left = [_plain(function)]
    while left:
        code = (taken := left.pop()).__code__
        node = _node(code.co_filename, code.co_name, code.co_firstlineno)
        if node is not None and (code.co_filename, code.co_firstlineno) not in found:
            found[code.co_filename, code.co_firstlineno] = node
            named = (taken.__globals__.get(name) for name in code.co_names)
            left += [
                n for n in named if isinstance(n, FunctionType) and n.__code__.co_filename == code.co_filename
            ]
    return list(found.values())


def _node(file: str, name: str, line: int) -> ast.AST | None:
    for node in ast.walk(tree(Path(file))):
        if isinstance(node, _FUNCTIONS) and node.name == name:
            if min([node.lineno, *(each.lineno for each in node.decorator_list)]) == line:
                return node
        elif isinstance(node, ast.Lambda) and name == "<lambda>" and node.lineno == line:
            return node
    return None


def texts(file: Path, node: ast.AST | None = None) -> Iterator[Text]:
    """The strings of a file, or of a part of it, and the calls that make dates of numbers."""
    whole = node or tree(file)
    docs = {id(doc) for each in ast.walk(whole) if (doc := _docstring(each)) is not None}
    for each in ast.walk(whole):
        text = _string(each)
        if text is not None and id(each) not in docs:
            yield Text(f"{shown(file)}:{_line(each)}", text)
        if isinstance(each, ast.Call) and _makes_a_date(each):
            yield Text(f"{shown(file)}:{each.lineno}", ast.unparse(each))


def _docstring(node: ast.AST) -> ast.AST | None:
    body = node.body if isinstance(node, _DOCUMENTED) else []
    first = body[0] if body else None
    return first.value if isinstance(first, ast.Expr) and _string(first.value) is not None else None


def _makes_a_date(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    numbers = [arg for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)]
    return name in ("date", "datetime") and len(numbers) == len(call.args) >= 3


def place_of_field(kind: type[Any], name: str) -> str:
    """Where a dataclass declares a field; the class's name where that was not written down as one."""
    try:
        file = Path(inspect.getsourcefile(kind) or "")
    except (TypeError, OSError):
        return kind.__name__
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            targets = {
                getattr(each.target, "id", ""): each for each in node.body if isinstance(each, ast.AnnAssign)
            }
            return f"{shown(file)}:{targets[name].lineno if name in targets else node.lineno}"
    return f"{shown(file)}:1"


def attributes(*files: Path) -> frozenset[str]:
    """The names that files read after a dot, anywhere."""
    nodes = (node for file in files for node in ast.walk(tree(file)))
    return frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute))


def mute_asserts(function: Callable[..., Any]) -> list[int]:
    """The lines of a function's own asserts that say nothing when they fail."""
    code = _plain(function).__code__
    node = _node(code.co_filename, code.co_name, code.co_firstlineno)
    return [
        each.lineno
        for each in ast.walk(node or ast.Module([], []))
        if isinstance(each, ast.Assert) and not each.msg
    ]
