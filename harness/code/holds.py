"""What must be so of every solution before anything is tried: locked files, visible tests, the way to SQLite,
and a fault hook that kills.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from harness.code.bench import KINDS, Bench
from harness.code.declaring import HOOK, LOCKED, STORE, TESTS, CodeEnvironment
from harness.code.life import Died
from harness.code.openings import openings
from harness.code.overlay import files_of
from harness.code.visible import Visible

Standing = Callable[[Bench, Visible], None]


def locked_files(env: CodeEnvironment) -> list[Path]:
    """The files of task/ that a solution must leave as they are, by their paths in it."""
    task = env.folder / "task"
    found = {path.relative_to(task) for pattern in env.locked for path in task.glob(pattern)}
    return [path for path in files_of(task) if path in found]


def locked_files_unchanged(bench: Bench, visible: Visible) -> None:
    """The visible tests and the fault hook are byte for byte what they were; adding files is allowed."""
    for path in locked_files(bench.env):
        mine = bench.solution / path
        assert mine.is_file(), f"{path} is gone, or is a link"
        assert mine.read_bytes() == (bench.env.folder / "task" / path).read_bytes(), f"{path} was changed"


def visible_tests_pass(bench: Bench, visible: Visible) -> None:
    """The tests that the task brings pass."""
    said = "; ".join(f"{name}: {why}" for name, why in visible.failures[:3])
    assert not visible.failures, f"{visible.passed} of {visible.of} pass: {said}"


def sqlite_only_through_the_store(bench: Bench, visible: Visible) -> None:
    """No module but the store opens SQLite, or keeps rows in another library's files."""
    exempt = set(locked_files(bench.env))
    found = [
        f"{path}:{line} {what}"
        for path in files_of(bench.solution)
        if path.suffix == ".py" and path not in exempt and not _is_exempt(bench.env, path)
        for line, what in openings((bench.solution / path).read_bytes())
    ]
    assert not found, ", ".join(found)


def _is_exempt(env: CodeEnvironment, path: Path) -> bool:
    """Whether it is a test, or the store itself: a module, or a package with all that is in it."""
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    return path.is_relative_to(env.tests) or f"{module}.".startswith(f"{env.store}.")


def the_fault_hook_kills(bench: Bench, visible: Visible) -> None:
    """A program that writes through the store is killed where the fault hook was told, after a commit and
    before one.
    """
    for kind in KINDS:
        with bench.life(program="hook.py", fault=f"{kind}:1") as life:
            try:
                life.ask(None)
            except Died as died:
                assert died.by_fault, f"with {bench.env.fault}={kind}:1 {died}"
            else:
                raise AssertionError(f"with {bench.env.fault}={kind}:1 it writes, and lives on")


STANDING: Mapping[str, Standing] = {
    LOCKED: locked_files_unchanged,
    TESTS: visible_tests_pass,
    STORE: sqlite_only_through_the_store,
    HOOK: the_fault_hook_kills,
}
"""The holds that every code task has, in the order in which they are looked at."""
