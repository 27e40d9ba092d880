"""`paracosm prove`: shows that every grader refuses what it must and passes what it should."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from harness.cli.words import DONE, FAILED, WRONG_USE, Failed, WrongUse

if TYPE_CHECKING:
    from harness.code.declaring import CodeTask
    from harness.code.qualify import Qualification
    from harness.dates import Setting
    from harness.discovery import Found
    from harness.proving import Asked, Proofs

EXAMPLE = """Examples:

paracosm prove claims_desk/record-the-determination

paracosm prove claims_desk --dates -j 4

paracosm prove claims_desk --full --order 48213

paracosm prove claims_console --instances 20 --quick

paracosm prove claims_desk --quick --watch

paracosm prove claims_desk/record-the-determination --open the-other-whitfield

paracosm prove relay -j 2
"""


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
    dates: Annotated[
        bool,
        typer.Option(
            "--dates", help="Six dates, each in a zone of its own: leap day, year's end, clock changes …"
        ),
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Eighteen: such days in three places each.")] = False,
    instances: Annotated[
        int | None,
        typer.Option(metavar="N", help="Besides, on N instances of the environment, quickly: see `run`."),
    ] = None,
    order: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Shuffle tasks and plays by this number. --dates and --full draw one, and tell it.",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="N", help="Processes; one a core, if none is said.")
    ] = None,
    notes: Annotated[
        bool,
        typer.Option("--notes", help="Tell what may be as it is, too; of a single task it is always told."),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and prove again what is saved; Ctrl-C ends.")
    ] = False,
    play: Annotated[
        str | None,
        typer.Option(
            "--open",
            metavar="PLAY",
            help="Play this cheat, variant or the reference once, and serve the world that it leaves.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --open: the port; 0 takes one that is free.")
    ] = 0,
) -> None:
    """Prove the graders: references pass, every cheat is refused by exactly its guards; of code tasks, every
    witness fails exactly the invariants that it declares.

    A scenario that can't be imported or seeded stands in no other's way. What holds must hold on every date
    and instance that is asked for. Exit code 1: something did not hold; 2: what was named can't be proved as
    it is.
    """
    from harness.cli import qualifying, show
    from harness.discovery import Found
    from harness.proof import LEGEND, last_line
    from harness.proving import Asked

    settings = _settings(day, zone, dates=dates, full=full)
    worlds, code = qualifying.parted(targets or [])
    if watch or play is not None:
        qualifying.refuse_staying(code if targets else [], watch=watch, play=play)
        if dates or full or instances is not None or order is not None or jobs is not None:
            raise WrongUse("--watch and --open play one date, one after the other; leave the rest out.")
        raise typer.Exit(_stay(targets or [], settings[0], play, port, quick=quick, watch=watch))
    if worlds is None and (not settings[0].is_base or dates or full or instances is not None):
        qualifying.refuse_settings(code[0])
    asked = Asked(settings, _count(instances, "--instances") or 0, quick, _order(order, dates or full))
    found = Found() if worlds is None else _found(worlds)
    solutions, broken_code = qualifying.found(code)
    processes = _count(jobs, "--jobs")
    console = show.console()
    proofs, qualified = _proved(found, solutions, asked, processes)
    broken = [*found.broken, *broken_code, *proofs.broken]
    if targets and broken and not (proofs.found or qualified):
        raise WrongUse("\n".join(broken))
    for proof in proofs.found:
        show.proof(console, proof, notes=notes or sum(len(each.tasks) for each in proofs.found) == 1)
    for made in qualified:
        qualifying.show(console, made)
    _keep(proofs, asked)
    for sentence in broken:
        show.line(console, f"✗ {sentence}", "red")
    for sentence in (*proofs.remarks, *_repeating(asked), *(LEGEND if proofs.found else ())):
        show.line(console, sentence, "dim")
    show.line(console, last_line(proofs.found, broken, qualified), "bold")
    held = all(proof.held for proof in proofs.found) and all(made.qualified for made in qualified)
    held = held and bool(proofs.found or qualified)
    raise typer.Exit(WRONG_USE if targets and broken else DONE if held and not broken else FAILED)


# what was asked for


def _settings(day: str | None, zone: str | None, *, dates: bool, full: bool) -> tuple[Setting, ...]:
    from harness.dates import BASE, DATES, FULL, Setting

    if dates and full:
        raise WrongUse("--full plays the six of --dates too; say one of them.")
    if dates or full:
        if day is not None or zone is not None:
            raise WrongUse(
                "--dates and --full play dates and zones of their own; leave out --date and --zone."
            )
        return FULL if full else DATES
    return (Setting(BASE.day if day is None else _date(day), BASE.zone if zone is None else _zone(zone)),)


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


def _count(number: int | None, option: str) -> int | None:
    if number is not None and number < 1:
        raise WrongUse(f"{option} takes a number, 1 or more, not {number}.")
    return number


def _order(order: int | None, drawn: bool) -> int | None:
    """The number that shuffles: what was said, or one by chance."""
    from fakes.core.ids import draw_secret

    if order is None and drawn:
        return int.from_bytes(draw_secret()[:4], "big") % 1_000_000
    return order


def _found(targets: list[str]) -> Found:
    from harness.discovery import UnknownTarget, find

    try:
        return find(targets)
    except UnknownTarget as error:
        raise WrongUse(error.args[0]) from None


# doing it


def _proved(
    found: Found, solutions: Sequence[Sequence[CodeTask]], asked: Asked, processes: int | None
) -> tuple[Proofs, list[Qualification]]:
    from harness.cli import qualifying, show
    from harness.cli.live import Live
    from harness.parallel import Crew, JobFailed, NoProcesses, cores
    from harness.proving import Proofs, prove_all

    live = Live(show.console(), qualifying.outcome, stages=True)
    try:
        with live, Crew(processes or cores(), live) as crew:
            proofs = prove_all(found.chosen, asked, crew) if found.chosen else Proofs()
            return proofs, qualifying.qualified(solutions, crew)
    except (JobFailed, NoProcesses) as error:
        raise Failed(error.args[0]) from None


def _stay(targets: list[str], on: Setting, play: str | None, port: int, *, quick: bool, watch: bool) -> int:
    """What goes on until it is interrupted: watching, or serving the world of one play."""
    from harness.cli import opening, watching

    if watch and play is not None:
        raise WrongUse("--watch proves again and again, --open plays once; say one of them.")
    if watch:
        if not on.is_base:
            raise WrongUse("--watch proves on the base date; leave out --date and --zone.")
        return watching.watch(targets, quick=quick)
    if play is None or len(targets) != 1:
        raise WrongUse("--open plays a play of one task: paracosm prove ENV/TASK --open PLAY.")
    return opening.open_play(targets[0], play, port=port, day=on.day, zone=on.zone)


def _keep(proofs: Proofs, asked: Asked) -> None:
    """Keeps what was found on the dates that everybody plays: the base date, or those of the table."""
    from harness import proved
    from harness.dates import DATES, FULL

    if asked.settings in (DATES, FULL) or asked.settings[0].is_base:
        for proof in proofs.found:
            proved.write(proof)


def _repeating(asked: Asked) -> list[str]:
    return [f"Played in random order; --order {asked.order} repeats it."] if asked.order is not None else []
