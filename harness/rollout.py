"""A rollout: one attempt by an agent, or by one of a task's own plays, graded and kept as a bundle."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Awaitable, Callable, Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

from fakes.core.service import Service
from harness.app import BASE_DATE, ZONE
from harness.attempt import Attempt
from harness.bundle import Bundle, pack
from harness.driver import Driver
from harness.evidence import Evidence
from harness.frames import told
from harness.grade import Grade, grade
from harness.guards import Play
from harness.qualify import CLAIM, attempts_on, plausible
from harness.rails import BrowserMissing, BrowserRail, Lent
from harness.task import Task

Agent = Callable[..., Awaitable[Any]]
Drive = Callable[[Attempt], Awaitable[None]]
PLAYS = "reference, null, done, cheat:NAME or variant:NAME"


class GradingFailed(Exception):
    """What an attempt left could not be graded at all, which is a fault of ours; its cause says why."""


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

    An attempt that can't begin is not-run. Raises GradingFailed.
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
            evidence = await attempt.concluded()
        try:
            return _graded(evidence, task, attempts.server.services)
        except Exception as error:
            raise GradingFailed(f"{type(error).__name__}: {error}") from error


def _graded(evidence: Evidence, task: Task, services: dict[str, Service]) -> Rollout:
    read = Bundle(pack(evidence, small=False)).evidence(task, services)
    graded = grade(read, task, services)
    return Rollout(read, graded, pack(evidence, graded))


def drive_of(task: Task, driver: Driver, agent: Agent | None = None) -> Drive:
    """Lets whoever the driver names act in a world; `agent` is its agent where that was loaded already.

    Raises UnknownPlay.
    """
    if driver.play is not None:
        return by_play(task, driver.play, driver.timeout)
    if agent is not None or driver.agent is not None:
        return by_agent(agent or load_agent(driver.agent or "", task), driver.timeout)
    return from_outside(driver)


def from_outside(driver: Driver) -> Callable[[Any], Awaitable[None]]:
    """Lets a program, a model or a person act, in a world or on a code task. Raises UnknownPlay."""
    if driver.command or driver.recipe is not None:
        from harness.rails.command import by_command

        return by_command(driver)
    if driver.rail == "model":
        from harness.rails.model import by_model

        return by_model(driver)
    if driver.rail == "manual":
        from harness.rails.manual import by_person

        return by_person(driver)
    raise UnknownPlay("Nobody is named who could act.")


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
    """Lets an agent act. It gets by name what it asks for: `task_text`, actors, or all in a dict of `actors`;
    what it returns is the answer.
    """
    own = [Path(inspect.getfile(agent))]

    async def drive(attempt: Attempt) -> None:
        lent = {name: Lent(actor) for name, actor in attempt.actors.items()}
        given = {**lent, "actors": lent, "task_text": attempt.task.text(attempt.base.facts)}
        asked = _asked(agent, given)
        await attempt.drive(lambda: agent(**{name: given[name] for name in asked}), timeout, own)

    return drive


def _asked(agent: Agent, known: Collection[str]) -> list[str]:
    """What an agent asks for of what is known; all of it for **kwargs."""
    parameters = inspect.signature(agent).parameters.values()
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    return list(known) if takes_all else [p.name for p in parameters if p.name in known]


def load_agent(place: str, task: Task) -> Agent:
    """The agent function at FILE.py:FUNCTION. Raises UnknownPlay."""
    path, _, name = place.rpartition(":")
    file = Path(path or place)
    if not file.is_file():
        raise UnknownPlay(f"An agent is FILE.py:FUNCTION, and there is no file {str(file)!r}.")
    if not (path and name):
        raise UnknownPlay(f"An agent is FILE.py:FUNCTION: say which function of {file}, as in {file}:agent.")
    found = getattr(_imported(file), name, None)
    if not inspect.iscoroutinefunction(found):
        raise UnknownPlay(
            f"{file} has no async function {name!r}; an agent is `async def {name}(task_text, …)`."
        )
    agent: Agent = found
    known = sorted({*task.actors, "actors", "task_text"})
    unknown = [
        p.name for p in inspect.signature(agent).parameters.values() if _is_needed(p) and p.name not in known
    ]
    if unknown:
        raise UnknownPlay(
            f"{name} asks for {', '.join(unknown)}; in {task.name} it can have {', '.join(known)}."
        )
    return agent


def _is_needed(parameter: inspect.Parameter) -> bool:
    variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return not variadic and parameter.default is parameter.empty


def _imported(file: Path) -> ModuleType:
    """A file as a module. Raises UnknownPlay, with file and line where it breaks."""
    spec = importlib.util.spec_from_file_location(f"agent_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise UnknownPlay(f"An agent is FILE.py:FUNCTION, and {str(file)!r} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pydantic look themselves up there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise UnknownPlay(f"The agent can't be imported: {told(error, [file])}") from error
    return module
