"""The visible tests: those that a task brings, run on a solution, and those that a solution adds, counted."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.code.bench import Bench
from harness.code.declaring import CodeEnvironment
from harness.code.life import Life
from harness.code.overlay import files_of

TESTING = Path(__file__).with_name("testing.py")


@dataclass(frozen=True)
class Visible:
    """How the task's own tests went: why the others did not pass, by name; how many tests were added."""

    of: int
    failures: tuple[tuple[str, str], ...] = ()
    added: int = 0

    @property
    def passed(self) -> int:
        """How many passed."""
        return self.of - len(self.failures)


def test_names(env: CodeEnvironment, workspace: Path) -> list[str]:
    """The tests of a workspace, as tests.test_start.Start.test_it: methods that are written out there."""
    found: list[str] = []
    for path in files_of(workspace / env.tests) if (workspace / env.tests).is_dir() else ():
        if path.match("test*.py"):
            module = ".".join((*Path(env.tests).parts, *path.with_suffix("").parts))
            with suppress(SyntaxError, ValueError, OSError, RecursionError, MemoryError):
                tree = ast.parse((workspace / env.tests / path).read_bytes())
                found += [f"{module}.{name}" for name in _methods(tree)]
    return found


def _methods(tree: ast.Module) -> list[str]:
    return [
        f"{made.name}.{method.name}"
        for made in tree.body if isinstance(made, ast.ClassDef)
        for method in made.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and method.name.startswith("test")
    ]  # fmt: skip


def try_visible(bench: Bench) -> Visible:
    """Runs the tests that the task brings on a bench's solution; those that it added are counted alone."""
    env = bench.env
    names = test_names(env, env.folder / "task")
    failures = [(name, said) for name, said in _outcomes(bench, names) if said]
    added = len(set(test_names(env, bench.solution)) - set(names))
    return Visible(len(names), tuple(failures), added)


def _outcomes(bench: Bench, names: list[str]) -> list[tuple[str, str]]:
    life: Life | None = None
    outcomes: list[tuple[str, str]] = []
    for name in names:
        life = life or bench.run(TESTING, cwd=bench.solution)
        try:
            outcomes.append((name, life.ask(name)))
        except AssertionError as error:  # it was ended by the test, or hangs: the others get a new one
            outcomes.append((name, str(error)))
            life.kill()
            life = None
    return outcomes
