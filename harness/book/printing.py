"""Prints the whole book: every page from environments and records, rollouts only where they are new."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fakes.core.service import Service
from fakes.core.world import schema_version
from harness.archive.records import Records, Rollout
from harness.archive.statistics import by_task, summarise
from harness.book import places
from harness.book.beside import changes, grids
from harness.book.entries import EnvironmentEntry
from harness.book.inside import Inside, anchor
from harness.book.opening import open_rollout
from harness.book.press import Press, print_stamp
from harness.book.volume import Volume, run_line, score
from harness.hiding import Hiding

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Printed:
    """What was printed: how many pages there are, and how many rollouts were read anew."""

    pages: int
    rollouts: int


def print_book(
    environments: Sequence[EnvironmentEntry], records: Records, data: Path, out: Path,
    services: Mapping[str, Service], progress: Progress = lambda done, of: None,
) -> Printed:  # fmt: skip
    """Prints the book of an archive in `data` into the folder `out`. Raises OSError."""
    press, volume = Press(out), Volume(environments, records)
    press.static()
    read = _print_rollouts(press, volume, data, services, progress)
    for env in environments:
        _print_environment(press, volume, env)
    for run in records.runs:
        rollouts = volume.of_run.get(run.id, [])
        press.page(
            places.run(run.id), "run.html", volume=volume, run=run, rollouts=rollouts,
            line=run_line(run, rollouts) if rollouts else None, summary=summarise(rollouts),
            tasks={name: summarise(of) for name, of in by_task(rollouts).items()},
        )  # fmt: skip
    press.page(places.COMPARE, "compare.html", volume=volume, grids=grids(volume), changes=changes(volume))
    press.page(places.CONTENTS, "contents.html", volume=volume)
    press.page(places.INDEX, "index.html", volume=volume)
    press.finish()
    return Printed(len(press.printed), read)


def _print_environment(press: Press, volume: Volume, env: EnvironmentEntry) -> None:
    press.page(places.environment(env.slug), "environment.html", volume=volume, env=env)
    for task in env.tasks:
        rollouts = volume.of_task.get(task.name, [])
        by_label = volume.by_label(rollouts)
        press.page(
            places.task(task.name), "task.html", volume=volume, env=env, task=task, rollouts=rollouts,
            scores={label: (score(of), summarise(of)) for label, of in by_label.items()},
            summary=summarise(rollouts),
        )  # fmt: skip


def _print_rollouts(
    press: Press, volume: Volume, data: Path, services: Mapping[str, Service], progress: Progress
) -> int:
    common = f"{print_stamp()} {schema_version(services)}"
    over = [each for each in volume.records.rollouts if each.over]
    read = 0
    for done, each in enumerate(over, 1):
        path, stamp = places.rollout(each.id), _stamp(volume, each, data, common)
        files = press.still(path, stamp)
        if files is None:
            files = _print_rollout(press, volume, each, open_rollout(each, data, services))
            press.stamped(path, stamp, files)
            read += 1
        volume.media[each.id] = files
        progress(done, len(over))
    return read


def _print_rollout(press: Press, volume: Volume, each: Rollout, shown: Inside) -> list[str]:
    files = []
    for medium in shown.media:
        files.append(places.medium(each.id, medium.file))
        press.file(files[-1], medium.content)
    task = volume.tasks.get(each.task)
    press.page(
        places.rollout(each.id), "rollout.html", volume=volume, rollout=each, shown=shown, anchor=anchor,
        run=volume.runs.get(each.run), task=task, said=Hiding(shown.known).text,
        sentences={guard.name: guard.sentence for guard in task.guards} if task else {},
    )  # fmt: skip
    for file in files:  # they go with the page, and are noted there
        del press.printed[file]
    return files


def _stamp(volume: Volume, each: Rollout, data: Path, common: str) -> str:
    """What a rollout's page is made from; its bundle goes by size and time of change."""
    task, run = volume.tasks.get(each.task), volume.runs.get(each.run)
    try:
        bundle = (data / (each.bundle or "")).stat()
        file = f"{bundle.st_size} {bundle.st_mtime_ns}"
    except (OSError, ValueError):
        file = ""
    of = repr((common, each, file, task, run and run.driver))
    return hashlib.sha256(of.encode("utf-8", "replace")).hexdigest()[:24]
