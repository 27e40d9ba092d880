"""A rollout: one attempt by an agent, or by one of a task's own plays, graded and kept as a bundle."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from fakes.core.service import Service
from harness.app import BASE_DATE, ZONE
from harness.attempt import Attempt
from harness.bundle import Bundle, pack
from harness.evidence import Evidence
from harness.grade import Grade, grade
from harness.guards import Play
from harness.qualify import CLAIM, attempts_on, plausible
from harness.rails import BrowserMissing, BrowserRail, Lent
from harness.task import Task

Agent = Callable[..., Awaitable[Any]]
Drive = Callable[[Attempt], Awaitable[None]]
PLAYS = "reference, null, done, cheat:NAME or variant:NAME"


class UnknownPlay(LookupError):
    """The task has no such play, or the file no such function; the sentence says what there is."""


@dataclass(frozen=True)
class Rollout:
    """What came of an attempt: its evidence, its grade, and both as a bundle's bytes."""

    evidence: Evidence
    grade: Grade
    bundle: bytes


async def rollout(
    task: Task, drive: Drive, *, rail: str | None = None, services: dict[str, Service] | None = None,
    browser: BrowserRail | None = None, day: date = BASE_DATE, zone: str = ZONE, seed: int = 1,
    secret: bytes | None = None,
) -> Rollout:  # fmt: skip
    """Gives leases to whatever `drive` lets act, and grades what it leaves.

    An attempt that can't begin is not-run.
    """
    opening = attempts_on(
        task.env, services=services, browser=browser, day=day, zone=zone, seed=seed, secret=secret
    )
    async with opening as attempts, AsyncExitStack() as stack:
        try:
            attempt = await stack.enter_async_context(attempts.open(task, rail=rail))
        except BrowserMissing as missing:
            evidence = replace(attempts.untouched(task), ended="not-run", error=str(missing))
        else:
            await drive(attempt)
            evidence = attempt.evidence()
        return _graded(evidence, task, attempts.server.services)


def _graded(evidence: Evidence, task: Task, services: dict[str, Service]) -> Rollout:
    read = Bundle(pack(evidence, small=False)).evidence(task, services)
    graded = grade(read, task, services)
    return Rollout(read, graded, pack(evidence, graded))


def by_play(task: Task, name: str, timeout: float) -> Drive:
    """Lets a task's own play act: reference, null, done, cheat:NAME or variant:NAME. Raises UnknownPlay."""
    if name in ("null", "done"):
        return _idle(task, says_done=name == "done")
    play = find_play(task, name)
    return lambda attempt: attempt.play(play, timeout)


def _idle(task: Task, *, says_done: bool) -> Drive:
    async def drive(attempt: Attempt) -> None:
        if says_done:
            attempt.answer = CLAIM if task.answer is None else plausible(task.answer)

    return drive


def find_play(task: Task, name: str) -> Play:
    """A reference, cheat or variant by its name on the command line. Raises UnknownPlay."""
    kind, _, wanted = name.partition(":")
    plays: dict[str, dict[str, Play]] = {
        "cheat": {cheat.name: cheat.play for cheat in task.cheats.values()},
        "variant": dict(task.variants),
    }
    if name == "reference" and task.the_reference is not None:
        return task.the_reference
    if kind not in plays or not wanted:
        raise UnknownPlay(f"A play is {PLAYS}, not {name!r}.")
    if wanted not in plays[kind]:
        raise UnknownPlay(f"{task.name} has no {kind} {wanted!r}; it has {', '.join(plays[kind]) or 'none'}.")
    return plays[kind][wanted]


def by_agent(agent: Agent, timeout: float) -> Drive:
    """Lets an agent act: it gets the text and, by name, actors; what it returns is the answer."""

    async def drive(attempt: Attempt) -> None:
        lent = {name: Lent(actor) for name, actor in attempt.actors.items()}
        given = {**lent, "actors": lent}
        names = list(inspect.signature(agent).parameters)[1:]
        text = attempt.task.text(attempt.base.facts)
        await attempt.drive(lambda: agent(text, **{name: given[name] for name in names}), timeout)

    return drive


def load_agent(place: str, task: Task) -> Agent:
    """The agent function at FILE.py:function. Raises UnknownPlay."""
    path, _, name = place.rpartition(":")
    file = Path(path)
    if not path or not file.is_file():
        raise UnknownPlay(f"An agent is FILE.py:function, and {path or place!r} is no file.")
    spec = importlib.util.spec_from_file_location(f"agent_{file.stem}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    agent = getattr(module, name, None)
    if not inspect.iscoroutinefunction(agent):
        raise UnknownPlay(f"{file} has no async function {name!r}.")
    known = {*task.actors, "actors"}
    unknown = [
        parameter for parameter in list(inspect.signature(agent).parameters)[1:] if parameter not in known
    ]
    if unknown:
        raise UnknownPlay(
            f"{name} asks for {', '.join(unknown)}; beside the text it can have {', '.join(sorted(known))}."
        )
    found: Agent = agent
    return found
