"""`paracosm prove`: shows that every grader refuses what it must and passes what it should."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from harness.cli.words import DONE, FAILED, WrongUse

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
    """Prove the graders: references pass, every cheat is refused by exactly its guards."""
    from harness.app import BASE_DATE, ZONE
    from harness.cli import show
    from harness.discovery import UnknownTarget, find
    from harness.guards import TaskError
    from harness.proof import last_line

    try:
        chosen = find(targets or [])
    except (UnknownTarget, TaskError) as error:
        raise WrongUse(error.args[0]) from None
    on = BASE_DATE if day is None else _date(day)
    place = ZONE if zone is None else _zone(zone)
    console = show.console()
    with show.progress(console) as progress:
        proofs = asyncio.run(_prove(chosen, on, place, quick, progress))
    for proof in proofs:
        _report(console, proof)
    show.line(console, last_line(proofs), "bold")
    raise typer.Exit(DONE if proofs and all(proof.held for proof in proofs) else FAILED)


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
) -> list[EnvironmentProof]:
    from harness.qualify import prove_environment
    from harness.rails import BrowserRail

    browser = BrowserRail()
    asked = {"browser": browser, "day": day, "zone": zone, "quick": quick, "progress": progress}
    try:
        return [await prove_environment(env, tasks, **asked) for env, tasks in chosen]  # type: ignore[arg-type]
    finally:
        await browser.close()


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
    if (proof.day, proof.zone) == (BASE_DATE, ZONE):
        proved.write(proof)
