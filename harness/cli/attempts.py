"""What `paracosm run` does: plans a run in the archive and makes its rollouts, or goes on with one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from harness.cli.dial import DATA
from harness.cli.words import Failed, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from harness.archive.keeping import Keeping
    from harness.archive.records import Plan, Rollout, Run
    from harness.code.declaring import CodeTask
    from harness.driver import Driver
    from harness.parallel import Crew
    from harness.rollouts import Made
    from harness.task import Task

STOPPED = 130
"""The exit code of a run that Ctrl-C ended, as shells have it."""


@dataclass(frozen=True)
class Wanted:
    """What to run and how often, beside who acts; None: whatever is usual. `jobs` is how many at once, and
    `single` that it must come to one rollout.
    """

    targets: tuple[str, ...]
    rollouts: int = 1
    instances: int | None = None
    split: str | None = None
    seed: int | None = None
    keep: str | None = None
    jobs: int | None = None
    label: str | None = None
    single: bool = False


@dataclass
class Ended:
    """A run as this command leaves it: all its rollouts, and what was made just now."""

    run: Run
    rollouts: Sequence[Rollout]
    made: Sequence[Made]
    remarks: Sequence[str] = ()


def begin(console: Console, wanted: Wanted, driver: Driver, data: Path) -> Ended:
    """Plans a run and makes it. Raises WrongUse, Failed, and typer.Exit where it is stopped."""
    from harness.cli.rolling import Rolling

    folder_of_runs(data)
    with telling(data), stopped_as_by_hand(), Rolling(console) as live:
        tasks = _tasks(wanted)
        with crew_for(driver, wanted.jobs, live) as crew:
            plans, remarks = _planned(tasks, wanted, driver, crew)
            live.many = len(plans) > 1
            if wanted.single and live.many:
                raise WrongUse(f"--out is about one rollout, and these are {len(plans)}: leave it out.")
            return _begun(console, plans, wanted, driver, data, crew, remarks)


def _begun(
    console: Console, plans: list[Plan], wanted: Wanted, driver: Driver, data: Path, crew: Crew,
    remarks: list[str],
) -> Ended:  # fmt: skip
    from harness.archive.keeping import Keeping
    from harness.cli import show

    options = {
        "rollouts": wanted.rollouts, "instances": wanted.instances, "split": wanted.split,
        "seed": wanted.seed, "keep": wanted.keep or "all", "folder": str(Path.cwd()),
    }  # fmt: skip
    with Keeping(data) as kept:
        run = kept.do(
            lambda archive: archive.plan(
                plans, driver=driver, targets=wanted.targets, label=wanted.label, options=options,
                versions=_versions(), isolation=isolation(driver),
            )
        )  # fmt: skip
        if len(plans) > 1:
            show.line(console, f"run {run.id}: {len(plans)} rollouts")
        return _made(console, kept, run, crew, remarks)


def resume(console: Console, name: str, jobs: int | None, data: Path) -> Ended:
    """Makes what is not over of a run, by its own driver and options. Raises as `begin`."""
    from harness.archive.keeping import Keeping
    from harness.archive.places import archive_in
    from harness.archive.store import Archive
    from harness.cli.rolling import Rolling
    from harness.rollouts import check

    if not archive_in(data).is_file():
        raise WrongUse(f"There is no run in {data}; say --data.")
    with telling(data), stopped_as_by_hand(), Rolling(console) as live, Keeping(data) as kept:
        records = kept.do(Archive.records)
        run = find_run(records.runs, name)
        _check_folder(run)
        left = dict.fromkeys(each.task for each in records.of_run(run.id) if not each.over)
        with crew_for(run.driver, jobs, live) as crew:
            live.many = True
            if left:
                check([task for target in left for task in find_tasks(target)], run.driver, crew)
            return _made(console, kept, run, crew, [])


def _made(console: Console, kept: Keeping, run: Run, crew: Crew, remarks: list[str]) -> Ended:
    """Makes what is planned of a run; whatever was under way when a process was killed is planned again."""
    from harness.archive.keeping import make
    from harness.archive.places import holding
    from harness.archive.store import Archive
    from harness.rollouts import in_code

    with holding(kept.data, run.id):
        kept.do(lambda archive: archive.give_back(run.id))
        left = [each for each in kept.do(Archive.records).of_run(run.id) if not each.over]
        code = frozenset(name for name in {each.task for each in left} if in_code(name))
        try:
            made = make(kept, left, run.driver, crew, keep=run.options["keep"], code=code) if left else []
        except KeyboardInterrupt:
            _tell_stop(console, kept, run)
            raise typer.Exit(STOPPED) from None
        finally:
            kept.do(lambda archive: archive.give_back(run.id))
        return Ended(run, kept.do(Archive.records).of_run(run.id), made, remarks)


def _tell_stop(console: Console, kept: Keeping, run: Run) -> None:
    from harness.archive.store import Archive
    from harness.cli import show

    rollouts = kept.do(Archive.records).of_run(run.id)
    where = "" if kept.data == DATA else f" --data {kept.data}"
    over = sum(each.over for each in rollouts)
    show.line(
        console, f"Stopped: {over} of {len(rollouts)} rollouts are over. "
        f"To go on: paracosm run --resume {run.id}{where}",
    )  # fmt: skip


# what is run


def find_tasks(target: str) -> list[Task | CodeTask]:
    """The tasks that ENV or ENV/TASK names, of worlds or code. Raises UnknownTarget and BrokenScenario."""
    from harness.app import BrokenScenario
    from harness.discovery import find
    from harness.rollouts import code_tasks, in_code

    if in_code(target):
        return list(code_tasks(target))
    found = find([target])
    if found.broken:
        raise BrokenScenario(found.broken[0])
    return list(found.chosen[0][1])


def _tasks(wanted: Wanted) -> list[Task | CodeTask]:
    tasks = {task.name: task for target in wanted.targets for task in find_tasks(target)}
    code = next((task for task in tasks.values() if not _in_world(task)), None)
    if code is not None and (wanted.seed is not None or wanted.instances is not None):
        option = "--seed" if wanted.seed is not None else "--instances"
        raise WrongUse(f"{option} is about worlds, and {code.name} is a code task: leave it out.")
    return list(tasks.values())


def _in_world(task: Task | CodeTask) -> bool:
    from harness.task import Task

    return isinstance(task, Task)


def _planned(
    tasks: list[Task | CodeTask], wanted: Wanted, driver: Driver, crew: Crew
) -> tuple[list[Plan], list[str]]:
    """The rollouts to make, and a remark where there are fewer instances than were asked for.

    All tasks come once before any comes again, so that a run which is stopped says something of each.
    """
    from harness.archive.records import Plan
    from harness.rollouts import check

    check(tasks, driver, crew)
    seeds, remarks = _seeds(tasks, wanted, crew)
    numbers = range(1, wanted.rollouts + 1)
    plans = [
        Plan(task.name, seed, n) for n in numbers for task in tasks for seed in seeds.get(task.env.slug, [1])
    ]
    return plans, remarks


def _seeds(
    tasks: Iterable[Task | CodeTask], wanted: Wanted, crew: Crew
) -> tuple[dict[str, list[int]], list[str]]:
    """The seeds of each environment that has worlds. Raises BrokenScenario for one that can't be made."""
    from harness.instances import FIRST, find, mark
    from harness.task import Task

    seeds: dict[str, list[int]] = {}
    remarks = []
    for env in {task.env.slug: task.env for task in tasks if isinstance(task, Task)}.values():
        if wanted.instances is None:
            mark(env, FIRST)
            seeds[env.slug] = [wanted.seed or FIRST]
        else:
            found = find(env, wanted.split or "train", wanted.instances, crew)  # type: ignore[arg-type]
            seeds[env.slug] = found.seeds
            remarks.append(found.shortfall(env))
    return seeds, [remark for remark in remarks if remark]


def find_run(runs: Sequence[Run], name: str) -> Run:
    """The run of that id, or number. Raises WrongUse."""
    from harness.archive import selecting

    if run := selecting.find_run(runs, name):
        return run
    newest = ", ".join(run.id for run in reversed(runs[-5:]))
    raise WrongUse(f"There is no run {name!r}; the newest are: {newest or 'none'}.")


def _check_folder(run: Run) -> None:
    """That an agent named by a path is where it was. Raises WrongUse."""
    began, agent = run.options.get("folder"), run.driver.agent
    if agent and began and not Path(agent).is_absolute() and Path.cwd() != Path(began):
        raise WrongUse(f"Run {run.id} began in {began}, where its agent {agent} is: go on with it there.")


# how


@contextmanager
def stopped_as_by_hand() -> Iterator[None]:
    """Lets SIGTERM end what is done here as Ctrl-C does, so that what is under way is given back and no
    folder of an attempt stays; where Ctrl-C means nothing, SIGTERM ends it at once.
    """
    by_hand = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not by_hand or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def telling(data: Path) -> Iterator[None]:
    """Tells as a sentence what can't be run, or can't be kept."""
    from harness.app import BrokenScenario
    from harness.archive.places import RunHeld
    from harness.archive.store import ArchiveError
    from harness.discovery import UnknownTarget
    from harness.guards import TaskError
    from harness.parallel import JobFailed, NoProcesses
    from harness.rollout import UnknownPlay

    try:
        yield
    except (UnknownTarget, UnknownPlay, BrokenScenario, TaskError, ArchiveError, RunHeld) as error:
        raise WrongUse(error.args[0]) from None
    except (JobFailed, NoProcesses) as error:
        raise Failed(error.args[0]) from None
    except OSError as error:
        raise Failed(f"{error.filename or data} can't be written: {error.strerror}.") from None


def crew_for(driver: Driver, jobs: int | None, listener: Any) -> Crew:
    """As many processes as were asked for, or cores; a person does one thing at a time, and an agent's code
    is kept out of this process.
    """
    from harness.parallel import Crew, cores

    if driver.rail == "manual":
        return Crew(1, listener)
    return Crew(jobs or cores(), listener, apart=driver.agent is not None)


def isolation(driver: Driver) -> str:
    """What holds whoever acts in, in words."""
    if driver.rail == "command":
        return "unconfined: a process group, home and working folder of its own, but as you, on this machine"
    if driver.rail == "manual":
        return "a person's browser, known by its lease"
    return "unconfined: it ran as you, on this machine"


def _versions() -> dict[str, Any]:
    from fakes.core.world import schema_version
    from harness import app
    from harness.attempt import product_version

    return {"paracosm": product_version(), "schema": schema_version(app.discover_services())}


def folder_of_runs(data: Path) -> Path:
    """Where bundles go: for their owner alone, since a world's secrets are in them. Raises WrongUse."""
    folder = data / "runs"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"{folder} can't keep bundles: {error.strerror}; say --data.") from None
    return folder
