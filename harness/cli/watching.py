"""`prove --watch`: proves what was saved, and says in a line or two how it came out."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.words import DONE, WRONG_USE, WrongUse

if TYPE_CHECKING:
    from harness.environment import Environment
    from harness.proof import TaskProof
    from harness.task import Task
    from harness.watch import Changed, Tell

_PACKAGES = ("scenarios", "fakes", "sites")


def watch(targets: Sequence[str], *, quick: bool) -> int:
    """Proves the targets at the base date, and again what is saved, until it is interrupted.

    Returns the exit code. Raises WrongUse where there is no fork.
    """
    import fakes.core
    import harness
    import harness.qualify  # in memory before the first fork, as all libraries are
    from harness.app import package_root
    from harness.watch import UNKNOWN, Files, Watch

    if not hasattr(os, "fork"):
        raise WrongUse("--watch needs a system that can fork processes, such as Linux or macOS.")
    kernel = Path(fakes.core.__file__).parent
    ours = [kernel, Path(harness.__file__).parent]
    folders = [Path(root) for package in _PACKAGES for root in package_root(package).__path__]

    def job(changed: Changed, tell: Tell) -> int:
        return _Round(targets, quick).judge(changed, tell)

    _say(f"watching {', '.join(targets) or 'every environment'}; Ctrl-C ends")
    loop = Watch(job, Files(folders, without=[kernel]), _say, own=Files(ours), warm=_warm)
    return WRONG_USE if loop.run() == UNKNOWN else DONE


def _warm() -> None:
    """Imports what later rounds need and the first one is not to wait for."""
    import nh3  # noqa: F401
    import playwright.async_api  # noqa: F401
    import pydantic.main  # noqa: F401
    import python_multipart  # noqa: F401


class _Round:
    """What a child does: imports the scenario, proves what the saved files bear on, tells."""

    def __init__(self, targets: Sequence[str], quick: bool) -> None:
        self.targets, self.quick = targets, quick

    def judge(self, changed: Changed, tell: Tell) -> int:
        """Proves and prints; returns what the watch wants to know."""
        from harness.affected import affected, folders
        from harness.app import BrokenScenario
        from harness.discovery import UnknownTarget, find
        from harness.watch import JUDGED, UNJUDGED, UNKNOWN

        try:
            found = find(self.targets)
        except UnknownTarget as error:
            _say(error.args[0])
            return UNKNOWN
        except BrokenScenario as error:
            _say(f"✗ {error}")
            return UNJUDGED
        for sentence in found.broken:
            _say(f"✗ {sentence}")
        if not found.broken:
            tell({folder for env, _ in found.chosen for folder in folders(env)})
        whole = not found.broken
        for env, tasks in found.chosen:
            chosen = tasks if changed is None else affected(env, tasks, changed)
            whole = (not chosen or self._prove(env, chosen)) and whole
        return JUDGED if whole else UNJUDGED

    def _prove(self, env: Environment, tasks: list[Task]) -> bool:
        """Proves some tasks of an environment, one by one; whether they could be tried at all."""
        import asyncio

        from harness.app import BrokenScenario
        from harness.frames import told
        from harness.guards import TaskError

        try:
            asyncio.run(self._each(env, tasks))
        except (BrokenScenario, TaskError) as error:
            _say(f"✗ {error}")
            return False
        except Exception as error:  # of the product: a service that can't be imported
            _say(f"✗ {told(error, [env.file.parent, *map(Path, _roots())])}")
            return False
        return True

    async def _each(self, env: Environment, tasks: list[Task]) -> None:
        from harness.qualify import prove_environment
        from harness.rails import BrowserRail

        browser = BrowserRail()
        try:
            for task in tasks:
                began = time.monotonic()
                proof = await prove_environment(env, [task], browser=browser, quick=self.quick)
                _report(proof.tasks[0], time.monotonic() - began)
        finally:
            await browser.close()


def _roots() -> list[str]:
    from harness.app import package_root

    return [root for package in ("fakes", "sites") for root in package_root(package).__path__]


def _report(proof: TaskProof, seconds: float) -> None:
    mark = "✓" if proof.held else "✗"
    _say(f"{mark} {proof.task.name} · {proof.proved}/{proof.total} proved · {seconds:.1f} s")
    for problem in proof.problems:
        _say(f"  {problem.removeprefix(f'{proof.task.name}: ')}")
    for warning in proof.warnings:
        _say(f"  {warning}")
    for name in proof.needless if proof.reference_held else ():
        _say(f"  guard {name} is not needed: it alone refuses no cheat and no probe.")


def _say(sentence: str) -> None:
    print(sentence, flush=True)
