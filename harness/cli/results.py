"""What `paracosm run` says of a run at its end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.words import DONE, FAILED, Failed, WrongUse, harmless

if TYPE_CHECKING:
    from rich.console import Console

    from harness.archive.records import Rollout
    from harness.cli.attempts import Ended

SHOWN = 20
"""Of rollouts that did not pass, so many ways are told, and so many rollouts of each; the archive has all."""


def tell_one(console: Console, ended: Ended, data: Path, out: Path | None, *, traceback: bool) -> int:
    """The verdicts of a single rollout, how it ended and where its bundle is; returns the exit code."""
    from harness.cli import show
    from harness.cli.attempts import find_tasks

    [rollout], [made] = ended.rollouts, ended.made
    if made.trace and traceback:
        print(harmless(made.trace), file=sys.stderr, end="")
    if made.grade is None:
        raise Failed(f"{how(rollout)}.")
    [task] = find_tasks(rollout.task)
    console.print(show.verdict_table(task, made.grade.verdicts))
    said = f"rail {rollout.rail or 'none'}, {'confined' if rollout.confined else ended.run.isolation}"
    said += f", seed {rollout.seed}" if rollout.seed != 1 else ""
    show.line(console, f"{show.outcome(made.grade, rollout.error)} ({said})")
    if rollout.bundle is not None:
        show.line(console, str(_copied(data / rollout.bundle, out)))
    return DONE if rollout.passed else FAILED


def _copied(bundle: Path, out: Path | None) -> Path:
    """Where the bundle is, or its copy if one is wanted."""
    if out is None:
        return bundle
    try:
        out.write_bytes(bundle.read_bytes())
    except OSError as error:
        raise WrongUse(f"{out} can't be written: {error.strerror}.") from None
    return out


def tell(console: Console, ended: Ended) -> int:
    """The ways in which rollouts did not pass, remarks, and the counts; returns the exit code."""
    from harness.cli import show
    from harness.rollouts import summary

    _tell_ways(console, ended.rollouts)
    for remark in ended.remarks:
        show.line(console, remark)
    show.line(console, f"run {ended.run.id}")
    show.line(console, summary([each.state for each in ended.rollouts]), "bold")
    return DONE if all(each.passed for each in ended.rollouts) else FAILED


def _tell_ways(console: Console, rollouts: Sequence[Rollout]) -> None:
    """A line for each way of not passing, with the rollouts that ended so; up to so many of both."""
    from harness.cli import show

    ways: dict[tuple[str, str], list[str]] = {}
    for each in rollouts:
        if not each.passed:
            ways.setdefault((each.task, how(each)), []).append(f"s{each.seed} n{each.number}")
    for (task, way), which in list(ways.items())[:SHOWN]:
        said = ", ".join(which[:SHOWN]) + (" …" if len(which) > SHOWN else "")
        show.line(console, f"✗ {task} {said}: {way}")
    if len(ways) > SHOWN:
        show.line(console, f"… and {len(ways) - SHOWN} other ways, in the archive.")


def how(rollout: Rollout) -> str:
    """How a rollout ended, in a line: `failed: right-claimant; 2 not judged`."""
    from harness.cli.show import wrong

    if rollout.state == "passed":
        return "passed"
    if rollout.state in ("failed", "grader error") and rollout.verdicts:
        return f"{rollout.state}: {wrong(rollout.verdicts)}"
    return f"{rollout.state}: {rollout.error}" if rollout.error else rollout.state
