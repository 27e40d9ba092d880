"""`paracosm runs`: what the archive holds: lists, statistics, comparisons, exports, classifications."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli import classify, export
from harness.cli.chosen import MEANT, Data, Model, Only, Since, Until, records_in, select
from harness.cli.dial import DATA

if TYPE_CHECKING:
    from harness.archive.records import Records, Rollout

LIST_EXAMPLE = "Example: paracosm runs list"
SHOW_EXAMPLE = "Example: paracosm runs show 3-petite --rollouts"
COMPARE_EXAMPLE = """Examples:

paracosm runs compare 1-grand 2-petite

paracosm runs compare model:grand model:petite --since 2026-03-01 --only claims_desk

paracosm runs compare 2026-03-01..2026-03-15 2026-03-16.. --model petite
"""
SHOWN = 20
"""So many rollouts that did not pass are listed, unless all are asked for."""

app = typer.Typer(
    help="Read the archive of runs: lists, statistics, comparisons, exports, classifications.",
    epilog=LIST_EXAMPLE,
    rich_markup_mode=None,
)
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@app.command("list", epilog=LIST_EXAMPLE)
def list_runs(as_json: AsJson = False, data: Data = DATA) -> None:
    """List runs: who acted, on what, how much passed."""
    from harness.archive.exporting import run_as_json, summary_as_json
    from harness.archive.statistics import summarise
    from harness.cli import figures, show

    records = records_in(data)
    if as_json:
        found = [
            {**run_as_json(run), "summary": summary_as_json(summarise(records.of_run(run.id)))}
            for run in records.runs
        ]
        _print_json(found)
        return
    if not records.runs:
        print(f"There is no run in {data} yet; `paracosm run` makes them.")
        return
    show.console().print(figures.run_list(records))


@app.command("show", epilog=SHOW_EXAMPLE)
def show_run(
    run: Annotated[str, typer.Argument(metavar="RUN", help=MEANT)],
    each: Annotated[bool, typer.Option("--rollouts", help="List every rollout.")] = False,
    every_guard: Annotated[bool, typer.Option("--guards", help="Guards that never refused, too.")] = False,
    only: Only = None,
    as_json: AsJson = False,
    data: Data = DATA,
) -> None:
    """Show a run: its tasks by how rollouts ended, pass rates, pass@k and pass^k, guards, costs.

    Errors, time-outs and rollouts that never ran count as not passed. Grader errors are in no rate. An
    interval is Wilson's on one task; on several, tasks are clusters.
    """
    from harness.archive.exporting import as_json as whole

    records = records_in(data)
    selected = select(records, run, only=only)
    if as_json:
        _print_json(whole(records, selected))
        return
    _show(records, selected, each=each, every_guard=every_guard)


def _show(records: Records, selected: Sequence[Rollout], *, each: bool, every_guard: bool) -> None:
    from harness.archive.statistics import summarise
    from harness.cli import figures, show

    console, found = show.console(), summarise(selected)
    concerned = {rollout.run for rollout in selected}
    for run in records.runs:
        if run.id in concerned:
            show.line(console, figures.heading(run))
    console.print(figures.states(selected))
    if any(k.k > 1 for k in found.passes):
        console.print(figures.passes(found))
    telling = [count for count in found.guards if every_guard or count.refused or count.errors]
    if telling:
        console.print(figures.guards(telling))
    wanted = [rollout for rollout in selected if each or rollout.over and not rollout.passed]
    if wanted:
        console.print(figures.rollouts(wanted if each else wanted[:SHOWN]))
        if not each and len(wanted) > SHOWN:
            show.line(console, f"… and {len(wanted) - SHOWN} others that did not pass; --rollouts lists all.")
    for sentence in figures.sentences(found):
        show.line(console, sentence)


@app.command(epilog=COMPARE_EXAMPLE)
def compare(
    before: Annotated[str, typer.Argument(metavar="A", help=MEANT)],
    after: Annotated[str, typer.Argument(metavar="B", help="The same, for what it is compared with.")],
    model: Model = None,
    since: Since = None,
    until: Until = None,
    only: Only = None,
    as_json: AsJson = False,
    data: Data = DATA,
) -> None:
    """Compare two runs, models or stretches of days, task by task.

    Tells the difference of pass rates with its 95% interval, which tasks moved and which guards refuse more
    or less. An interval that holds 0 shows no difference.
    """
    from dataclasses import asdict

    from harness.archive.comparison import compare as found_in
    from harness.cli import figures, show

    records = records_in(data)
    lots = [
        select(records, words, model=model, since=since, until=until, only=only) for words in (before, after)
    ]
    found = found_in(*lots)
    if as_json:
        _print_json({"A": before, "B": after, "verdict": found.verdict, **asdict(found)})
        return
    console = show.console()
    for part in figures.comparison(found, before, after):
        if isinstance(part, str):
            show.line(console, part)
        else:
            console.print(part)


def _print_json(value: Any) -> None:
    from harness.archive.exporting import encoded

    print(encoded(json.dumps(value, indent=2, ensure_ascii=False)).decode())


app.command(epilog=export.EXAMPLE)(export.export)
app.command(epilog=classify.EXAMPLE)(classify.classify)
