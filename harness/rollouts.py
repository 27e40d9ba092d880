"""Many attempts: the same tasks on one instance after another, as jobs for a crew of processes.

An attempt that broke, timed out or never ran stays in the denominator.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.app import BrokenScenario
from harness.discovery import find_task
from harness.grade import Grade
from harness.guards import TaskError
from harness.parallel import Crew, Job, Lost, Shop
from harness.rollout import Rollout, UnknownPlay, drive_of, load_agent, rollout
from harness.task import Task

Keep = Literal["all", "failures", "none"]
INDEX = "attempts.jsonl"
GRACE = 30.0
"""Seconds beside its time-out that an attempt has in its process, to begin and to be graded."""

_WORDS = {
    "failed": "failed",
    "error": "errors",
    "time-out": "time-outs",
    "not-run": "not run",
    "void": "void",
    "grader error": "grader errors",
}


@dataclass(frozen=True)
class Asked:
    """How to attempt: by whom (`agent` is FILE.py:FUNCTION), on which rail, for how long, kept where."""

    agent: str | None
    play: str | None
    rail: str | None
    timeout: float
    folder: Path
    keep: Keep = "all"


@dataclass(frozen=True)
class Tried:
    """What came of one attempt; `grade` is None where it left nothing to grade."""

    task: str
    seed: int
    state: str
    error: str = ""
    grade: Grade | None = None
    file: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the task is done."""
        return self.state == "passed"


def try_all(tasks: Sequence[tuple[Task, Sequence[int]]], asked: Asked, crew: Crew) -> list[Tried]:
    """Attempts each task on the instances of its seeds; keeps bundles, and a line for each attempt in INDEX
    as soon as it is over.

    Raises JobFailed, NoProcesses, and OSError where the folder can't be written.
    """
    limit = asked.timeout + GRACE
    planned = [(task, seed) for task, seeds in tasks for seed in seeds]
    jobs = [Job(f"{t.name} seed {s}", _try, (t.name, s, asked), limit, may_break=True) for t, s in planned]
    _forget(asked.folder)
    tried: dict[int, Tried] = {}
    with (asked.folder / INDEX).open("w", encoding="utf-8") as index:

        def keep(number: int, came: Tried | Lost) -> None:
            task, seed = planned[number]
            tried[number] = _lost(task, seed, came) if isinstance(came, Lost) else came
            index.write(_line(tried[number]))
            index.flush()

        crew.run(jobs, keep)
    return [tried[number] for number in range(len(jobs))]


def _lost(task: Task, seed: int, lost: Lost) -> Tried:
    return Tried(task.name, seed, "time-out" if lost.overdue else "error", f"its process {lost.how}")


def _line(tried: Tried) -> str:
    """An attempt in the index."""
    verdicts = {v.guard: v.state for v in tried.grade.verdicts} if tried.grade else {}
    said: dict[str, Any] = {
        "task": tried.task, "seed": tried.seed, "state": tried.state, "error": tried.error,
        "bundle": tried.file, "verdicts": verdicts,
    }  # fmt: skip
    return json.dumps(said) + "\n"


def _forget(folder: Path) -> None:
    """Takes out the bundles that an earlier run left here."""
    index = folder / INDEX
    if not index.is_file():
        return
    for line in index.read_text().splitlines():
        name = json.loads(line)["bundle"]
        if name and Path(name).name == name:
            (folder / name).unlink(missing_ok=True)
    index.unlink()


async def _try(shop: Shop, name: str, seed: int, asked: Asked) -> Tried:
    """One attempt on one instance."""
    task = find_task(name)
    shop.say(task.slug, "under way")
    agent = None
    if asked.agent is not None:
        agent = shop.kept.get((asked.agent, name)) or load_agent(asked.agent, task)
        shop.kept[asked.agent, name] = agent
    drive = drive_of(task, agent, asked.play, asked.timeout)
    try:
        done = await rollout(task, drive, rail=asked.rail, browser=shop.browser, seed=seed)
    except (BrokenScenario, TaskError) as error:
        return Tried(name, seed, "error", str(error))
    graded = done.grade
    kept = asked.keep == "all" or asked.keep == "failures" and not graded.passed
    file = f"{task.env.slug}-{task.slug}-seed-{seed}.zip" if kept else None
    if file is not None:
        (asked.folder / file).write_bytes(done.bundle)
    return Tried(name, seed, graded.state, done.evidence.error, graded, file)


@dataclass(frozen=True)
class Once:
    """What came of one attempt: its bundle, its grade, and how it ended."""

    bundle: bytes
    grade: Grade
    rail: str
    confined: bool
    error: str
    trace: str


def try_once(task: Task, agent: str, rail: str | None, timeout: float, seed: int) -> Once | Lost:
    """Lets an agent attempt a task, in a process of its own: whatever it does to that, it can't end ours.

    Raises UnknownPlay and NoProcesses.
    """
    return _apart(task.name, _attempt_once, (task.name, agent, rail, timeout, seed), timeout)  # type: ignore[no-any-return]


def check_agent(tasks: Sequence[Task], agent: str, timeout: float) -> None:
    """That an agent can be loaded for each of these tasks, which is tried in a process of its own too.

    Raises UnknownPlay and NoProcesses.
    """
    came = _apart("the agent", _load, ([task.name for task in tasks], agent), timeout)
    if isinstance(came, Lost):
        raise UnknownPlay(f"The agent can't be imported: its process {came.how}.")


def _apart(name: str, work: Callable[..., Awaitable[Any]], given: tuple[Any, ...], timeout: float) -> Any:
    """What comes of somebody else's code in a process of its own; a sentence is raised as UnknownPlay."""
    with Crew(1, apart=True) as crew:
        [came] = crew.run([Job(name, work, given, timeout + GRACE, may_break=True)])
    if isinstance(came, str):
        raise UnknownPlay(came)
    return came


async def _attempt_once(
    shop: Shop, name: str, agent: str, rail: str | None, timeout: float, seed: int
) -> Once | str:
    try:
        task = find_task(name)
        drive = drive_of(task, load_agent(agent, task), None, timeout)
        return once(await rollout(task, drive, rail=rail, browser=shop.browser, seed=seed))
    except (UnknownPlay, BrokenScenario, TaskError) as error:
        return str(error)


async def _load(shop: Shop, names: Sequence[str], agent: str) -> str | None:
    try:
        for name in names:
            load_agent(agent, find_task(name))
    except UnknownPlay as error:
        return str(error)
    return None


def once(done: Rollout) -> Once:
    """Of a rollout what is shown and kept."""
    kept = done.evidence
    return Once(done.bundle, done.grade, kept.rail, kept.confined, kept.error, kept.trace)


def summary(tried: Sequence[Tried]) -> str:
    """`passed 991/1000 · errors 2 · time-outs 7`: whatever did not pass, by how it ended."""
    counts = Counter(each.state for each in tried)
    parts = [f"passed {counts['passed']}/{len(tried)}"]
    parts += [f"{words} {counts[state]}" for state, words in _WORDS.items() if counts[state]]
    return " · ".join(parts)
