"""`paracosm run --instances`: a task on many instances of its environment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from harness.cli.words import DONE, FAILED, Failed, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from harness.rollouts import Asked, Tried
    from harness.task import Task

SHOWN = 20
"""Of attempts that did not pass, so many ways are told, and so many seeds of each; the index has all."""


@dataclass(frozen=True)
class Many:
    """How many instances, of which split, which bundles stay, and in how many processes (None: cores)."""

    instances: int
    split: str
    keep: str
    jobs: int | None


def attempt(
    console: Console, target: str, many: Many, agent: str | None, play: str | None, rail: str | None,
    timeout: float, out: Path | None, data: Path,
) -> int:  # fmt: skip
    """Attempts and tells; returns the exit code. Raises WrongUse and Failed."""
    from harness.app import BrokenScenario
    from harness.cli import show
    from harness.discovery import UnknownTarget, find
    from harness.instances import SPLITS
    from harness.parallel import JobFailed, NoProcesses
    from harness.rollout import UnknownPlay
    from harness.rollouts import INDEX, Asked, Keep, summary

    if many.split not in SPLITS:
        raise WrongUse(f"There is no split {many.split!r}; there are {' and '.join(SPLITS)}.")
    if many.keep not in get_args(Keep):
        raise WrongUse(f"--keep takes all, failures or none, not {many.keep!r}.")
    try:
        found = find([target])
        if found.broken:
            raise WrongUse(found.broken[0])
        [(env, tasks)] = found.chosen
        _check(tasks, agent, play, timeout)
        folder = _folder(out, data, tasks, many.split)
        asked = Asked(agent, play, rail, timeout, folder, many.keep)  # type: ignore[arg-type]
        try:
            tried, remark = _tried(console, tasks, many, asked)
        except OSError as error:
            raise WrongUse(f"{folder} can't be written: {error.strerror}.") from None
    except (UnknownTarget, UnknownPlay, BrokenScenario) as error:
        raise WrongUse(error.args[0]) from None
    except (JobFailed, NoProcesses) as error:
        raise Failed(error.args[0]) from None
    _tell(console, tried)
    if remark:
        show.line(console, remark)
    show.line(console, str(folder / INDEX))
    show.line(console, summary(tried), "bold")
    return DONE if all(each.passed for each in tried) else FAILED


def _check(tasks: list[Task], agent: str | None, play: str | None, timeout: float) -> None:
    """What can't act on one of the tasks is told before any is tried. Raises UnknownPlay."""
    from harness.rollout import drive_of
    from harness.rollouts import check_agent

    if agent is not None:
        check_agent(tasks, agent, timeout)
    else:
        for task in tasks:
            drive_of(task, None, play, timeout)


def _folder(out: Path | None, data: Path, tasks: list[Task], split: str) -> Path:
    from harness.cli.run import runs_folder

    env = tasks[0].env.slug
    what = f"{env}-{tasks[0].slug}" if len(tasks) == 1 else env
    folder = out or runs_folder(data) / f"{what}-{split}"
    try:
        folder.mkdir(mode=0o700, parents=out is None, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"{folder} can't keep bundles: {error.strerror}.") from None
    return folder


def _tried(console: Console, tasks: list[Task], many: Many, asked: Asked) -> tuple[list[Tried], str]:
    """What came of the attempts, and why there are fewer instances than were asked for, if so."""
    from harness.cli.live import Live
    from harness.instances import find
    from harness.parallel import Crew, cores
    from harness.rollouts import Tried, try_all

    def outcome(came: object) -> str:
        return came.state if isinstance(came, Tried) else "looked at"

    env = tasks[0].env
    apart = asked.agent is not None
    with Live(console, outcome) as live, Crew(many.jobs or cores(), live, apart=apart) as crew:
        found = find(env, many.split, many.instances, crew)  # type: ignore[arg-type]
        return try_all([(task, found.seeds) for task in tasks], asked, crew), found.shortfall(env)


def _tell(console: Console, tried: list[Tried]) -> None:
    """A line for each way of not passing, with the seeds that ended so; up to so many lines and seeds."""
    from harness.cli import show

    ways: dict[tuple[str, str], list[int]] = {}
    for each in tried:
        if not each.passed:
            how = show.outcome(each.grade, each.error) if each.grade else f"{each.state}: {each.error}"
            ways.setdefault((each.task, how), []).append(each.seed)
    for (task, how), seeds in list(ways.items())[:SHOWN]:
        said = ", ".join(map(str, seeds[:SHOWN])) + (" …" if len(seeds) > SHOWN else "")
        show.line(console, f"✗ {task} seed{'s' * (len(seeds) > 1)} {said}: {how}")
    if len(ways) > SHOWN:
        show.line(console, f"… and {len(ways) - SHOWN} other ways, in the index.")
