"""What a play costs by rail, and what a browser costs: in this process, through the harness itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

from harness.attempt import Attempts
from harness.bench.lines import Line, Plan, Say
from harness.bench.worlds import Samples
from harness.discovery import load_environment
from harness.environment import Environment
from harness.generated import played, regrade
from harness.qualify import attempts_on
from harness.rails import BrowserRail
from harness.task import Task

_ENVIRONMENT = "claims_desk"


def measure(names: Sequence[str], plan: Plan, say: Say) -> Iterator[Line]:
    """The lines of `prove.*` and `browser.*`."""
    yield from asyncio.run(_lines(names, plan, say))


async def _lines(names: Sequence[str], plan: Plan, say: Say) -> list[Line]:
    return [line async for line in _each(names, plan, say)]


async def _each(names: Sequence[str], plan: Plan, say: Say) -> AsyncIterator[Line]:
    env = load_environment(_ENVIRONMENT)
    browser = BrowserRail()
    try:
        async with attempts_on(env, browser=browser) as attempts:
            for name in names:
                say(name)
                if name == "browser.context":
                    yield (await _contexts(attempts, _task(env, "browser"), plan)).line(name)
                else:
                    task = _task(env, name.removeprefix("prove."))
                    yield (await _plays(attempts, task, plan)).line(name)
    finally:
        await browser.close()


def _task(env: Environment, surface: str) -> Task:
    return next(task for task in env.tasks.values() if task.surface == surface)


async def _plays(attempts: Attempts, task: Task, plan: Plan) -> Samples:
    """References, played and graded as `prove` does it. The CPU is this process's: server and harness."""
    samples = Samples()
    count = plan.rounds if task.surface == "api" else max(2, plan.rounds // 4)
    for _ in range(count + 1):
        with samples.one():
            async with attempts.open(task) as attempt:
                assert task.the_reference is not None
                await attempt.play(task.the_reference)
                kept = played(attempt, attempt.evidence())
            graded = regrade(attempts, task, kept.evidence)
        if not graded.passed:
            raise RuntimeError(f"The reference of {task.name} does not pass here: {kept.evidence.error}")
    return samples.warm()


async def _contexts(attempts: Attempts, task: Task, plan: Plan) -> Samples:
    """Attempts that are opened and given back with nothing played, a page loaded in each."""
    samples = Samples()
    for _ in range(max(2, plan.rounds // 3) + 1):
        with samples.one():
            async with attempts.open(task) as attempt:
                for actor in attempt.actors.values():
                    await actor.goto("/")  # type: ignore[attr-defined]
    return samples.warm()
