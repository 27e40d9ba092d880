"""`paracosm prove`: shows that every grader refuses what it must and passes what it should."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from harness.cli.words import DONE, FAILED, WRONG_USE, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from harness.environment import Environment
    from harness.proof import EnvironmentProof
    from harness.qualify import Progress
    from harness.task import Task

EXAMPLE = "Example: paracosm prove claims_desk/record-the-determination"


def prove(
    targets: Annotated[
        list[str] | None, typer.Argument(metavar="[ENV[/TASK]]...", help="Default: all.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="References and named cheats alone.")] = False,
    day: Annotated[
        str | None,
        typer.Option("--date", metavar="YYYY-MM-DD", help="The run clock's day, if not the base date."),
    ] = None,
    zone: Annotated[str | None, typer.Option(help="The worlds' time zone, an IANA name.")] = None,
) -> None:
    """Prove the graders: references pass, every cheat is refused by exactly its guards.

    A scenario that can't be imported or seeded stands in no other's way. Exit code 1: something did not hold;
    2: what was named can't be proved as it is.
    """
    from harness.app import BASE_DATE, ZONE
    from harness.cli import show
    from harness.discovery import UnknownTarget, find
    from harness.proof import LEGEND, last_line

    try:
        found = find(targets or [])
    except UnknownTarget as error:
        raise WrongUse(error.args[0]) from None
    on = BASE_DATE if day is None else _date(day)
    place = ZONE if zone is None else _zone(zone)
    console = show.console()
    with show.progress(console) as progress:
        proofs, unseeded = asyncio.run(_prove(found.chosen, on, place, quick, progress))
    broken = [*found.broken, *unseeded]
    if targets and broken and not proofs:
        raise WrongUse("\n".join(broken))
    for proof in proofs:
        _report(console, proof)
    for sentence in broken:
        show.line(console, f"✗ {sentence}", "red")
    for sentence in LEGEND:
        show.line(console, sentence, "dim")
    show.line(console, last_line(proofs, broken), "bold")
    held = bool(proofs) and all(proof.held for proof in proofs)
    raise typer.Exit(WRONG_USE if targets and broken else DONE if held and not broken else FAILED)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise WrongUse(f"{text!r} is no date; write YYYY-MM-DD.") from None


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (ValueError, KeyError, OSError):
        raise WrongUse(f"{name!r} is no time zone; write an IANA name such as Europe/Berlin.") from None


async def _prove(
    chosen: list[tuple[Environment, list[Task]]], day: date, zone: str, quick: bool, progress: Progress
) -> tuple[list[EnvironmentProof], list[str]]:
    """The proofs, and a sentence for each environment whose world can't be made."""
    from harness.app import BrokenScenario
    from harness.guards import TaskError
    from harness.qualify import prove_environment
    from harness.rails import BrowserRail

    browser = BrowserRail()
    proofs, broken = [], []
    try:
        for env, tasks in chosen:
            try:
                proofs.append(
                    await prove_environment(
                        env, tasks, browser=browser, day=day, zone=zone, quick=quick, progress=progress
                    )
                )
            except (BrokenScenario, TaskError) as error:
                broken.append(str(error))
    finally:
        await browser.close()
    return proofs, broken


def _report(console: Console, proof: EnvironmentProof) -> None:
    from harness import proved
    from harness.app import BASE_DATE, ZONE
    from harness.cli import show

    console.print(show.proof_table(proof))
    for problem in proof.problems:
        show.line(console, f"✗ {problem}", "red")
    for task in proof.tasks:
        for name in task.needless if task.reference_held else ():
            show.line(
                console,
                f"· {task.task.name}: guard {name} is not needed: it alone refuses no cheat and no probe.",
            )
        if task.loose:
            loose = "; ".join(f"{fact} ({', '.join(passing)})" for fact, passing in task.loose.items())
            show.line(console, f"· {task.task.name}: passes with other values of {loose}.", "dim")
        if task.unguarded:
            show.line(console, f"· {task.task.name}: no guard looks at {', '.join(task.unguarded)}.", "dim")
    if (proof.day, proof.zone) == (BASE_DATE, ZONE):
        proved.write(proof)
