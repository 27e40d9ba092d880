"""What of a grader an instance rests on: all but the invariants that it does not ask for, and what is there
for these alone. So an invariant that is added for a new instance leaves the older ones what they were.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from harness.code.overlay import files_of

INVARIANTS = Path("invariants.py")


def grader_parts(grader: Path, asked: Collection[str]) -> Iterator[tuple[Path, bytes]]:
    """The files of a grader/ that count for these invariants, and what counts of them."""
    modules = {
        path: ast.parse((grader / path).read_bytes()) for path in files_of(grader) if path.suffix == ".py"
    }
    left_out = _behind(_named_by_all(modules), modules) - _behind(_kept_imports(modules, asked), modules)
    for path in files_of(grader):
        if path == INVARIANTS:
            yield path, _kept_text((grader / path).read_bytes(), modules[path], modules, asked)
        elif path not in left_out:
            yield path, (grader / path).read_bytes()


def _declares(node: ast.stmt) -> str | None:
    """The name of the invariant that a statement declares; None if it declares none."""
    for made in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id == "invariant":
            if made.args and isinstance(made.args[0], ast.Constant):
                return str(made.args[0].value)
    return None


def _is_kept(node: ast.stmt, asked: Collection[str]) -> bool:
    """Whether a statement is no invariant's, or that of one that is asked for."""
    name = _declares(node)
    return name is None or name in asked


def _imports(node: ast.AST, modules: Collection[Path]) -> Iterator[tuple[str, Path]]:
    """The names that a statement binds to modules of the grader, or to something in them."""
    if isinstance(node, ast.ImportFrom):
        last = (node.module or "").rpartition(".")[2]
        for alias in node.names:
            for name in (last, alias.name):
                if Path(f"{name}.py") in modules:
                    yield alias.asname or alias.name, Path(f"{name}.py")
    elif isinstance(node, ast.Import):
        for alias in node.names:
            path = Path(f"{alias.name.rpartition('.')[2]}.py")
            if path in modules:
                yield alias.asname or alias.name.partition(".")[0], path


def _named_by_all(modules: dict[Path, ast.Module]) -> set[Path]:
    """What invariants.py imports."""
    return {path for node in ast.walk(modules[INVARIANTS]) for _, path in _imports(node, modules)}


def _kept_imports(modules: dict[Path, ast.Module], asked: Collection[str]) -> set[Path]:
    """Of that, what is used by a statement that counts, or declares an invariant that is asked for."""
    body = modules[INVARIANTS].body
    walked = [node for each in body if _is_kept(each, asked) for node in ast.walk(each)]
    used = {node.id for node in walked if isinstance(node, ast.Name)}
    named = [found for each in body for node in ast.walk(each) for found in _imports(node, modules)]
    kept = {path for name, path in named if name in used}
    return kept | {path for _, path in named if {*map(_declares, modules[path].body)} & {*asked}}


def _behind(found: set[Path], modules: dict[Path, ast.Module]) -> set[Path]:
    """Modules, and all of the grader's that these import."""
    reached: set[Path] = set()
    waiting = [*found]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += [other for node in ast.walk(modules[path]) for _, other in _imports(node, modules)]
    return reached


def _kept_text(
    source: bytes, tree: ast.Module, modules: dict[Path, ast.Module], asked: Collection[str]
) -> bytes:
    """The invariants' module: without what does not count, its imports of the grader's own, `__all__`, and
    empty lines.
    """
    lines = source.splitlines()
    for node in tree.body:
        if not _is_kept(node, asked) or any(_imports(node, modules)) or _is_list_of_names(node):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            last = node.end_lineno or node.lineno
            lines[first - 1 : last] = [b""] * (last - first + 1)
    return b"\n".join(line for line in lines if line.strip())


def _is_list_of_names(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
    )
