"""Scores beside each other: tasks by model and by run, and what moved between a model's last two runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.archive.comparison import Comparison, compare
from harness.archive.records import Rollout
from harness.book import places
from harness.book.volume import Score, Volume, score

MOST_RUNS = 24


@dataclass(frozen=True)
class Grid:
    """A matrix of scores. `rows` are (environment, ENV/TASK), `columns` models or runs with their pages."""

    title: str
    columns: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, str]]
    cells: Mapping[tuple[str, str], Sequence[Rollout]]

    def score(self, task: str, column: str) -> Score:
        """The score in a cell."""
        return score(self.cells.get((task, column), ()))

    def score_of_environment(self, env: str, column: str) -> Score:
        """The score over the tasks of an environment."""
        found = [self.cells.get((task, column), ()) for of, task in self.rows if of == env]
        return score([each for rollouts in found for each in rollouts])


def grids(volume: Volume) -> list[Grid]:
    """Tasks by model, and by run, the newest run first. Tasks that were never run have no rows."""
    rollouts = [each for each in volume.records.rollouts if each.over]
    run = {each.task for each in rollouts}
    names = [*(name for name in volume.tasks if name in run), *sorted(run - volume.tasks.keys())]
    rows = [(name.partition("/")[0], name) for name in names]
    models = [(label, "") for label in volume.by_label(rollouts)]
    runs = {each.run for each in rollouts}
    newest = [run.id for run in reversed(volume.records.runs) if run.id in runs][:MOST_RUNS]
    return [
        Grid("By model", models, rows, _cells(rollouts, volume.label)),
        Grid("By run", [(r, places.run(r)) for r in newest], rows, _cells(rollouts, lambda each: each.run)),
    ]


def _cells(
    rollouts: Iterable[Rollout], column: Callable[[Rollout], str]
) -> dict[tuple[str, str], list[Rollout]]:
    found: dict[tuple[str, str], list[Rollout]] = {}
    for each in rollouts:
        found.setdefault((each.task, column(each)), []).append(each)
    return found


def changes(volume: Volume) -> list[tuple[str, str, str, Comparison]]:
    """For each model its last two runs with tasks in common: (model, earlier, later, what moved)."""
    by_label: dict[str, list[str]] = {}
    for run in volume.records.runs:
        if any(each.over for each in volume.of_run.get(run.id, ())):
            by_label.setdefault(run.driver.label, []).append(run.id)
    found = []
    for label, runs in by_label.items():
        if len(runs) > 1:
            earlier, later = runs[-2:]
            moved = compare(volume.of_run[earlier], volume.of_run[later])
            if moved.difference is not None:
                found.append((label, earlier, later, moved))
    return found
