"""`paracosm bench`: what things cost on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.words import DONE, FAILED, WrongUse

if TYPE_CHECKING:
    from rich.table import Table

    from harness.bench.lines import Line, Say

EXAMPLE = "Example: paracosm bench gateway desk.claims.list --quick"
_MARKS = {True: "[green]met[/]", False: "[yellow]not met[/]", None: ""}


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="What to measure, or how its name begins. Default: all."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many rounds; more are steadier.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A rough look in a few seconds.")] = False,
) -> None:
    """Measure what things cost here: CPU of the serving side, and how long they take.

    Rounds of each thing and of a bare Starlette route with an answer as long take turns: on a machine that
    others share, compare the ratios. Exit code 1: something could not be measured.
    """
    from dataclasses import replace

    from harness.bench import measuring
    from harness.bench.lines import FULL, QUICK, SUBJECTS, chosen

    try:
        wanted = chosen(names or ())
    except LookupError as unknown:
        raise WrongUse(
            f"Nothing that is measured is called {unknown.args[0]!r}; there are: {', '.join(SUBJECTS)}."
        ) from None
    plan = QUICK if quick else FULL
    plan = plan if rounds is None else replace(plan, rounds=rounds)
    with _telling() as say:
        lines, failed = measuring.measure(wanted, plan, say)
    if as_json:
        import json

        print(json.dumps([line.as_json() for line in lines], indent=2))
    else:
        from harness.cli import show

        show.console().print(table(lines))
    for sentence in failed:
        typer.echo(f"✗ {sentence}", err=True)
    raise typer.Exit(FAILED if failed else DONE)


@contextmanager
def _telling() -> Iterator[Say]:
    """Tells on stderr what is being measured: a moving line in a terminal, lines elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        with console.status("starting") as status:
            yield lambda what: status.update(what)
        return
    yield lambda what: console.print(what, highlight=False, markup=False)


def table(lines: list[Line]) -> Table:
    """The lines for people."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from harness.bench.lines import SUBJECTS

    made = Table(box=SIMPLE_HEAD)
    made.add_column("name", no_wrap=True)
    for name in ("CPU ms", "p50 ms", "of bare"):
        made.add_column(name, justify="right")
    for name in ("target", ""):
        made.add_column(name, no_wrap=True)
    made.add_column("what", overflow="fold")
    for line in lines:
        subject = SUBJECTS[line.name]
        ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
        target = "" if subject.target is None else str(subject.target)
        figures = (_shown(line.cpu_ms), _shown(line.p50_ms), ratio)
        made.add_row(line.name, *figures, target, _MARKS[line.met], subject.sentence)
    return made


def _shown(ms: float) -> str:
    return f"{ms:.3f}" if ms < 10 else f"{ms:.0f}"
