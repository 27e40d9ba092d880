"""`paracosm grade`: the verdict on a bundle of evidence, given again from its rows alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.words import DONE, FAILED, WrongUse

EXAMPLE = "Example: paracosm grade run.zip --guard right-claimant"


def grade(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="A file that `run` made.")],
    guard: Annotated[str | None, typer.Option(metavar="NAME", help="Show this guard alone.")] = None,
) -> None:
    """Grade a bundle again, offline: each guard's verdict with its sentence."""
    from rich.console import Console

    from harness.app import BrokenScenario, discover_services
    from harness.bundle import Bundle, BundleError
    from harness.cli import show
    from harness.discovery import UnknownTarget, find_task
    from harness.evidence import EvidenceError
    from harness.grade import grade as give

    try:
        opened = Bundle.at(bundle)
        task = find_task(opened.task_name)
        evidence = opened.evidence(task, discover_services())
        graded = give(evidence, task, discover_services())
    except (BundleError, EvidenceError, UnknownTarget, BrokenScenario) as error:
        raise WrongUse(error.args[0]) from None
    known = [*task.guards, *task.standing]
    if guard is not None and guard not in known:
        raise WrongUse(f"{task.name} has no guard {guard!r}; it has {', '.join(known)}.")
    chosen = [verdict for verdict in graded.verdicts if guard in (None, verdict.guard)]
    console, remarks = show.console(), Console(stderr=True)
    console.print(show.verdict_table(task, chosen))
    if other := opened.other_revision(task):
        show.line(remarks, other)
    if opened.manifest.get("state") not in (None, graded.state):
        show.line(remarks, f"The verdict was {opened.manifest['state']!r} when the bundle was made.")
    show.line(console, show.outcome(graded, evidence.error))
    passed = graded.passed if guard is None else all(verdict.state == "passed" for verdict in chosen)
    raise typer.Exit(DONE if passed else FAILED)
