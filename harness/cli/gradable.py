"""`paracosm gradable`: the matrix of a product's write routes and tables, and the tasks that grade them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.words import DONE, FAILED, WrongUse

if TYPE_CHECKING:
    from rich.table import Table

    from harness.gradable import Gradable

EXAMPLE = "Example: paracosm gradable claims_desk --json"


def gradable(
    target: Annotated[str, typer.Argument(metavar="ENV", help="The environment.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show what the tasks of an environment grade, from the journal of their honest plays.

    Each write route of the product with the tables that plays wrote by it, the tasks that grade such a write,
    or why none does. Exit code 1: a play does not pass, or the environment's list of what is not gradable
    says what is not so.
    """
    import asyncio
    import json

    from harness.app import BrokenScenario
    from harness.cli import show
    from harness.discovery import UnknownTarget, find
    from harness.gradable import gradable as found_in
    from harness.guards import TaskError
    from harness.rails import BrowserMissing

    if "/" in target:
        raise WrongUse(f"It is an environment that is looked at as a whole: say {target.partition('/')[0]}.")
    try:
        found = find([target])
        if found.broken:
            raise WrongUse(found.broken[0])
        matrix = asyncio.run(found_in(found.chosen[0][0]))
    except (UnknownTarget, BrokenScenario, TaskError, BrowserMissing) as error:
        raise WrongUse(error.args[0]) from None
    if as_json:
        print(json.dumps(matrix.as_json(), indent=2, ensure_ascii=False))
        raise typer.Exit(FAILED if matrix.problems else DONE)
    console = show.console()
    console.print(_routes(matrix))
    console.print(_tables(matrix))
    for problem in matrix.problems:
        show.line(console, f"✗ {problem}", "red")
    graded = sum(bool(route.graded_by) for route in matrix.routes)
    show.line(console, f"{graded} of {len(matrix.routes)} write routes graded", "bold")
    raise typer.Exit(FAILED if matrix.problems else DONE)


def _routes(matrix: Gradable) -> Table:
    table = _empty(f"{matrix.environment} · write routes of {matrix.product}", "route", "writes", "graded by")
    for route in matrix.routes:
        last = ", ".join(route.graded_by) or f"[dim]{_plain(route.why)}[/]"
        table.add_row(_plain(route.route), ", ".join(route.tables) or "–", last)
    return table


def _tables(matrix: Gradable) -> Table:
    table = _empty("tables", "table", "written by", "graded by")
    for found in matrix.tables:
        unplayed = f"comes along: {found.along}" if found.along else "no task"
        last = ", ".join(found.graded_by) or f"[dim]{_plain(unplayed)}[/]"
        table.add_row(found.table, _plain(", ".join(found.routes)) or "–", last)
    return table


def _empty(title: str, *columns: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _plain(text: str) -> str:
    return text.replace("[", "\\[")
