"""Many rollouts: jobs for a crew of processes, and what comes of each, to be written down in the archive.

A rollout that broke, timed out or never ran stays in the denominator; one that a grader could not judge is
no score.
"""

from __future__ import annotations

import shutil
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.app import BrokenScenario
from harness.archive.records import Outcome, State
from harness.discovery import UnknownTarget, find_task
from harness.driver import IN_PYTHON, Driver
from harness.evidence import Ended, Usage
from harness.grade import Grade
from harness.guards import TaskError
from harness.parallel import Crew, Job, Lost, Shop
from harness.rails.recorder import Recording
from harness.rollout import GradingFailed, UnknownPlay, drive_of, from_outside, load_agent, rollout
from harness.task import Task

if TYPE_CHECKING:
    from harness.code.declaring import CodeTask

GRACE, CODE_GRACE = 30.0, 900.0
"""Seconds beside its time-out that a rollout has in its process, to begin and to be graded: a code task is
graded by many runs of what was written."""

WORDS = {
    "failed": "failed",
    "error": "errors",
    "time-out": "time-outs",
    "not-run": "not run",
    "void": "void",
    "grader error": "grader errors, no score",
}


@dataclass(frozen=True)
class Asked:
    """One rollout as it is asked of a process: ENV/TASK, the instance's seed, its place, and who acts."""

    task: str
    seed: int
    number: int
    driver: Driver
    code: bool = False

    @property
    def name(self) -> str:
        """What it is called in a run: claims_desk/record-the-determination s1 n2."""
        return f"{self.task} s{self.seed} n{self.number}"

    @property
    def job(self) -> Job:
        """The job of making it."""
        limit = self.driver.timeout + (CODE_GRACE if self.code else GRACE)
        return Job(self.name, _make, (self,), limit, may_break=True)


@dataclass
class Made:
    """What came of a rollout; `bundle` is put away by whoever keeps it. `grade` None: nothing was graded."""

    outcome: Outcome
    grade: Grade | None = None
    bundle: bytes = b""
    trace: str = ""


def lost(asked: Asked, how: Lost) -> Made:
    """What came of a rollout whose process is gone."""
    whose = "its process" if asked.driver.agent is None else "the agent's process"
    return Made(Outcome("time-out" if how.overdue else "error", error=f"{whose} {how.how}"))


async def _make(shop: Shop, asked: Asked) -> Made:
    """One rollout, with its wall time."""
    shop.say(asked.task, "under way")
    began = time.monotonic()
    try:
        made = await (_on_code if asked.code else _in_a_world)(shop, asked)
    except (BrokenScenario, TaskError, UnknownPlay, UnknownTarget) as error:
        made = Made(Outcome("error", error=str(error.args[0])))
    except Exception as error:
        if asked.driver.agent is not None:  # its code runs in this process, and may have done anything to it
            if isinstance(error, GradingFailed) and error.__cause__ is not None:
                raise error.__cause__ from None
            raise
        made = _broken(error)
    made.outcome = replace(made.outcome, took_s=round(time.monotonic() - began, 3))
    return made


def _broken(error: Exception) -> Made:
    """What came of a rollout in which something of ours broke."""
    state: State = "grader error" if isinstance(error, GradingFailed) else "error"
    said = str(error) if state == "grader error" else f"{type(error).__name__}: {error}"
    return Made(Outcome(state, error=said), trace="".join(traceback.format_exception(error)))


async def _in_a_world(shop: Shop, asked: Asked) -> Made:
    task, driver = find_task(asked.task), asked.driver
    agent = None
    if driver.agent is not None:
        agent = shop.kept.get((driver.agent, asked.task)) or load_agent(driver.agent, task)
        shop.kept[driver.agent, asked.task] = agent
    medium = driver.rail if driver.rail in (*IN_PYTHON, "command") else None
    drive = drive_of(task, driver, agent)
    shop.browser.recording = Recording.of_run(driver.recording)
    shop.browser.for_people = driver.rail == "manual"
    done = await rollout(task, drive, rail=medium, browser=shop.browser, seed=asked.seed)
    kept = done.evidence
    outcome = _outcome(
        done.grade, kept.ended, kept.error, kept.usage, str(kept.versions.get("revision", "")),
        driver.rail or kept.rail, confined=kept.confined,
    )  # fmt: skip
    return Made(outcome, done.grade, done.bundle, kept.trace)


async def _on_code(shop: Shop, asked: Asked) -> Made:
    from harness.code.attempt import code_rollout

    [task] = code_tasks(asked.task)
    drive = code_drive(task, asked.driver)
    done = await code_rollout(task, drive, rail=asked.driver.rail or "workspace")
    tried = done.attempt
    outcome = _outcome(
        done.grade, tried.ended, tried.error, tried.usage, revision_of(task), asked.driver.rail or "workspace"
    )
    return Made(outcome, done.grade, done.bundle, tried.trace)


def _outcome(
    graded: Grade, ended: Ended, error: str, usage: Usage, revision: str, rail: str, *, confined: bool = False
) -> Outcome:
    said = error if ended != "finished" else graded.void
    state: State = graded.state  # type: ignore[assignment]
    return Outcome(
        state, revision, None, said, None, rail, confined=confined, usage=usage, verdicts=graded.verdicts
    )


# before any is made


def check(tasks: Sequence[Task | CodeTask], driver: Driver, crew: Crew) -> None:
    """That the driver is there, and can act on each of these tasks; an agent is loaded in a process of the
    crew, since it is somebody else's code. Raises UnknownPlay and NoProcesses.
    """
    _check_there(driver)
    worlds = [task for task in tasks if isinstance(task, Task)]
    for code in (task for task in tasks if not isinstance(task, Task)):
        code_drive(code, driver)
    if driver.agent is None:
        for task in worlds:
            drive_of(task, driver)
        return
    names = [task.name for task in worlds]
    [came] = crew.run([Job(driver.agent, _load, (names, driver.agent), GRACE, may_break=True)])
    if isinstance(came, Lost):
        raise UnknownPlay(f"The agent can't be imported: its process {came.how}.")
    if came is not None:
        raise UnknownPlay(came)


def _check_there(driver: Driver) -> None:
    """That a program is installed, or an endpoint set up. Raises UnknownPlay."""
    if driver.rail == "command":
        from harness.rails.recipes import recipe_for

        program = recipe_for(driver).words[0]
        if "/" not in program and shutil.which(program) is None:
            raise UnknownPlay(f"There is no program {program!r} on the PATH: install it, or say another.")
    elif driver.rail == "model":
        from harness.rails.model.endpoints import find_endpoint
        from harness.rails.model.turns import ModelError

        try:
            find_endpoint(driver.model)
        except ModelError as error:
            raise UnknownPlay(str(error)) from None


async def _load(shop: Shop, names: Sequence[str], agent: str) -> str | None:
    try:
        for name in names:
            shop.kept[agent, name] = load_agent(agent, find_task(name))
    except UnknownPlay as error:
        return str(error)
    return None


def in_code(target: str) -> bool:
    """Whether ENV or ENV/TASK names code tasks; else it names worlds, if anything."""
    from harness.code.discovery import is_code

    return is_code(target)


def code_tasks(target: str) -> list[CodeTask]:
    """The code tasks that ENV or ENV/TASK names. Raises UnknownTarget."""
    from harness.code.discovery import find_code_tasks

    return find_code_tasks(target)


def code_drive(task: CodeTask, driver: Driver) -> Any:
    """Lets whoever the driver names act on a code task. Raises UnknownPlay."""
    if driver.agent is not None:
        raise UnknownPlay(
            f"{task.name} is a code task, and a Python agent acts in worlds: run it by --command or --recipe."
        )
    if driver.rail in IN_PYTHON:
        raise UnknownPlay(
            f"{task.name} is a code task, and is worked on in files: leave out --rail {driver.rail}."
        )
    if driver.play is not None:
        from harness.code.plays import code_drive_of

        return code_drive_of(task, driver.play)
    return from_outside(driver)


def revision_of(task: CodeTask) -> str:
    """What a code task's score is made for: the lock of its instance."""
    from harness.code.locks import lock_of

    return lock_of(task)


def summary(states: Sequence[str]) -> str:
    """`passed 991/1000 · errors 2 · time-outs 7`: whatever did not pass, by how it ended."""
    counts = Counter(states)
    parts = [f"passed {counts['passed']}/{len(states) - counts['grader error']}"]
    parts += [f"{words} {counts[state]}" for state, words in WORDS.items() if counts[state]]
    return " · ".join(parts)
