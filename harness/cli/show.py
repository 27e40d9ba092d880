"""What `prove`, `run` and `grade` print: tables for people, plain lines for logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

from harness.cli.words import harmless
from harness.grade import Grade, Verdict
from harness.proof import EnvironmentProof, TaskProof
from harness.task import Task

if TYPE_CHECKING:
    from harness.code.declaring import CodeTask

WIDTH = 140
_MARKS = {"passed": "[green]passed[/]", "refused": "[red]refused[/]", "error": "[magenta]error[/]"}


class _Console(Console):
    """Prints what agents and worlds say, without what a terminal would obey."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """As any console, but letters alone."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=harmless(segment.text))


def console(*, stderr: bool = False) -> Console:
    """Where results are printed; wide enough for tables where it is no terminal."""
    found = _Console(stderr=stderr)
    return found if found.is_terminal else _Console(width=WIDTH, stderr=stderr)


def line(console: Console, text: str, style: str | None = None) -> None:
    """One line, as it is: never wrapped, nothing in it taken for markup."""
    console.print(text, style=style, soft_wrap=True, highlight=False, markup=False)


def proof(console: Console, proof: EnvironmentProof, *, notes: bool) -> None:
    """What was found of an environment: a table, then a line for all that is to be looked at; `notes` are
    what may be as it is."""
    console.print(proof_table(proof))
    for problem in proof.problems:
        line(console, f"✗ {problem}", "red")
    for warning in (warning for task in proof.tasks for warning in task.warnings):
        line(console, f"! {warning}", "yellow")
    for name in (f"{task.task.name}: guard {name}" for task in proof.tasks for name in _needless(task)):
        line(console, f"· {name} is not needed: it alone refuses no cheat and no probe.")
    if proof.all_attacks:
        line(console, f"· {proof.env.slug}: {proof.all_attacks} attacks by adversaries.", "dim")
    noted = [*(note for task in proof.tasks for note in _notes(task)), *proof.notes]
    for note in noted if notes else ():
        line(console, f"· {note}", "dim")
    if noted and not notes:
        line(
            console, f"· {proof.env.slug}: {len(noted)} notes on what may be as it is; --notes tells.", "dim"
        )


def coverage_table(name: str, rows: Iterable[tuple[str, Sequence[str], Sequence[str]]]) -> Table:
    """One row a resource of an API, with its methods."""
    table = Table(title=name, title_justify="left", box=SIMPLE_HEAD)
    for column in ("resource", "faked", "not faked"):
        table.add_column(column, overflow="fold")
    for resource, faked, missing in rows:
        table.add_row(resource, ", ".join(faked) or "–", ", ".join(missing) or "–")
    return table


def _needless(task: TaskProof) -> Iterable[str]:
    return task.needless if task.reference_held else ()


def _notes(task: TaskProof) -> Iterable[str]:
    """Columns that guards let pass, or do not look at, and what lint would rather have said."""
    if task.loose:
        loose = "; ".join(f"{fact} ({', '.join(passing)})" for fact, passing in task.loose.items())
        yield f"{task.task.name}: passes with other values of {loose}."
    if task.unguarded:
        yield f"{task.task.name}: no guard looks at {', '.join(task.unguarded)}."
    yield from task.notes


def proof_table(proof: EnvironmentProof) -> Table:
    """One row a task."""
    where = f"{proof.day} {proof.zone}" if len(proof.dates) == 1 else f"{len(proof.dates)} dates"
    where += f" · {proof.instances} instances" if proof.instances else ""
    table = Table(title=f"{proof.env.slug} · {where}", title_justify="left", box=SIMPLE_HEAD)
    for name in ("task", "surface"):
        table.add_column(name, overflow="fold")
    for name in ("guards needed", "cheats held", "variants", "probes", "generated"):
        table.add_column(name, justify="right", overflow="fold")
    for task in proof.tasks:
        table.add_row(*_proof_row(task))
    return table


def _proof_row(proof: TaskProof) -> Iterable[str]:
    task = proof.task
    guards = len(task.guards)
    generated = [
        f"{n} {outcome}" for outcome in ("refused", "harmless", "escaped") if (n := proof.outcomes(outcome))
    ]
    held = f"{sum(c.held for c in proof.cheats)}/{len(task.cheats)}"
    mark = "" if proof.held else "[red]✗[/] "
    needed = str(guards) if proof.quick else f"{guards - len(proof.needless)}/{guards}"
    variants = f"{proof.variants_held}/{len(task.variants)}"
    return (
        mark + task.slug,
        task.surface,
        needed,
        held,
        variants,
        str(proof.probes),
        ", ".join(generated) or "none",
    )


def verdict_table(task: Task | CodeTask, verdicts: Iterable[Verdict]) -> Table:
    """One row a guard, with its sentence and, if it refuses, why; of a code task one row an invariant."""
    sentences = _sentences(task)
    table = Table(title=task.name, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("guard" if isinstance(task, Task) else "hold or invariant", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("what it states, and why it does not hold", overflow="fold")
    for verdict in verdicts:
        said = sentences.get(verdict.guard, "") + (f"\n→ {verdict.message}" if verdict.message else "")
        table.add_row(verdict.guard, _MARKS.get(verdict.state, verdict.state), said.replace("[", "\\["))
    return table


def _sentences(task: Task | CodeTask) -> dict[str, str]:
    if isinstance(task, Task):
        return {**{name: guard.sentence for name, guard in task.guards.items()}, **task.standing}
    from harness.code.grader import grader_of

    grader = grader_of(task.env)
    return {**grader.hold_sentences, **{name: each.title for name, each in grader.invariants.items()}}


def outcome(graded: Grade, error: str) -> str:
    """How an attempt came out, in a line."""
    if graded.state == "passed":
        return "passed"
    if graded.void:
        return f"void: {graded.void}"
    if graded.ended != "finished":
        return f"{graded.ended}: {error}"
    return f"{graded.state}: {wrong(graded.verdicts)}"


def wrong(verdicts: Sequence[Verdict]) -> str:
    """The guards that could not say, or else those that refuse; and how many were not judged."""
    guards = [v.guard for v in verdicts if v.state == "error"]
    guards = guards or [v.guard for v in verdicts if v.state == "refused"]
    unjudged = sum(v.state == "not judged" for v in verdicts)
    return ", ".join(guards) + (f"; {unjudged} not judged" if unjudged else "")
